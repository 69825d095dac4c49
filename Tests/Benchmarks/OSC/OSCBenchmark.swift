import Messages
import OSC

/// Prints what receiving OSC costs, beside a bare liblo server in the same run.
///
/// `osc-benchmark [ROUNDS | clients | messages]`: figures for people, and no test, because other work on the machine
/// shows in them.
@main
enum OSCBenchmark {
  /// What is done with a datagram; the mixer's own work can stand here instead of nothing.
  static func consume(_ datagram: borrowing Datagram) {}

  private static let names = [
    "bare liblo", "server alone", "mixer 2x2", "mixer 256x256",
  ]

  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.contains("messages") {
      return try MessageBenchmark.run(channels: 255)
    }
    if arguments.contains("clients") {
      try FeedbackBenchmark.run(clients: 16, changesPerSecond: 10_000, seconds: 3)
      return try MeterBenchmark.run(clients: 32, seconds: 3)
    }
    let rounds = arguments.count > 1 ? max(1, Int(arguments[1]) ?? 5) : 5
    try singleDatagrams(rounds: rounds)
    try bundles(rounds: rounds)
    try burst()
    try FeedbackBenchmark.run(clients: 16, changesPerSecond: 10_000, seconds: 3)
    try MeterBenchmark.run(clients: 32, seconds: 3)
    for channels in [64, 255] { try MessageBenchmark.run(channels: channels) }
  }

  private static func singleDatagrams(rounds: Int) throws {
    let rate = 100_000
    // Gains that differ, because one that is there already is no work.
    let messages = (1...16).map { Packets.message("/matrix/in/0/out/1", gain: Float($0) / 16) }
    var costs: [[Double]] = [[], [], [], []]
    // In turns, so that what else the machine does meets all of them.
    for _ in 0..<rounds {
      let receivers: [any Receiver] = [
        try BareReceiver(), try ShippedReceiver(consume: consume(_:)),
        try MixerReceiver(channels: 2), try MixerReceiver(channels: 256),
      ]
      for (index, receiver) in receivers.enumerated() {
        let round = try Round(of: messages, rate: rate, seconds: 1, to: receiver)
        costs[index].append(report(names[index], round))
      }
    }
    let bare = median(costs[0])
    print("single datagrams at \(rate)/s, median of \(rounds):")
    for (name, cost) in zip(names, costs.map(median)) {
      print("  \(name): \(text(cost)) ns of CPU each, \(text(cost / bare)) x bare liblo")
    }
    print("  mixer 256x256 to mixer 2x2: \(text(median(costs[3]) / median(costs[2]))) x")
  }

  private static func report(_ name: String, _ round: Round) -> Double {
    let cost = round.receiverSeconds * 1e9 / Double(max(round.received, 1))
    print(
      "  \(name): \(text(Double(round.sent) / round.elapsedSeconds))/s offered,",
      "\(round.sent - round.received) of \(round.sent) lost, \(text(cost)) ns of CPU each")
    return cost
  }

  private static func bundles(rounds: Int) throws {
    for count in [32, 64, 1024] {
      let bundles = [0.5, 0.25].map { Packets.bundle(count: count, gain: $0) }
      var rates: [Double] = []
      var perSecondOfCPU: [Double] = []
      for _ in 0..<rounds {
        let mixer = try MixerReceiver(channels: 64)
        let round = try Round(of: bundles, rate: 3_000_000 / count, seconds: 1, to: mixer)
        rates.append(Double(mixer.acceptedMessages) / round.elapsedSeconds)
        perSecondOfCPU.append(Double(mixer.acceptedMessages) / round.receiverSeconds)
      }
      print(
        "bundles of \(count): \(text(median(rates))) updates/s applied of 3000000 offered,",
        "\(text(median(perSecondOfCPU))) updates per second of CPU")
    }
  }

  private static func burst() throws {
    let mixer = try MixerReceiver(channels: 64)
    let sender = try Sender(port: mixer.port)
    // A different gain each time, so that only the last one is right at the end.
    let messages = (1...4096).map { Packets.message("/matrix/in/0/out/1", gain: Float($0) / 4096) }
    let start = Clock.monotonicSeconds
    for message in messages { sender.send(message) }
    let sending = Clock.monotonicSeconds - start
    Clock.sleep(seconds: max(0, 0.05 - sending))
    while mixer.receiveSome() {}
    print(
      "burst of 4096 datagrams, control thread held \(text(max(sending, 0.05) * 1000)) ms:",
      "\(4096 - mixer.received) lost, \(mixer.server.counters.kernelDropped) counted as dropped,",
      "granted buffer \(mixer.server.grantedReceiveBufferBytes) bytes,",
      "the last gain is \(mixer.firstGain == 1 ? "there" : "missing")")
    if let advice = mixer.server.receiveBufferAdvice { print(advice) }
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }

  /// Three significant digits, or whole numbers beyond.
  private static func text(_ value: Double) -> String {
    value >= 100 ? "\(Int(value.rounded()))" : "\((value * 100).rounded() / 100)"
  }
}

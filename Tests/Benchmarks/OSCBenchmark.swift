import Messages
import OSC

/// Prints what receiving OSC costs, beside a bare liblo server in the same run.
///
/// `osc-benchmark [ROUNDS]`: figures for people, and no test, because other work on the machine
/// shows in them.
@main
enum OSCBenchmark {
  /// What is done with a datagram; the mixer's own work can stand here instead of nothing.
  static func consume(_ datagram: borrowing Datagram) {}

  static func main() throws {
    let arguments = CommandLine.arguments
    let rounds = arguments.count > 1 ? max(1, Int(arguments[1]) ?? 5) : 5
    try singleDatagrams(rounds: rounds)
    try bundles(rounds: rounds)
    try burst()
  }

  private static func singleDatagrams(rounds: Int) throws {
    let rate = 100_000
    let message = Packets.message("/matrix/in/0/out/1", gain: 0.5)
    var bareCosts: [Double] = []
    var shippedCosts: [Double] = []
    for _ in 0..<rounds {
      let bare = try BareReceiver()
      bareCosts.append(
        report("bare liblo", try Round(of: message, rate: rate, seconds: 1, to: bare)))
      let shipped = try ShippedReceiver(consume: consume(_:))
      shippedCosts.append(
        report("shipped path", try Round(of: message, rate: rate, seconds: 1, to: shipped)))
    }
    let ratio = median(shippedCosts) / median(bareCosts)
    print(
      "single datagrams at \(rate)/s, median: bare liblo \(text(median(bareCosts))) ns,",
      "shipped path \(text(median(shippedCosts))) ns of CPU each, ratio \(text(ratio))")
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
      let bundle = Packets.bundle(count: count)
      var rates: [Double] = []
      var perSecondOfCPU: [Double] = []
      for _ in 0..<rounds {
        let shipped = try ShippedReceiver(consume: consume(_:))
        let round = try Round(of: bundle, rate: 3_000_000 / count, seconds: 1, to: shipped)
        rates.append(Double(round.received * count) / round.elapsedSeconds)
        perSecondOfCPU.append(Double(round.received * count) / round.receiverSeconds)
      }
      print(
        "bundles of \(count): \(text(median(rates))) updates/s received of 3000000 offered,",
        "\(text(median(perSecondOfCPU))) updates per second of CPU")
    }
  }

  private static func burst() throws {
    let shipped = try ShippedReceiver(consume: consume(_:))
    let sender = try Sender(port: shipped.port)
    let message = Packets.message("/matrix/in/0/out/1", gain: 0.5)
    let start = Clock.monotonicSeconds
    for _ in 0..<4096 { sender.send(message) }
    let sending = Clock.monotonicSeconds - start
    Clock.sleep(seconds: max(0, 0.05 - sending))
    shipped.receiveWaiting()
    print(
      "burst of 4096 datagrams, receiver held \(text(max(sending, 0.05) * 1000)) ms:",
      "\(4096 - shipped.received) lost, \(shipped.server.counters.kernelDropped) counted as dropped,",
      "granted buffer \(shipped.server.grantedReceiveBufferBytes) bytes")
    if let advice = shipped.server.receiveBufferAdvice { print(advice) }
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }

  /// Three significant digits, or whole numbers beyond.
  private static func text(_ value: Double) -> String {
    value >= 100 ? "\(Int(value.rounded()))" : "\((value * 100).rounded() / 100)"
  }
}

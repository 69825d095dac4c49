/// What it costs to tell many clients of many changes, and how late the last one is told.
enum FeedbackBenchmark {
  /// Sends changes all over a matrix of 64 x 64 while clients listen.
  static func run(clients: Int, changesPerSecond rate: Int, seconds: Double) throws {
    let mixer = try MixerReceiver(channels: 64)
    let audience = try Audience(count: clients, port: mixer.port)
    mixer.serve(seconds: 0.05)
    let total = Int(Double(rate) * seconds)
    // Neighbours in time are far apart in the matrix, and no value comes twice in a row.
    let messages = (0..<total).map { number in
      let place = number * 2_053 % 4_096
      return Packets.message(
        "/matrix/in/\(place / 64)/out/\(place % 64)", gain: Float(number % 30_011 + 1) / 30_011)
    }
    let round = try Round(of: messages, rate: rate, seconds: seconds, to: mixer)
    let lastSeconds = round.lastSeconds
    mixer.serve(seconds: 0.25)
    let heard = audience.end()
    var right = 0
    for hearing in heard {
      let isRight = (0..<4_096).allSatisfy { place in
        hearing.values["/matrix/in/\(place / 64)/out/\(place % 64)"]
          == mixer.gain(input: place / 64, output: place % 64)
      }
      if isRight { right += 1 }
    }
    let latest = heard.map { ($0.lastSeconds - lastSeconds) * 1_000 }.max() ?? 0
    let values = heard.reduce(0) { $0 + $1.count }
    print(
      "\(clients) clients at 30 Hz, \(Int(Double(round.received) / round.elapsedSeconds)) changes/s:",
      "control thread \(hundredths(100 * round.receiverSeconds / round.elapsedSeconds)) % of a core,",
      "\(values) values told, \(right) of \(clients) clients right at the end,",
      "the last \(hundredths(latest)) ms after the last change")
  }

  private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

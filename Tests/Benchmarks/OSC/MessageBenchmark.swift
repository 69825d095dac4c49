import Messages
import OSC

/// What the most expensive messages cost the control thread.
enum MessageBenchmark {
  private struct Row {
    let name: String
    let datagram: [UInt8]
    var milliseconds = 0.0
  }

  /// Sends each of the messages that meet the most a few times to a square matrix, and prints the
  /// CPU time of the worst time of each, the dearest first.
  static func run(channels: Int) throws {
    let mixer = try MixerReceiver(channels: channels)
    let sender = try Sender(port: mixer.port)
    let state = [
      message("/scene/store", .int32(0)), message("/matrix/in/*/out/*", .float(0.3)),
      message("/matrix/group/{0,1}/members", .string("/matrix/in/*/out/*")),
    ]
    for datagram in state { _ = cost(of: datagram, sender, mixer) }
    var rows = Self.rows(channels)
    for number in rows.indices {
      for _ in 0..<3 {
        let seconds = cost(of: rows[number].datagram, sender, mixer)
        rows[number].milliseconds = max(rows[number].milliseconds, seconds * 1_000)
      }
    }
    print("the dearest messages at \(channels) x \(channels), CPU of the control thread:")
    for row in rows.sorted(by: { $0.milliseconds > $1.milliseconds }) {
      print("  \((row.milliseconds * 100).rounded() / 100) ms: \(row.name)")
    }
  }

  private static func cost(
    of datagram: [UInt8], _ sender: Sender, _ mixer: MixerReceiver
  ) -> Double {
    let before = mixer.received
    sender.send(datagram)
    let start = Clock.threadSeconds
    while mixer.received == before { _ = mixer.receiveSome() }
    let seconds = Clock.threadSeconds - start
    // What it has made others be told is told at their rates, and limits begin anew.
    mixer.serve(seconds: 0.1)
    return seconds
  }

  private static func rows(_ channels: Int) -> [Row] {
    let everything = "/matrix/in/*/out/*"
    let longest = "/matrix/in/{" + (0..<channels).map { "\($0)," }.joined() + "0}/out/*"
    let single: [(String, [Argument])] = [
      (everything, [.float(0.5)]), (everything, [.float(0.25), .float(1_000)]),
      (everything, []), (everything + "/now", []), (everything + "/mute", [.int32(1)]),
      (everything + "/mute", [.int32(0)]), (everything + "/phase", [.int32(1)]),
      (everything + "/nudge", [.float(-1)]), (everything + "/touch", [.int32(1)]),
      (everything + "/touch", [.int32(0)]), (everything + "/stop", []), (longest, [.float(0.1)]),
      ("/matrix/clear", []), ("/matrix/identity", []), ("/matrix/clear", [.float(1_000)]),
      ("/matrix/row/*", []), ("/matrix/levels", []), ("/matrix/in/*/name", [.string("A b")]),
      ("/matrix/in/*/name", []), ("/*/*/*/*/*", []), ("/*/*/*/*/*", [.float(0.5)]),
      ("/matrix/group/0/members", [.string(everything)]),
      ("/matrix/group/0/members", [.string("")]),
      ("/matrix/group/1/gain", [.float(0.5)]), ("/matrix/group/1/mute", [.int32(1)]),
      ("/matrix/group/1/mute", [.int32(0)]),
      ("/subscribe", [.string("")]), ("/subscribe", [.string(everything + "/*")]),
      ("/subscribe", [.string("/*/*/*/*/*/*")]), ("/unsubscribe", []),
      ("/sync", [.string("")]), ("/sync", [.string("/*/*/*/*/*/*")]), ("/bye", []),
      ("/meter/subscribe", []), ("/meter/subscribe", [.string(everything)]),
      ("/meter/reset", [.string(everything)]), ("/meter/unsubscribe", []), ("/client/list", []),
      ("/engine/status", []), ("/scene/store", [.int32(1)]), ("/scene/recall", [.int32(0)]),
      ("/scene/recall", [.int32(1), .float(1_000)]),
      ("/scene/recall", [.int32(0), .string(everything + "/*")]),
      ("/scene/recall", [.int32(1), .string("/matrix")]),
      ("/scene/safe", [.string("/matrix/in/*/out/*[02468]"), .int32(1)]), ("/scene/safe", []),
      ("/scene/safe", [.string("/matrix"), .int32(0)]), ("/scene/list", []), ("/undo", []),
      ("/redo", []), ("/matrix/nonsense/of/some/length", []),
    ]
    let rows = single.map { address, arguments in
      Row(
        name: ([text(address)] + arguments.map { text("\($0)") }).joined(separator: " "),
        datagram: message(address, arguments: arguments))
    }
    return rows + bundles(channels)
  }

  private static func bundles(_ channels: Int) -> [Row] {
    func repeated(_ name: String, _ address: String, _ arguments: Argument...) -> Row {
      let element = message(address, arguments: arguments)
      let count = (65_507 - 16) / (element.count + 4)
      return Row(
        name: "a bundle of \(count) x \(name)",
        datagram: Packets.bundle([[UInt8]](repeating: element, count: count)))
    }
    let values = (0..<min(channels * channels, 16_000)).map {
      Argument.float(Float($0 % 100) / 100)
    }
    let braces = "/matrix/in/{" + String(repeating: "a,", count: 2_000) + "0}/gain"
    let members = (0..<2_000).map { _ in Argument.string("/matrix/in/*/out/*") }
    return [
      Row(
        name: "/matrix/all with all it takes", datagram: message("/matrix/all", arguments: values)),
      Row(
        name: "/matrix/group/2/members with 2000 patterns",
        datagram: message("/matrix/group/2/members", arguments: members)),
      repeated("a question for all crosspoints", "/matrix/in/*/out/*"),
      repeated("a gain of all crosspoints", "/matrix/in/*/out/*", .float(0.7)),
      repeated("one gain", "/matrix/in/0/out/1", .float(0.7)),
      repeated("one question", "/matrix/in/0/out/1"),
      repeated("/matrix/row/1", "/matrix/row/1"),
      repeated("/engine/status", "/engine/status"), repeated("/scene/list", "/scene/list"),
      repeated("/client/list", "/client/list"), repeated("/ping", "/ping"),
      repeated("names of all inputs", "/matrix/in/*/name", .string("A b")),
      repeated("a pattern of 4 kB", braces, .float(0.5)),
      repeated("/subscribe to everything", "/subscribe", .string("/*/*/*/*/*/*")),
      repeated("/sync", "/sync"), repeated("/hello", "/hello", .string("pad")),
      repeated("/meter/subscribe", "/meter/subscribe", .string("/matrix/in/*")),
      repeated("touch of all crosspoints", "/matrix/in/*/out/*/touch", .int32(1)),
    ]
  }

  private static func message(_ address: String, _ arguments: Argument...) -> [UInt8] {
    message(address, arguments: arguments)
  }

  private static func message(_ address: String, arguments: [Argument]) -> [UInt8] {
    let builder = PacketBuilder()
    return builder.withMessage(address: address, arguments: arguments) { Array($0) } ?? []
  }

  private static func text(_ text: String) -> String {
    text.utf8.count > 60 ? text.prefix(40) + "…" : text
  }
}

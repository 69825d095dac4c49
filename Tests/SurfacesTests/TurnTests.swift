import CTestSupport
import Control
import Messages
import Testing

/// What a turn costs, and what becomes of it when the socket has no room.
@Suite struct TurnTests {
  @Test("A socket that is full loses nothing: what is left goes out later, with its latest value")
  func full() throws {
    let desk = try Desk(inputs: 64, outputs: 64)
    let x = desk.subscriber()
    x.send("/sync", .string("/matrix/in/*/mute"))
    for input in 0..<64 { desk.perform("/matrix/in/\(input)/out/{0,1,2,3}", .float(0.5)) }
    crosspoint_test_limit_sends(3)
    desk.pass()
    let first = x.heard()
    #expect(!first.isEmpty)
    #expect(first.count < 256)
    #expect(desk.count("blocked_turns") == 1)
    for input in 0..<64 { desk.perform("/matrix/in/\(input)/out/0", .float(0.25)) }
    desk.wait(milliseconds: 40)
    #expect(x.heard().isEmpty)
    #expect(try #require(desk.count("blocked_turns")) > 3)
    crosspoint_test_limit_sends(-1)
    var told: [String: [Argument]] = [:]
    var marks: [String] = []
    for message in first {
      told[message.address] = message.arguments
      if message.address.hasPrefix("/sync") { marks.append(message.address) }
    }
    for _ in 0..<40 {
      desk.advance(milliseconds: 4)
      for message in x.heard() {
        told[message.address] = message.arguments
        if message.address.hasPrefix("/sync") { marks.append(message.address) }
      }
    }
    #expect(marks == ["/sync/begin", "/sync/end"])
    for input in 0..<64 {
      #expect(told["/matrix/in/\(input)/mute"] == [.int32(0)])
      #expect(told["/matrix/in/\(input)/out/0"] == [.float(0.25)])
      #expect(told["/matrix/in/\(input)/out/3"] == [.float(0.5)])
    }
    #expect(desk.count("feedback_failures") == 0)
  }

  /// One of many changes all over a matrix of 64 x 64: neighbours in time are far apart in it, and no
  /// value comes twice in a row.
  private static func change(_ number: Int) -> (address: String, value: Argument) {
    let place = number * 2_053 % 4_096
    return (
      "/matrix/in/\(place / 64)/out/\(place % 64)", .float(Float(number % 9_973 + 1) / 9_973)
    )
  }

  @Test("Of 10,000 changes a second sixteen clients have the last of everything 50 ms after it")
  func lastValues() throws {
    let desk = try Desk(inputs: 64, outputs: 64)
    let clients = (0..<16).map { _ in desk.subscriber() }
    var told = [[String: [Argument]]](repeating: [:], count: clients.count)
    func listen() {
      for (number, client) in clients.enumerated() {
        for heard in client.heard() { told[number][heard.address] = heard.arguments }
      }
    }
    var last: [String: [Argument]] = [:]
    var number = 0
    for millisecond in 1...1_500 {
      for _ in 0..<10 {
        let (address, value) = Self.change(number)
        desk.perform(address, value)
        last[address] = [value]
        number += 1
      }
      desk.advance(milliseconds: 1)
      if millisecond % 10 == 0 { listen() }
    }
    #expect(last.count == 4_096)
    for _ in 0..<10 {
      desk.advance(milliseconds: 5)
      listen()
    }
    #expect(told.allSatisfy { $0 == last })
    desk.wait(milliseconds: 200)
    #expect(clients.allSatisfy { $0.heard().isEmpty })
  }

  @Test("The audio thread is told the same, on the same frames, whoever listens")
  func untouchedAudio() throws {
    let alone = try Desk(inputs: 64, outputs: 64)
    let watched = try Desk(inputs: 64, outputs: 64)
    let desks = [alone, watched]
    let clients = (0..<16).map { _ in watched.subscriber() }
    for desk in desks { desk.keepsCommands = true }
    var number = 0
    var heard = 0
    for millisecond in 1...1_000 {
      for _ in 0..<10 {
        let (address, value) = Self.change(number)
        // Every hundredth one is a fade that goes on while others come.
        let rest: [Argument] = number % 100 == 0 ? [value, .int32(200)] : [value]
        for desk in desks { desk.perform(address, arguments: rest) }
        number += 1
      }
      for desk in desks { desk.advance(milliseconds: 1) }
      if millisecond % 10 == 0 { for client in clients { heard += client.heard().count } }
    }
    #expect(heard > 16 * 4_096)
    #expect(alone.commands.count >= number)
    #expect(watched.commands == alone.commands)
  }

  @Test(
    "To tell a value allocates nothing",
    .enabled(if: crosspoint_test_can_watch() != 0, "the allocator is not a sanitizer's"))
  func allocations() throws {
    let desk = try Desk(inputs: 64, outputs: 64)
    let x = desk.subscriber()
    func cost(rows: Int) -> UInt64 {
      for input in 0..<rows {
        desk.perform("/matrix/in/\(input)/out/{1,2,3,4,5,6,7,8}", .float(Float.random(in: 0...1)))
        desk.perform("/matrix/in/\(input)/mute", .int32(Int32.random(in: 0...1)))
      }
      desk.hub.tick(now: desk.now)
      crosspoint_test_watch_begin()
      desk.surface.tick(now: desk.now)
      let counted = crosspoint_test_watch_end() & 0xFFFF_FFFF
      _ = x.heard()
      desk.wait(milliseconds: 40)
      return counted
    }
    _ = cost(rows: 64)
    let few = cost(rows: 1)
    let many = cost(rows: 64)
    #expect(many <= few)
  }
}

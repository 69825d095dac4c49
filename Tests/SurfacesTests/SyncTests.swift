import Control
import Messages
import OSC
import Testing

/// Dumps of everything.
@Suite struct SyncTests {
  private struct Dump {
    var begin: [Argument]?
    var end: [Argument]?
    var values: [String: [Argument]] = [:]
    var count = 0

    init(_ heard: [Heard]) {
      for message in heard {
        switch message.address {
        case "/sync/begin": begin = message.arguments
        case "/sync/end": end = message.arguments
        default:
          values[message.address] = message.arguments
          count += 1
        }
      }
    }
  }

  @Test("A sync tells everything once, between its counts, in small datagrams")
  func whole() throws {
    let desk = try Desk(inputs: 5, outputs: 4)
    desk.perform("/matrix/in/3/out/2", .float(0.5))
    desk.perform("/matrix/in/3/name", .string("vox"))
    let x = desk.tablet()
    x.send("/sync")
    desk.wait(milliseconds: 200)
    let heard = x.heard()
    #expect(heard.first?.address == "/sync/begin")
    #expect(heard.last?.address == "/sync/end")
    let dump = Dump(heard)
    #expect(dump.begin == [.int32(2), .int32(Int32(dump.count))])
    #expect(dump.end == dump.begin)
    #expect(dump.values.count == dump.count)
    #expect(x.largestDatagram <= 1_200)
    for row in ParameterTable.rows where row.access == .readWrite {
      let address = row.address.split(separator: "/")
        .map { "/" + ($0 == "{i}" ? "3" : $0 == "{o}" ? "2" : String($0)) }.joined()
      guard let told = dump.values[address] else { continue }
      #expect(told == desk.ask(address))
    }
    #expect(dump.values["/matrix/in/3/out/2"] == [.float(0.5)])
    #expect(dump.values["/matrix/in/3/name"] == [.string("vox")])
    #expect(dump.values["/matrix/master/gain"] == [.float(1)])
    desk.wait(milliseconds: 200)
    #expect(x.heard().isEmpty)
  }

  @Test("A pattern asks for a part, on the face that it names")
  func part() throws {
    let desk = try Desk(inputs: 5, outputs: 4)
    let x = desk.tablet()
    x.send("/sync", .string("/matrix/in/[1-2]/db"))
    x.send("/sync", .string("/matrix/out/*/mute"))
    desk.wait(milliseconds: 200)
    let heard = x.heard()
    #expect(
      heard.map(\.address) == [
        "/sync/begin", "/matrix/in/1/db", "/matrix/in/2/db", "/sync/end", "/sync/begin",
        "/matrix/out/0/mute", "/matrix/out/1/mute", "/matrix/out/2/mute", "/matrix/out/3/mute",
        "/sync/end",
      ])
    #expect(heard[0].arguments == [.int32(0), .int32(2)])
  }

  @Test("A pattern is told of everything that it meets, whether anybody has touched it or not")
  func untouched() throws {
    let desk = try Desk(inputs: 2, outputs: 3)
    let x = desk.tablet()
    for (pattern, address, count) in [
      ("/matrix/group/*/gain", "/matrix/group/7/gain", 64),
      ("/matrix/group/7/*", "/matrix/group/7/members", 4),
      ("/matrix/in/0/out/*/pan", "/matrix/in/0/out/2/pan", 3),
    ] {
      x.send("/sync", .string(pattern))
      desk.wait(milliseconds: 100)
      let dump = Dump(x.heard())
      #expect(dump.begin == [.int32(0), .int32(Int32(count))])
      #expect(dump.count == count)
      #expect(dump.values[address] == desk.ask(address))
    }
  }

  @Test(
    "Everything is every level and switch, of groups too, and no scene or pan that is not there")
  func everything() throws {
    let desk = try Desk(inputs: 2, outputs: 3)
    desk.perform("/matrix/out/1/pair", .int32(1))
    desk.perform("/scene/store", .int32(4), .string("verse"))
    let x = desk.tablet()
    x.send("/sync")
    desk.wait(milliseconds: 200)
    let dump = Dump(x.heard())
    for group in 0..<64 {
      #expect(dump.values["/matrix/group/\(group)/gain"] == [.float(1)])
      #expect(dump.values["/matrix/group/\(group)/mute"] == [.int32(0)])
    }
    let scenes = dump.values.keys.filter { $0.hasPrefix("/scene/") }
    #expect(Set(scenes) == ["/scene/4", "/scene/current", "/scene/safe"])
    let pans = dump.values.keys.filter { $0.hasSuffix("/pan") }
    #expect(
      Set(pans) == Set((0..<2).flatMap { i in [1, 2].map { "/matrix/in/\(i)/out/\($0)/pan" } }))
    // It is small in time for a small matrix.
    #expect(x.datagrams < 20)
  }

  @Test("A slow reader sees what it lost by the counts, and asks again for the rest")
  func slowReader() throws {
    let desk = try Desk(inputs: 64, outputs: 64)
    for input in 0..<64 { desk.perform("/matrix/in/\(input)/out/\(input)", .float(0.5)) }
    let slow = desk.tablet()
    slow.send("/sync")
    desk.wait(milliseconds: 3_000)
    let first = Dump(slow.heard())
    // What finds no room is lost, and of what comes first nothing is.
    guard case .int32(let promised)? = first.begin?.last else {
      Issue.record("the first datagram finds room")
      return
    }
    #expect(first.count < Int(promised))
    var values = first.values
    slow.send("/sync")
    var isOver = false
    for _ in 0..<3_000 where !isOver {
      desk.advance(milliseconds: 4)
      let part = Dump(slow.heard())
      values.merge(part.values) { $1 }
      isOver = part.end != nil
    }
    #expect(isOver)
    #expect(values.count == Int(promised))
    for input in 0..<64 { #expect(values["/matrix/in/\(input)/out/\(input)"] == [.float(0.5)]) }
  }

  @Test("Changes are told while a dump is on its way, and the dump is told while they come")
  func meanwhile() throws {
    let desk = try Desk(inputs: 64, outputs: 64)
    let x = desk.subscriber()
    x.send("/sync")
    var heard: [Heard] = []
    var turn = 0
    while !heard.contains(where: { $0.address == "/sync/end" }), turn < 3_000 {
      turn += 1
      desk.perform("/matrix/in/0/gain", .float(Float(turn % 100) / 100))
      desk.advance(milliseconds: 4)
      heard += x.heard()
    }
    let dump = Dump(heard)
    guard case .int32(let promised)? = dump.end?.last else {
      Issue.record("the dump ends")
      return
    }
    #expect(dump.values.count == Int(promised))
    #expect(heard.count(where: { $0.address == "/matrix/in/0/gain" }) > 5)
  }

  @Test("Some syncs may wait, more are refused")
  func queue() throws {
    let desk = try Desk(inputs: 64, outputs: 64)
    let x = desk.tablet()
    for _ in 0..<7 { x.send("/sync") }
    desk.pass()
    #expect(x.heard().count(where: { $0.address == "/error" }) == 2)
    var ends = 0
    for _ in 0..<4_000 where ends < 5 {
      desk.advance(milliseconds: 4)
      ends += x.heard().count { $0.address == "/sync/end" }
    }
    #expect(ends == 5)
  }
}

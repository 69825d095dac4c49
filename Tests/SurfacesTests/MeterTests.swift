import Control
import Handoff
import MatrixCore
import Messages
import OSC
import Surfaces
import Testing

/// What clients are told of meters, with readings that the test leaves on the board.
@Suite struct MeterTests {
  static let in0 = "/matrix/in/0/meter/pre"

  /// Lets time go by while an audio thread answers with the same level everywhere.
  private func play(
    _ desk: Desk, milliseconds: Double, peak: Float, mean: Float = 0, faults: SampleFaults? = nil
  ) {
    var rest = milliseconds
    while rest > 0 {
      desk.advance(milliseconds: 1)
      rest -= 1
      let board = desk.meterBoard
      guard board.isRequested else { continue }
      let state = board.watchState
      for point in MeterPoint.allCases {
        for channel in 0..<(point.isOfInputs ? desk.shape.inputs : desk.shape.outputs) {
          board.leave(point, channel, peak: peak, meanSquare: mean * mean)
        }
      }
      for place in 0..<MeterPoint.maximumCrosspoints {
        let isThere = place < board.crosspointCount(of: state)
        board.leave(
          crosspoint: isThere ? board.wantedCrosspoint(at: place) : GainID(index: -1), at: place,
          peak: peak, meanSquare: mean * mean)
      }
      if let faults { board.leave(faults, ofInput: 0) }
      board.answer(board.points(of: state))
    }
  }

  private func near(_ argument: Argument?, _ value: Double) -> Bool {
    abs((argument?.number ?? .nan) - value) < 0.01
  }

  @Test("A subscription is told peak, average, held peak and counts, at its rate")
  func floats() throws {
    let desk = try Desk(inputs: 2, outputs: 2)
    let x = desk.subscriber(.string("/matrix/master/*"))
    x.send("/meter/subscribe", .string("/matrix/in/0"), .int32(20), .int32(60))
    desk.pass()
    play(desk, milliseconds: 1_000, peak: 0.5, mean: 0.25, faults: SampleFaults(clipped: 3))
    let heard = x.heard().filter { $0.address == Self.in0 }
    #expect((18...21).contains(heard.count))
    let last = try #require(heard.last).arguments
    #expect(last.map(\.tag) == Array("fffiii".utf8))
    #expect(near(last[0], -6.0206) && near(last[1], -12.0412) && near(last[2], -6.0206))
    #expect(last[3] == .int32(3) && last[4] == .int32(0))
  }

  @Test("Nothing is watched for nobody, and only what somebody wants")
  func watched() throws {
    let desk = try Desk(inputs: 2, outputs: 2)
    desk.wait(milliseconds: 200)
    #expect(desk.meterBoard.watchedPoints == [] && !desk.meterBoard.isRequested)
    #expect(desk.reader.nextDeadline == nil)
    let x = desk.tablet()
    x.send("/meter/subscribe", .string("/matrix/in/*"))
    desk.pass()
    #expect(desk.meterBoard.watchedPoints == [.inputPre, .inputPost])
    let y = desk.tablet()
    y.send("/meter/subscribe", .string("/matrix/in/1/out/0"))
    y.send("/meter/subscribe", .string("/matrix/out/1/meter/post"))
    desk.pass()
    #expect(desk.meterBoard.watchedPoints == [.inputPre, .inputPost, .outputPost])
    #expect(desk.meterBoard.crosspointCount(of: desk.meterBoard.watchState) == 1)
    x.send("/meter/unsubscribe")
    y.send("/bye")
    desk.pass()
    #expect(desk.meterBoard.watchedPoints == [])
    #expect(desk.meterBoard.crosspointCount(of: desk.meterBoard.watchState) == 0)
    #expect(desk.reader.nextDeadline == nil)
  }

  @Test("A crosspoint that is watched is told without counts")
  func crosspoint() throws {
    let desk = try Desk(inputs: 2, outputs: 3)
    let x = desk.tablet()
    x.send("/meter/subscribe", .string("/matrix/in/1/out/2"))
    desk.pass()
    play(desk, milliseconds: 100, peak: 1, mean: 0.1)
    let heard = x.heard()
    #expect(heard.allSatisfy { $0.address == "/matrix/in/1/out/2/meter" })
    let last = try #require(heard.last).arguments
    #expect(last.map(\.tag) == Array("fff".utf8))
    #expect(near(last[0], 0) && near(last[1], -20))
  }

  @Test("64 crosspoints are watched in all, and one more is refused")
  func bound() throws {
    let desk = try Desk(inputs: 16, outputs: 16)
    let x = desk.tablet()
    x.send("/meter/subscribe", .string("/matrix/in/{0,1,2,3}/out/*"))
    desk.pass()
    #expect(x.heard().isEmpty)
    let y = desk.tablet()
    y.send("/meter/subscribe", .string("/matrix/in/0/out/*"))
    desk.pass()
    #expect(y.heard().isEmpty)
    y.send("/meter/subscribe", .string("/matrix/in/9/out/9"))
    desk.pass()
    let refusal = try #require(y.heard().first)
    #expect(refusal.address == "/error" && refusal.arguments[1] == .string("size"))
    #expect(desk.meterBoard.crosspointCount(of: desk.meterBoard.watchState) == 64)
  }

  @Test("32 clients are told of meters, the next is refused, and those are told as before")
  func clients() throws {
    let desk = try Desk(inputs: 2, outputs: 2)
    let crowd = (0..<33).map { desk.tablet(machine: 1 + UInt32($0) / 17) }
    for client in crowd { client.send("/meter/subscribe", .string("/matrix/in/0"), .int32(50)) }
    desk.pass()
    let refused = crowd.filter { $0.heard().contains { $0.address == "/error" } }
    #expect(refused.count == 1)
    #expect(desk.count("meter_clients") == 32)
    play(desk, milliseconds: 100, peak: 0.5)
    for client in crowd.dropLast() {
      #expect(client.heard().contains { $0.address == Self.in0 && near($0.arguments[0], -6.0206) })
    }
    let late = crowd[32]
    #expect(late.heard().isEmpty)
    late.send("/meter/subscribe", .string("/matrix/in/0"))
    desk.pass()
    #expect(
      late.heard().first?.arguments.last
        == .string("32 clients are told of meters already; let one say /meter/unsubscribe"))
    crowd[0].send("/meter/unsubscribe")
    late.send("/meter/subscribe", .string("/matrix/in/0"))
    desk.pass()
    play(desk, milliseconds: 100, peak: 0.5)
    #expect(late.heard().contains { $0.address == Self.in0 })
  }

  @Test("A client has meters of 16 patterns, and the next is refused with a sentence")
  func patterns() throws {
    let desk = try Desk(inputs: 32, outputs: 2)
    let x = desk.tablet()
    for input in 0..<17 { x.send("/meter/subscribe", .string("/matrix/in/\(input)")) }
    desk.pass()
    let heard = x.heard()
    #expect(heard.map(\.address) == ["/error"])
    #expect(
      heard.first?.arguments.last
        == .string("a client has meters of 16 patterns at most; end one first"))
    // One that is there may be asked for again.
    x.send("/meter/subscribe", .string("/matrix/in/3"), .int32(10))
    desk.pass()
    #expect(x.heard().isEmpty)
    play(desk, milliseconds: 200, peak: 0.5)
    let told = Set(x.heard().map(\.address))
    #expect(told.contains("/matrix/in/15/meter/pre") && !told.contains("/matrix/in/16/meter/pre"))
  }

  @Test("A reading of more than 24 datagrams goes on with the next one, and holds up nobody")
  func manyDatagrams() throws {
    let desk = try Desk(inputs: 255, outputs: 255)
    let greedy = desk.tablet()
    let modest = desk.tablet()
    let listener = desk.subscriber()
    greedy.send("/meter/subscribe", .string(""), .int32(50))
    modest.send("/meter/subscribe", .string("/matrix/in/0"), .int32(50))
    desk.pass()
    var told: Set<String> = []
    for round in 1...10 {
      desk.perform("/matrix/in/0/gain", .float(Float(round) / 10))
      play(desk, milliseconds: 20, peak: 0.5)
      told.formUnion(greedy.heard().map(\.address))
    }
    play(desk, milliseconds: 40, peak: 0.5)
    _ = greedy.heard()
    // A reading every 20 ms, and the first at once.
    #expect(greedy.datagrams <= 24 * 13)
    #expect(greedy.largestDatagram <= 1_200)
    #expect(told.count == 4 * 255)
    #expect(modest.heard().filter { $0.address == Self.in0 }.count >= 8)
    #expect(listener.heard().last == Heard("/matrix/in/0/gain", .float(1)))
    #expect(desk.count("lost_meter_datagrams") == 0)
  }

  @Test("Peaks are held for as long as the client says, and a reset ends them for a start anew")
  func hold() throws {
    let desk = try Desk(inputs: 1, outputs: 1)
    let x = desk.tablet()
    x.send("/meter/hold", .float(0.5))
    x.send("/meter/subscribe", .string("/matrix/in/0"), .int32(50))
    desk.pass()
    play(desk, milliseconds: 60, peak: 1, faults: SampleFaults(clipped: 7))
    _ = x.heard()
    play(desk, milliseconds: 300, peak: 0.1)
    let during = try #require(x.heard().last { $0.address == Self.in0 }).arguments
    #expect(near(during[0], -20) && near(during[2], 0) && during[3] == .int32(7))
    play(desk, milliseconds: 400, peak: 0.1)
    let after = try #require(x.heard().last { $0.address == Self.in0 }).arguments
    #expect(near(after[2], -20))
    x.send("/meter/hold", .float(60))
    play(desk, milliseconds: 60, peak: 1)
    play(desk, milliseconds: 200, peak: 0.01)
    let held = try #require(x.heard().last { $0.address == Self.in0 }).arguments
    #expect(near(held[0], -40) && near(held[2], 0))
    x.send("/meter/reset")
    play(desk, milliseconds: 100, peak: 0.01)
    let anew = try #require(x.heard().last { $0.address == Self.in0 }).arguments
    #expect(near(anew[2], -40) && anew[3] == .int32(0))
    x.send("/meter/hold")
    desk.pass()
    #expect(x.heard().last { $0.address == "/meter/hold" } == Heard("/meter/hold", .float(60)))
  }

  @Test("A slow listener loses no peak to a fast one")
  func sharing() throws {
    let desk = try Desk(inputs: 1, outputs: 1)
    let slow = desk.tablet()
    let fast = desk.tablet()
    slow.send("/meter/subscribe", .string("/matrix/in/0"), .int32(1))
    fast.send("/meter/subscribe", .string("/matrix/in/0"), .int32(50))
    desk.pass()
    play(desk, milliseconds: 300, peak: 0.001)
    _ = slow.heard()
    play(desk, milliseconds: 40, peak: 1)
    play(desk, milliseconds: 900, peak: 0.001)
    let peaks = slow.heard().filter { $0.address == Self.in0 }.compactMap(\.number)
    #expect(peaks.contains { abs($0) < 0.01 })
    #expect(fast.heard().filter { $0.address == Self.in0 }.count > 40)
  }

  @Test("Meters end when nobody has renewed them, and any message renews them")
  func lease() throws {
    let desk = try Desk(inputs: 1, outputs: 1)
    let x = desk.tablet()
    x.send("/meter/subscribe", .string(""), .int32(20), .int32(2))
    desk.pass()
    desk.wait(milliseconds: 1_500)
    x.send("/ping")
    desk.wait(milliseconds: 1_500)
    #expect(desk.meterBoard.watchedPoints != [])
    desk.wait(milliseconds: 1_000)
    #expect(desk.meterBoard.watchedPoints == [])
    #expect(desk.count("clients") == 0)
  }

  @Test("Where no sound is running, meters read silence and do not stand still")
  func silence() throws {
    let desk = try Desk(inputs: 1, outputs: 1)
    let x = desk.tablet()
    x.send("/meter/subscribe", .string("/matrix/in/0"))
    desk.pass()
    play(desk, milliseconds: 200, peak: 1)
    _ = x.heard()
    desk.wait(milliseconds: 1_000)
    let last = try #require(x.heard().last { $0.address == Self.in0 }).arguments
    #expect(last[0] == .float(-120) && last[1] == .float(-120))
  }

  @Test("As a blob, everything comes in parts of at most 1,200 bytes")
  func blob() throws {
    let desk = try Desk(inputs: 16, outputs: 16)
    let x = desk.tablet()
    x.send("/meter/format", .string("blob"))
    x.send("/meter/subscribe")
    desk.pass()
    play(desk, milliseconds: 60, peak: 0.5)
    let heard = x.heard()
    #expect(!heard.isEmpty && heard.allSatisfy { $0.address == "/meter/blob" })
    // 64 meters, 35 to a blob.
    #expect(heard.count % 2 == 0)
    #expect(x.largestDatagram <= 1_200)
    x.send("/meter/format", .string("text"))
    desk.pass()
    #expect(x.heard().contains { $0.address == "/error" })
  }

  @Test("A question is answered with what was told last, and refused to who has not subscribed")
  func question() throws {
    let desk = try Desk(inputs: 2, outputs: 1)
    let x = desk.tablet()
    x.send(Self.in0)
    desk.pass()
    #expect(x.heard().first?.address == "/error")
    x.send("/meter/subscribe", .string("/matrix/in/0"), .int32(1))
    desk.pass()
    play(desk, milliseconds: 30, peak: 0.1)
    _ = x.heard()
    x.send(Self.in0)
    desk.pass()
    let answer = try #require(x.heard().first)
    #expect(answer.address == Self.in0 && near(answer.arguments[0], -20))
    x.send("/matrix/in/1/meter/pre")
    desk.pass()
    #expect(x.heard().first?.address == "/error")
  }

  @Test("Patterns of nothing and wrong rates are refused")
  func refusals() throws {
    let desk = try Desk(inputs: 1, outputs: 1)
    let x = desk.tablet()
    x.send("/meter/subscribe", .string("/matrix/in/7"))
    x.send("/meter/subscribe", .string("/matrix/master"))
    x.send("/meter/subscribe", .string(""), .int32(5_000))
    desk.pass()
    #expect(x.heard().map(\.address) == ["/error", "/error", "/error"])
    #expect(desk.meterBoard.watchedPoints == [])
  }
}

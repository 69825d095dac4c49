import Control
import Messages
import OSC
import Testing

/// What clients are told of the engine: a panic, and waiting for a card.
@Suite struct ToldEngineTests {
  private static let address = "/engine/state"

  @Test("A panic and its end are told to everybody, to whoever did it as well, and are no change")
  func panic() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    let y = desk.subscriber(.string(Self.address), .int32(30), .int32(0))
    let z = desk.subscriber(.string("/matrix/*/*/gain"))
    #expect(desk.ask(Self.address) == [.string("running")])
    x.send("/engine/panic")
    desk.wait(milliseconds: 40)
    let panic = [Heard(Self.address, .string("panic"))]
    #expect(x.heard() == panic)
    #expect(y.heard() == panic)
    #expect(desk.ask(Self.address) == [.string("panic")])
    // Once more is nothing new.
    x.send("/engine/panic")
    desk.wait(milliseconds: 40)
    #expect(x.heard().isEmpty)
    desk.perform("/engine/resume")
    desk.wait(milliseconds: 40)
    let running = [Heard(Self.address, .string("running"))]
    #expect(x.heard() == running)
    #expect(y.heard() == running)
    #expect(z.heard().isEmpty)
    #expect(desk.hub.revision == 0)
  }

  @Test("A card that goes and comes is told in the same way")
  func waiting() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    desk.board.setRunning(false)
    desk.wait(milliseconds: 40)
    #expect(x.heard() == [Heard(Self.address, .string("waiting"))])
    #expect(desk.ask("/engine/status").dropFirst().first == .string("waiting"))
    // Without a card a panic counts all the same.
    desk.perform("/engine/panic")
    desk.wait(milliseconds: 40)
    #expect(x.heard() == [Heard(Self.address, .string("panic"))])
    desk.board.setRunning(true)
    desk.wait(milliseconds: 40)
    #expect(x.heard().isEmpty)
    desk.perform("/engine/resume")
    desk.wait(milliseconds: 40)
    #expect(x.heard() == [Heard(Self.address, .string("running"))])
  }

  @Test("A sync of everything says what the engine does, and so does one of its address")
  func sync() throws {
    let desk = try Desk(inputs: 3, outputs: 2)
    desk.perform("/engine/panic")
    let x = desk.tablet()
    for pattern in ["", Self.address, "/engine/*"] {
      x.send("/sync", .string(pattern))
      desk.wait(milliseconds: 200)
      #expect(x.heard().count { $0 == Heard(Self.address, .string("panic")) } == 1)
    }
  }

  @Test("What is told and cannot be set may come back without harm to its bundle")
  func toldBack() throws {
    let desk = try Desk()
    let x = desk.tablet()
    desk.perform("/scene/store", .int32(3), .string("verse"))
    x.send(bundle: [
      Heard(Self.address, .string("panic")),
      Heard("/scene/current", .int32(3), .string("verse"), .int32(0)),
      Heard("/scene/3", .string("verse"), .int32(3)), Heard("/matrix/in/0/gain", .float(0.5)),
    ])
    desk.wait(milliseconds: 40)
    #expect(x.heard().isEmpty)
    #expect(desk.ask("/matrix/in/0/gain") == [.float(0.5)])
    #expect(desk.ask(Self.address) == [.string("running")])
    #expect(desk.hub.counters.ignoredAnswers == 3)
    // What was never told so is a mistake.
    for (address, argument) in [
      (Self.address, Argument.int32(1)), ("/scene/3", .int32(1)), ("/scene/current", .int32(3)),
    ] {
      x.send(address, argument)
      desk.wait(milliseconds: 40)
      #expect(
        x.heard() == [
          Heard(
            "/error", .string(address), .string("count"),
            .string("this can only be asked: no arguments"))
        ])
    }
  }
}

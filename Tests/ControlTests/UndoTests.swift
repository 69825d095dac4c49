import Control
import MatrixCore
import Messages
import Testing

@Suite("Undo and redo")
struct UndoTests {
  private func gain(_ rig: Rig, _ input: Int) -> Double {
    rig.hub.level(of: rig.shape.input(input))
  }

  /// Sweeps an input's gain downward in steps of 0.1, one every 50 ms.
  private func sweep(_ rig: Rig, _ input: Int, from source: Source = .client(1)) {
    for step in 1...5 {
      rig.send("/matrix/in/\(input)/gain", .double(1 - Double(step) / 10), from: source)
      rig.advance(seconds: 0.05)
    }
  }

  @Test("One undo takes back a sweep, and a pause of a second begins another one")
  func sweeps() throws {
    let rig = try Rig()
    sweep(rig, 0)
    rig.advance(seconds: 0.9)
    rig.send("/matrix/in/0/gain", .float(0.3))
    rig.advance(seconds: 1)
    rig.send("/matrix/in/0/gain", .float(0.2))
    #expect(rig.hub.undoCounts == (2, 0))
    rig.send("/undo")
    #expect(gain(rig, 0) == Double(Float(0.3)))
    rig.send("/undo")
    #expect(gain(rig, 0) == 1)
    rig.send("/undo")
    #expect(rig.errorText() == "undo: there is nothing to take back")
    rig.send("/redo")
    #expect(gain(rig, 0) == Double(Float(0.3)))
    rig.send("/redo")
    #expect(gain(rig, 0) == Double(Float(0.2)))
    rig.send("/redo")
    #expect(rig.errorText() == "undo: there is nothing to bring back")
  }

  @Test("Two hands at the same time are two gestures, the one that moved last first")
  func twoHands() throws {
    let rig = try Rig()
    for step in 1...5 {
      rig.send("/matrix/in/0/gain", .double(1 - Double(step) / 10), from: .client(1))
      rig.send("/matrix/in/1/gain", .double(1 - Double(step) / 20), from: .device(0))
      rig.advance(seconds: 0.05)
    }
    rig.send("/matrix/in/0/gain", .double(0.4), from: .client(1))
    rig.send("/undo", from: .client(7))
    #expect(gain(rig, 0) == 1)
    #expect(gain(rig, 1) == 0.75)
    rig.send("/undo", from: .client(7))
    #expect(gain(rig, 1) == 1)
    rig.send("/redo")
    rig.send("/redo")
    #expect(gain(rig, 0) == 0.4)
    #expect(gain(rig, 1) == 0.75)
  }

  @Test("Two hands on one fader are taken back one after the other, the way they came")
  func oneFader() throws {
    let rig = try Rig()
    rig.send("/matrix/in/0/gain", .double(0.9), from: .client(1))
    rig.send("/matrix/in/1/gain", .double(0.9), from: .client(1))
    rig.send("/matrix/in/0/gain", .double(0.8), from: .client(2))
    rig.send("/matrix/in/0/gain", .double(0.7), from: .client(1))
    rig.send("/matrix/in/1/gain", .double(0.7), from: .client(1))
    rig.send("/undo")
    #expect(gain(rig, 0) == 0.8 && gain(rig, 1) == 0.9)
    rig.send("/undo")
    #expect(gain(rig, 0) == 0.9 && gain(rig, 1) == 0.9)
    rig.send("/undo")
    #expect(gain(rig, 0) == 1 && gain(rig, 1) == 1)
  }

  @Test("A bundle, a clear, an identity and a recall are taken back whole and by themselves")
  func wholes() throws {
    let rig = try Rig(inputs: 6, outputs: 6)
    rig.scatter(seed: 8)
    rig.send("/scene/store", .string("verse"))
    rig.hub.forgetHistory()
    rig.advance(seconds: 5)
    var states = [rig.everything()]
    func step(_ address: String, _ arguments: Argument...) {
      rig.bundle([(address, arguments)])
      states.append(rig.everything())
    }
    step("/matrix/in/0/gain", .float(0.5))
    step("/matrix/clear")
    step("/matrix/identity", .float(100))
    step("/scene/recall", .string("verse"))
    step("/matrix/all", .float(0.1), .float(0.2))
    step("/matrix/clear")
    #expect(rig.hub.undoCounts.undo == 6)
    for state in states.dropLast().reversed() {
      rig.send("/undo")
      #expect(rig.everything() == state)
    }
    for state in states.dropFirst() {
      rig.send("/redo")
      #expect(rig.everything() == state)
    }
    #expect(rig.replies().isEmpty)
  }

  @Test("A bundle with a clear in it is one gesture from its first message to its last")
  func mixedBundle() throws {
    let rig = try Rig()
    rig.send("/matrix/in/0/out/0", .float(1))
    rig.bundle([
      ("/matrix/in/0/gain", [.float(0.5)]), ("/matrix/clear", []),
      ("/matrix/in/1/out/1", [.float(1)]),
    ])
    rig.send("/undo")
    #expect(rig.sounding() == [[0, 0]])
    #expect(gain(rig, 0) == 1)
  }

  @Test("Undo is one transaction on one frame, over a duration if one is given")
  func transaction() throws {
    let rig = try Rig()
    rig.bundle([("/matrix/in/*/out/*", [.float(0.5)]), ("/matrix/in/3/mute", [.int32(1)])])
    _ = rig.commands()
    rig.send("/undo", .float(500))
    let commands = rig.commands()
    #expect(commands.count == 257)
    #expect(Set(commands.map(\.frame)).count == 1)
    #expect(commands.filter(\.endsTransaction).count == 1)
    #expect(commands.filter { $0.fade.durationFrames == 24_000 }.count == 256)
    #expect(rig.hub.factor(of: rig.shape.input(3)) == 1)
  }

  @Test("Undo takes back mute, phase and solosafe, and leaves solo, dim and names alone")
  func switches() throws {
    let rig = try Rig()
    for word in ["mute", "phase", "solosafe", "solo"] {
      rig.send("/matrix/in/2/\(word)", .int32(1))
    }
    rig.send("/matrix/master/dim", .int32(1))
    rig.send("/matrix/in/2/name", .string("vox"))
    rig.send("/undo")
    #expect(["mute", "phase", "solosafe"].map { rig.read("/matrix/in/2/\($0)") } == [0, 0, 0])
    #expect(rig.read("/matrix/in/2/solo") == 1)
    #expect(rig.read("/matrix/master/dim") == 1)
    rig.send("/undo")
    #expect(rig.errorCode() == "undo")
    rig.send("/redo")
    #expect(["mute", "phase", "solosafe"].map { rig.read("/matrix/in/2/\($0)") } == [1, 1, 1])
  }

  @Test("What changes nothing is no gesture, and what ends where it began is passed over")
  func nothing() throws {
    let rig = try Rig()
    rig.send("/matrix/in/0/gain", .float(0.5))
    rig.advance(seconds: 2)
    rig.send("/matrix/in/0/gain", .float(0.5))
    rig.send("/matrix/in/0/mute", .int32(0))
    #expect(rig.hub.undoCounts == (1, 0))
    rig.send("/matrix/in/0/gain", .float(0.6))
    rig.send("/matrix/in/0/gain", .float(0.5))
    rig.send("/undo")
    #expect(gain(rig, 0) == 1)
  }

  @Test("A level on its way comes back to where it was going before")
  func fades() throws {
    let rig = try Rig()
    rig.send("/matrix/in/0/gain", .float(0.5), .float(10_000))
    rig.advance(seconds: 3)
    rig.send("/matrix/in/0/stop")
    let stopped = gain(rig, 0)
    #expect(stopped > 0.5 && stopped < 1)
    rig.send("/undo")
    #expect(rig.read("/matrix/in/0/now") == 0.5)
    rig.send("/redo", .float(1_000))
    #expect(gain(rig, 0) == stopped)
    #expect(rig.read("/matrix/in/0/now") == 0.5)
  }

  @Test("Letting go ends a gesture at once, and so does leaving")
  func letGo() throws {
    let rig = try Rig()
    for value in [0.9, 0.8] {
      rig.send("/matrix/in/0/touch", .int32(1))
      rig.send("/matrix/in/1/touch", .int32(1))
      rig.send("/matrix/in/0/gain", .double(value))
      rig.send("/matrix/in/1/touch", .int32(0))
      rig.send("/matrix/in/0/gain", .double(value - 0.05))
      rig.send("/matrix/in/0/touch", .int32(0))
    }
    #expect(rig.hub.undoCounts == (2, 0))
    rig.send("/matrix/in/0/gain", .double(0.5))
    rig.hub.forget(.client(1))
    rig.send("/matrix/in/0/gain", .double(0.4))
    #expect(rig.hub.undoCounts == (4, 0))
    rig.send("/undo")
    rig.send("/undo")
    rig.send("/undo")
    #expect(gain(rig, 0) == 0.85)
  }

  @Test("A new change forgets what could be brought back")
  func redoEnds() throws {
    let rig = try Rig()
    sweep(rig, 0)
    rig.send("/undo")
    rig.send("/matrix/in/1/gain", .float(0.5))
    rig.send("/redo")
    #expect(rig.errorCode() == "undo")
    #expect(gain(rig, 0) == 1)
    // Solo is no change of the mix.
    rig.send("/undo")
    rig.send("/matrix/in/1/solo", .int32(1))
    rig.send("/redo")
    #expect(gain(rig, 1) == 0.5)
  }

  @Test("Taking back a recall brings back which scene was current, and whether it was dirty")
  func currentScene() throws {
    let rig = try Rig()
    rig.send("/scene/store", .int32(1))
    rig.send("/matrix/in/0/gain", .float(0.5))
    rig.send("/scene/store", .int32(2))
    rig.send("/matrix/in/0/gain", .float(0.7))
    rig.send("/scene/recall", .int32(1))
    #expect(rig.ask("/scene/current") == [.int32(1), .string(""), .int32(0)])
    rig.send("/undo")
    #expect(rig.ask("/scene/current") == [.int32(2), .string(""), .int32(1)])
    rig.send("/redo")
    #expect(rig.ask("/scene/current") == [.int32(1), .string(""), .int32(0)])
    rig.send("/undo")
    rig.send("/scene/delete", .int32(1))
    rig.send("/redo")
    #expect(rig.ask("/scene/current")?.first == .int32(-1))
  }

  @Test("Undo reaches 200 gestures back")
  func steps() throws {
    let rig = try Rig()
    for number in 1...250 {
      rig.send("/matrix/in/0/gain", .double(Double(number) / 1_000))
      rig.advance(seconds: 1)
    }
    #expect(rig.hub.undoCounts == (200, 0))
    for _ in 0..<200 { rig.send("/undo") }
    #expect(rig.replies().isEmpty)
    #expect(gain(rig, 0) == 0.05)
    rig.send("/undo")
    #expect(rig.errorCode() == "undo")
    for _ in 0..<200 { rig.send("/redo") }
    #expect(gain(rig, 0) == 0.25)
  }

  @Test("However large gestures are, only so many gains are remembered, the latest")
  func entries() throws {
    let rig = try Rig(inputs: 256, outputs: 256)
    for number in 1...20 {
      rig.send(
        "/matrix/in/*/out/*", .double(Double(number) / 100), from: .client(number))
      _ = rig.commands()
    }
    #expect(rig.hub.undoCounts == (8, 0))
    for _ in 0..<8 { rig.send("/undo") }
    #expect(rig.level(255, 255) == 0.12)
    #expect(rig.replies().isEmpty)
  }

  @Test("Many hands at once are remembered like any others")
  func manyHands() throws {
    let rig = try Rig()
    for hand in 0..<300 {
      let input = hand % 16
      let output = hand / 16 % 16
      rig.send(
        "/matrix/in/\(input)/out/\(output)", .double(Double(hand + 1) / 1_000), from: .client(hand))
    }
    #expect(rig.hub.undoCounts == (200, 0))
    for hand in stride(from: 299, to: 99, by: -1) {
      rig.send("/undo")
      let before = hand >= 256 ? Double(hand - 255) / 1_000 : 0
      #expect(rig.level(hand % 16, hand / 16 % 16) == before)
    }
  }
}

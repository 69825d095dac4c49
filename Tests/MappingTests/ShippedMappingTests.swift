import Control
import Mapping
import Messages
import Router
import Testing
import TextLines

/// What the makers' documents say that a control sends, and what it has to do.
private struct Documented {
  /// What a control does.
  enum Effect {
    /// Its positions are those of a fader, and it picks up.
    case fader(String)
    /// Each press turns a switch over.
    case toggle(String)
    /// A press is like a message.
    case press(String, [Argument])
  }

  /// The number of the controller that it sends.
  var controller: UInt8
  var effect: Effect
}

@Suite("Ready-made mappings, by the bytes that the makers document")
struct ShippedMappingTests {
  private static let nanoKONTROL2: [Documented] =
    row(0, 8) { .fader("/matrix/in/\($0)") }
    + row(16, 8) { .fader("/matrix/in/\($0)/out/0") }
    + row(32, 8) { .toggle("/matrix/in/\($0)/solo") }
    + row(48, 8) { .toggle("/matrix/in/\($0)/mute") }
    + row(64, 8) { .toggle("/matrix/in/\($0)/out/0/mute") }
    + row(45, 1) { _ in .toggle("/matrix/master/mute") }
    + row(46, 1) { _ in .toggle("/matrix/master/dim") }
    + row(43, 1) { _ in .press("/matrix/master/nudge", [.int32(-1)]) }
    + row(44, 1) { _ in .press("/matrix/master/nudge", [.int32(1)]) }
    + row(60, 1) { _ in .press("/matrix/solo/clear", []) }
  private static let sixteenN: [Documented] = row(32, 16) { .fader("/matrix/in/\($0)") }
  private static let generic8: [Documented] =
    row(1, 8) { .fader("/matrix/in/\($0)") } + row(9, 1) { _ in .fader("/matrix/master") }

  /// Controls whose controllers follow each other.
  private static func row(
    _ first: UInt8, _ count: Int, _ effect: (Int) -> Documented.Effect
  ) -> [Documented] {
    (0..<count).map { Documented(controller: first + UInt8($0), effect: effect($0)) }
  }

  /// A mapping of the project's own folder.
  private func mapping(_ name: String) throws -> Mapping {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    let path = root.joined(separator: "/") + "/mappings/\(name).map"
    return try Mapping(try CommandLineFiles.read(path), file: "\(name).map")
  }

  private func rig(_ name: String, inputs: Int = 16, outputs: Int = 2) throws -> PortRig {
    let rig = try PortRig([], inputs: inputs, outputs: outputs)
    rig.connect(try mapping(name))
    return rig
  }

  /// What every control of a box does, from its lowest to its highest and in between.
  private func check(_ controls: [Documented], of name: String) throws {
    for channel in UInt8(0)...15 {
      let rig = try rig(name)
      for control in controls {
        let label: Comment = "\(name), channel \(channel + 1), controller \(control.controller)"
        func move(_ positions: Int...) {
          for position in positions {
            rig.send([0xB0 | channel, control.controller, UInt8(position)])
          }
        }
        switch control.effect {
        case .fader(let stem):
          func expect(_ level: Double, _ sourceLocation: SourceLocation = #_sourceLocation) {
            let reading = rig.read(stem + "/gain")
            #expect(reading == Float(level), label, sourceLocation: sourceLocation)
          }
          // Nothing jumps: crosspoints start at off, the others at unity.
          let before = Double(try #require(rig.read(stem + "/gain")))
          move(20)
          expect(before)
          move(before == 0 ? 5 : 80)
          expect(before)
          move(0, 127)
          expect(Level.maximum)
          move(64)
          expect(Taper.x32.gain(atPosition: 64.0 / 127))
          move(95)
          expect(1)
          move(96)
          expect(1)
          move(0)
          expect(0)
          move(127)
          expect(Level.maximum)
          move(96)
        case .toggle(let address):
          for isOn in [true, false, true, false] {
            move(127)
            #expect(rig.isOn(address) == isOn, label)
            move(0)
            #expect(rig.isOn(address) == isOn, label)
          }
        case .press(let address, let arguments):
          rig.osc("/matrix/in/3/solo", .int32(1))
          rig.osc("/matrix/master/db", .int32(-3))
          rig.osc(address, arguments: arguments)
          let expected = [rig.read("/matrix/master/db"), rig.read("/matrix/in/3/solo")]
          rig.osc("/matrix/in/3/solo", .int32(1))
          rig.osc("/matrix/master/db", .int32(-3))
          move(127)
          #expect(
            [rig.read("/matrix/master/db"), rig.read("/matrix/in/3/solo")] == expected, label)
          move(0)
          #expect(
            [rig.read("/matrix/master/db"), rig.read("/matrix/in/3/solo")] == expected, label)
          rig.osc("/matrix/solo/clear")
        }
      }
      #expect(rig.unheard == 0)
      #expect(rig.refusals().isEmpty)
    }
  }

  @Test("Korg nanoKONTROL2: sliders, knobs, S, M, R and the keys of the tape machine")
  func korg() throws {
    try check(Self.nanoKONTROL2, of: "nanokontrol2")
    let rig = try rig("nanokontrol2")
    // STOP and PLAY.
    rig.send([0xB0, 42, 127, 42, 0])
    #expect(rig.board.isPanicking)
    rig.send([0xB0, 41, 127, 41, 0])
    #expect(!rig.board.isPanicking)
    // TRACK and MARKER arrows are free.
    rig.send([0xB0, 58, 127, 59, 127, 61, 127, 62, 127])
    #expect(rig.unheard == 4)
  }

  @Test("16n: sixteen faders")
  func sixteenN() throws {
    try check(Self.sixteenN, of: "16n")
  }

  @Test("Any box of eight: controllers 1 to 8, and 9 for the master")
  func generic() throws {
    try check(Self.generic8, of: "generic-8")
  }

  @Test("Sliders and S buttons 32 apart are not taken for halves of finer ones")
  func noPairs() throws {
    let rig = try rig("nanokontrol2")
    rig.send([0xB0, 0, 0, 0, 127, 32, 127, 0, 64, 32, 0])
    #expect(rig.input(0) == Taper.x32.gain(atPosition: 64.0 / 127))
    #expect(rig.isOn("/matrix/in/0/solo"))
  }

  @Test("On a matrix of two a box moves what there is")
  func small() throws {
    for (name, absent) in [("nanokontrol2", 30), ("16n", 14), ("generic-8", 6)] {
      let rig = try rig(name, inputs: 2)
      #expect(rig.ports.map(\.absentLines).reduce(0, +) == absent)
    }
    let rig = try rig("nanokontrol2", inputs: 2)
    rig.send([0xB0, 1, 0, 1, 127, 7, 127])
    #expect(rig.input(1) == Level.maximum)
    #expect(rig.unheard == 1)
  }

  @Test("Each is for the device whose name it bears")
  func names() throws {
    func matches(_ name: String, _ client: String) throws -> Bool {
      try mapping(name).sections.allSatisfy { $0.device.matches(writtenClient: client) }
    }
    #expect(try matches("nanokontrol2", "nanoKONTROL2"))
    #expect(try !matches("nanokontrol2", "nanoPAD2"))
    #expect(try matches("16n", "16n"))
    #expect(try !matches("16n", "nanoKONTROL2"))
    #expect(try matches("generic-8", "anything"))
  }
}

import Control
import MatrixCore
import Messages
import Testing

@Suite struct LevelTests {
  private let crosspoint = "/matrix/in/0/out/1"

  @Test(
    "Reading and writing back changes nothing, on every face and with every taper",
    arguments: Taper.allCases)
  func writeBack(taper: Taper) throws {
    let rig = try Rig(taper: taper)
    var random = SeededRandom(seed: 7)
    let special = [
      0, 1, Level.maximum, 1e-30, 1e-6, 1e-7, 3.16e-5, Level.maximum.nextDown, 1.0.nextUp,
      1.0.nextDown, 0.5, 1.2e-38,
    ]
    let levels =
      special + (0..<500).map { _ in Double.random(in: 0...Level.maximum, using: &random) }
      + (0..<500).map { _ in Double.random(in: 0...1e-4, using: &random) }
    for level in levels {
      rig.send(crosspoint, .double(level))
      _ = rig.commands()
      let before = rig.level(0, 1)
      let revision = rig.hub.revision
      for face in ["", "/gain", "/db", "/fader"] {
        let reading = try #require(rig.read(crosspoint + face))
        rig.send(crosspoint + face, .float(reading))
        rig.send(crosspoint + face, .float(reading), .float(100))
        #expect(rig.replies().isEmpty)
        #expect(rig.level(0, 1) == before, "\(level) on \(face) of \(taper)")
      }
      #expect(rig.hub.revision == revision)
      #expect(rig.commands().isEmpty)
    }
  }

  @Test("The lowest number of every face switches off, however low the level was before")
  func lowest() throws {
    for taper in Taper.allCases {
      let rig = try Rig(taper: taper)
      for level in [1e-6, 1e-7, 1e-30, 1.2e-38, 0.5, Level.maximum] {
        for (face, off) in [("/gain", Float(0)), ("/db", -120), ("/db", -200), ("/fader", 0)] {
          rig.send(crosspoint, .double(level))
          #expect(try #require(rig.read(crosspoint + face)) > max(off, -120))
          rig.send(crosspoint + face, .float(off))
          #expect(rig.level(0, 1) == 0)
          #expect(rig.read(crosspoint + "/db") == -120)
        }
      }
      #expect(rig.replies().isEmpty)
    }
  }

  @Test("The three faces show one level, in Apple's four stages")
  func faces() throws {
    let rig = try Rig()
    for stem in ["/matrix/in/3/out/4", "/matrix/in/3", "/matrix/out/3", "/matrix/master"] {
      rig.send(stem + "/db", .float(-10))
      #expect(rig.read(stem + "/fader") == 0.5)
      #expect(abs(try #require(rig.read(stem + "/gain")) - 0.316_227_77) < 1e-7)
      rig.send(stem + "/fader", .float(0.75))
      #expect(rig.read(stem + "/gain") == 1)
      #expect(rig.read(stem + "/db") == 0)
      rig.send(stem + "/fader", .float(1))
      #expect(rig.read(stem + "/db") == 10)
      #expect(rig.read(stem + "/now") == Float(Level.maximum))
    }
    let gains = rig.commands().map(\.gain)
    #expect(
      gains == [
        rig.shape.crosspoint(input: 3, output: 4), rig.shape.input(3), rig.shape.output(3),
        rig.shape.master,
      ])
  }

  @Test("GD-10: crosspoints start off, everything else at unity")
  func start() throws {
    let rig = try Rig(inputs: 3, outputs: 2)
    #expect(rig.sounding().isEmpty)
    #expect(
      rig.ask("/matrix/levels")
        == [0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1].map { Argument.float($0) })
    #expect(rig.commands().isEmpty)
  }

  @Test("GD-07: below zero is off, above the top is the top, and the sender hears what was taken")
  func clamps() throws {
    let rig = try Rig()
    let top = Float(Level.maximum)
    for (address, sent, taken) in [
      (crosspoint, Float(-0.5), Float(0)), (crosspoint + "/gain", -1e9, 0),
      ("/matrix/master/gain", -1, 0), (crosspoint, 12.6, top), (crosspoint, 3.2, top),
      (crosspoint + "/fader", -0.1, 0), (crosspoint + "/fader", 1.01, 1),
      (crosspoint + "/fader", 4, 1), (crosspoint + "/db", 10.1, 10), (crosspoint + "/db", 40, 10),
      ("/matrix/in/2/fader", 2, 1),
    ] {
      rig.send(address, .float(sent))
      #expect(
        rig.replies()
          == [Reply(source: .client(1), address: address, arguments: [.float(taken)])],
        "\(address) \(sent)")
      #expect(rig.read(address) == taken)
    }
    #expect(rig.hub.counters.clamped == 11)
  }

  @Test("A value that was only rounded is never corrected")
  func rounding() throws {
    let rig = try Rig()
    let top = Float(Level.maximum)
    for argument in [
      Argument.double(0.1), .double(Level.maximum), .float(top), .double(Double(top)),
      .double(1e-50), .float(-0.0),
    ] {
      rig.send(crosspoint, argument)
    }
    rig.send(crosspoint + "/db", .float(-121))
    rig.send(crosspoint + "/db", .double(10.000_000_01))
    #expect(rig.replies().isEmpty)
    #expect(rig.level(0, 1) == Level.maximum)
  }

  @Test("A number in a wrong unit is refused, naming what the face takes")
  func wrongUnit() throws {
    let rig = try Rig()
    rig.send(crosspoint, .float(0.5))
    for (face, value) in [
      ("", 12.7), ("/gain", 100), ("/gain", 127), ("", 1e9), ("/fader", 4.1), ("/fader", 64),
      ("/db", 40.1), ("/db", 127), ("/nudge", 41), ("", 1e300),
    ] {
      rig.send(crosspoint + face, .double(value))
      #expect(rig.errorCode() == "range", "\(face) \(value)")
    }
    #expect(rig.level(0, 1) == 0.5)
    rig.send(crosspoint + "/fader", .int32(100))
    guard case .string(let text) = rig.replies()[0].arguments[2] else {
      Issue.record("a text is expected")
      return
    }
    #expect(text.contains("a position from 0 to 1"))
  }

  @Test("After a wrong unit, what the same client raised above unity falls to unity")
  func wrongUnitFalls() throws {
    let rig = try Rig()
    rig.send(crosspoint, .float(3), from: .client(1))
    rig.send("/matrix/in/4/out/4", .float(2), from: .client(1))
    rig.send(crosspoint, .float(50), from: .client(2))
    #expect(rig.level(0, 1) == 3)
    rig.send(crosspoint, .float(50), from: .client(1))
    #expect(rig.level(0, 1) == 1)
    #expect(rig.level(4, 4) == 2)
    #expect(rig.hub.counters.loweredToUnity == 1)
    // Who only lowered it did not raise it.
    rig.send(crosspoint, .float(3), from: .client(1))
    rig.send(crosspoint, .float(2), from: .client(2))
    rig.send(crosspoint, .float(50), from: .client(2))
    #expect(rig.level(0, 1) == 2)
    // All that a pattern meant falls; a level at or below unity stays.
    rig.send("/matrix/in/0/out/2", .float(0.5), from: .client(1))
    rig.send("/matrix/in/0/out/3", .float(2), from: .client(1))
    rig.send("/matrix/in/0/out/*", .float(50), from: .client(1))
    #expect([rig.level(0, 1), rig.level(0, 2), rig.level(0, 3)] == [1, 0.5, 1])
    #expect(rig.commands().last?.fade.end == 1)
  }

  @Test("A wrong unit in a bundle refuses all of it")
  func wrongUnitInBundle() throws {
    let rig = try Rig()
    rig.bundle([(crosspoint, [.float(0.5)]), ("/matrix/row/2", [.float(0.1), .float(90)])])
    #expect(rig.errorCode() == "range")
    #expect(rig.sounding().isEmpty)
  }

  @Test("A row that was clamped is corrected once, with as many values as were sent")
  func rowCorrection() throws {
    let rig = try Rig()
    rig.send("/matrix/row/2", .float(0.5), .float(5), .float(-1))
    #expect(
      rig.replies()
        == [
          Reply(
            source: .client(1), address: "/matrix/row/2",
            arguments: [.float(0.5), .float(Float(Level.maximum)), .float(0)])
        ])
    rig.send("/matrix/set", .int32(1), .int32(2), .float(5), .int32(1), .int32(3), .float(0.5))
    #expect(
      rig.replies()
        == [
          Reply(
            source: .client(1), address: "/matrix/set",
            arguments: [.int32(1), .int32(2), .float(Float(Level.maximum))])
        ])
  }
}

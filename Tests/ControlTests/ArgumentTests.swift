import Control
import MatrixCore
import Messages
import Testing

@Suite("Argument types")
struct ArgumentTests {
  private let crosspoint = "/matrix/in/0/out/1"

  @Test(
    "OT-01, OT-02, OT-03, OT-04: every numeric type means the same number",
    arguments: [
      (Argument.int32(1), 1), (.int32(0), 0), (.int64(1), 1), (.int64(0), 0), (.float(1), 1),
      (.float(0), 0), (.float(-0.0), 0), (.double(0.5), 0.5), (.double(0), 0), (.bool(true), 1),
      (.bool(false), 0), (.int32(3), 3), (.float(0.25), 0.25), (.double(-0.0), 0),
    ] as [(Argument, Float)])
  func numbers(argument: Argument, value: Float) throws {
    let rig = try Rig()
    rig.send(crosspoint, .float(0.75))
    rig.send(crosspoint, argument)
    #expect(rig.replies().isEmpty)
    #expect(rig.read(crosspoint) == value)
    #expect(rig.level(0, 1).sign == .plus)
    let commands = rig.commands()
    #expect(commands.count == 1)
    #expect(commands[0].fade.end == Double(value))
    #expect(commands[0].gain == rig.shape.crosspoint(input: 0, output: 1))
  }

  @Test("OT-02: a number too small for 32 bits is off, and zero after it is exactly off")
  func tiny() throws {
    let rig = try Rig()
    for tiny in [Argument.double(1e-300), .float(Float(bitPattern: 1)), .double(1e-40)] {
      rig.send(crosspoint, .float(0.5))
      rig.send(crosspoint, tiny)
      #expect(rig.level(0, 1) == 0)
      rig.send(crosspoint, .int32(0))
      #expect(rig.level(0, 1) == 0)
    }
    #expect(rig.replies().isEmpty)
  }

  @Test("OT-04: T and F are on and off for every switch, and so are numbers from a half on")
  func switches() throws {
    let rig = try Rig()
    let addresses = [
      "/matrix/in/0/mute", "/matrix/in/0/solo", "/matrix/in/0/solosafe", "/matrix/in/0/phase",
      "/matrix/out/3/mute", "/matrix/out/3/dim", "/matrix/out/3/phase", "/matrix/master/mute",
      "/matrix/master/dim", "/matrix/in/2/out/3/mute", "/matrix/in/2/out/3/phase",
    ]
    let on: [Argument] = [.bool(true), .int32(1), .float(0.5), .double(127), .int64(2)]
    let off: [Argument] = [.bool(false), .int32(0), .float(0.49), .double(-1), .int64(0)]
    for address in addresses {
      for (on, off) in zip(on, off) {
        #expect(rig.read(address) == 0)
        rig.send(address, on)
        #expect(rig.read(address) == 1)
        rig.send(address, off)
        #expect(rig.read(address) == 0)
      }
    }
  }

  @Test("OT-06: a row takes all of its values, and fewer leave the rest alone")
  func row() throws {
    let rig = try Rig()
    rig.send("/matrix/row/0", .float(0.25), .float(0.5), .float(0.75))
    #expect(rig.replies().isEmpty)
    #expect([rig.level(0, 0), rig.level(0, 1), rig.level(0, 2)] == [0.25, 0.5, 0.75])
    rig.send("/matrix/row/0", .int32(1))
    #expect([rig.level(0, 0), rig.level(0, 1), rig.level(0, 2)] == [1, 0.5, 0.75])
    rig.send("/matrix/col/2", .bool(true), .double(0.5))
    #expect([rig.level(0, 2), rig.level(1, 2), rig.level(2, 2)] == [1, 0.5, 0])
    #expect(rig.commands().map(\.gain.index).sorted() == [0, 1, 2, 18])
  }

  @Test("OT-06: a row or a column with more values than it has is refused whole")
  func rowTooLong() throws {
    let rig = try Rig(inputs: 2, outputs: 3)
    rig.send("/matrix/row/0", .float(0.1), .float(0.1), .float(0.1), .float(0.1))
    #expect(rig.errorCode() == "count")
    rig.send("/matrix/col/0", .float(0.1), .float(0.1), .float(0.1))
    #expect(rig.errorCode() == "count")
    rig.send("/matrix/all", .float(0.1), .string("x"))
    #expect(rig.errorCode() == "type")
    #expect(rig.sounding().isEmpty)
    #expect(rig.commands().isEmpty)
  }

  @Test("OT-07: a second number is a duration, a third argument a curve, and no more is taken")
  func extraArguments() throws {
    let rig = try Rig()
    rig.send(crosspoint, .float(0.1), .float(1_000))
    var command = try #require(rig.commands().first)
    #expect(command.fade.durationFrames == 48_000)
    #expect(command.fade.curve == .decibels)
    #expect(command.fade.start == 0)
    #expect(command.fade.end == Double(Float(0.1)))
    rig.send(crosspoint, .int32(1), .int32(500), .string("s"))
    command = try #require(rig.commands().first)
    #expect(command.fade.durationFrames == 24_000)
    #expect(command.fade.curve == .smooth)
    for (extra, code): ([Argument], String) in [
      ([.float(0.3), .float(1), .string("db"), .int32(0)], "count"),
      ([.float(0.3), .string("db")], "type"), ([.float(0.3), .float(1), .float(1)], "type"),
      ([.float(0.3), .float(1), .string("cos")], "value"), ([.null], "type"),
      ([.impulse], "type"), ([.other(UInt8(ascii: "b"))], "type"),
      ([.float(0.3), .float(.nan)], "nan"), ([.float(0.3), .float(.infinity)], "nan"),
    ] {
      var batch = MessageBatch()
      batch.append(address: crosspoint, arguments: extra)
      rig.perform(batch)
      #expect(rig.errorCode() == code)
    }
    #expect(rig.level(0, 1) == 1)
    #expect(rig.commands().isEmpty)
  }

  @Test(
    "OT-08: a text is no number",
    arguments: ["0.5", "0,5", "nan", "1e400", "", "inf", "1"])
  func texts(text: String) throws {
    let rig = try Rig()
    rig.send(crosspoint, .string(text))
    #expect(rig.errorCode() == "type")
    rig.send("/matrix/in/0/mute", .string(text))
    #expect(rig.errorCode() == "type")
    #expect(rig.sounding().isEmpty)
  }

  @Test("OT-09: triples take indices of any numeric type")
  func triples() throws {
    let rig = try Rig()
    rig.send("/matrix/set", .int32(0), .int32(1), .float(0.5))
    #expect(rig.level(0, 1) == 0.5)
    rig.send("/matrix/set", .int32(0), .int32(1), .int32(1))
    #expect(rig.level(0, 1) == 1)
    rig.send("/matrix/set", .float(0), .float(1), .float(0.5), .int64(2), .double(3), .bool(true))
    #expect(rig.level(0, 1) == 0.5)
    #expect(rig.level(2, 3) == 1)
    #expect(rig.replies().isEmpty)
    for (arguments, code): ([Argument], String) in [
      ([.int32(0), .int32(1)], "count"), ([], "count"),
      ([.int32(16), .int32(1), .float(0)], "index"), ([.int32(-1), .int32(1), .float(0)], "index"),
      ([.float(0.5), .int32(1), .float(0)], "index"),
      ([.int32(0), .string("1"), .float(0)], "type"),
      ([.int32(0), .int32(1), .float(0), .int32(0), .int32(99), .float(0)], "index"),
      ([.int32(0), .int32(1), .float(.nan)], "nan"), ([.float(.nan), .int32(1), .float(0)], "nan"),
    ] {
      var batch = MessageBatch()
      batch.append(address: "/matrix/set", arguments: arguments)
      rig.perform(batch)
      #expect(rig.errorCode() == code)
    }
    #expect(rig.level(0, 1) == 0.5)
  }

  @Test("GD-05: numbers that are not finite are refused, but for -inf dB")
  func notFinite() throws {
    let rig = try Rig()
    rig.send(crosspoint, .float(0.5))
    for value in [Float.nan, .infinity, -.infinity] {
      for address in [
        crosspoint, crosspoint + "/fader", "/matrix/in/0/mute", crosspoint + "/nudge",
      ] {
        rig.send(address, .float(value))
        #expect(rig.errorCode() == "nan")
      }
    }
    rig.send(crosspoint + "/db", .float(.infinity))
    #expect(rig.errorCode() == "nan")
    #expect(rig.level(0, 1) == 0.5)
    rig.send(crosspoint + "/db", .float(-.infinity))
    #expect(rig.replies().isEmpty)
    #expect(rig.level(0, 1) == 0)
  }
}

import Control
import MatrixCore
import Messages
import Testing

@Suite struct PatternTests {
  private func hits(_ address: String, inputs: Int = 16, outputs: Int = 16) throws -> [[Int]] {
    let rig = try Rig(inputs: inputs, outputs: outputs)
    rig.send(address, .float(0.5))
    #expect(rig.replies().isEmpty)
    return rig.sounding()
  }

  @Test("PM-01: a part matches whole names only")
  func wholeParts() throws {
    #expect(try hits("/matrix/in/*/out/1") == (0..<16).map { [$0, 1] })
    #expect(try hits("/matrix/in/1/out/?") == (0..<10).map { [1, $0] })
    #expect(try hits("/matrix/in/1/out/*/gain") == (0..<16).map { [1, $0] })
    #expect(try hits("/*/{in}/[1]/o*t/1*") == [1, 10, 11, 12, 13, 14, 15].map { [1, $0] })
  }

  @Test("PM-02: the order of alternatives does not matter")
  func alternatives() throws {
    for pattern in ["{15,1}", "{1,15}", "{1,15,1}", "1{,5}"] {
      #expect(try hits("/matrix/in/\(pattern)/out/0") == [[1, 0], [15, 0]], "\(pattern)")
    }
  }

  @Test("PM-03: a question mark is one character, a bracket a set or its opposite")
  func sets() throws {
    #expect(try hits("/matrix/in/?/out/0") == (0...9).map { [$0, 0] })
    #expect(try hits("/matrix/in/[0-3]/out/0") == (0...3).map { [$0, 0] })
    #expect(try hits("/matrix/in/[!0-3]/out/0") == (4...9).map { [$0, 0] })
    #expect(try hits("/matrix/in/1?/out/0") == (10...15).map { [$0, 0] })
  }

  @Test("PM-05: every hit is a concrete gain, and all begin on one frame as one transaction")
  func concrete() throws {
    let rig = try Rig()
    rig.board.setNextFrame(640)
    rig.send("/matrix/in/[2-3]/out/7", .float(0.3))
    let commands = rig.commands()
    #expect(
      commands.map(\.gain)
        == [rig.shape.crosspoint(input: 2, output: 7), rig.shape.crosspoint(input: 3, output: 7)])
    #expect(commands.map(\.frame) == [640, 640])
    #expect(commands.map(\.endsTransaction) == [false, true])
    #expect(rig.sounding() == [[2, 7], [3, 7]])
  }

  @Test("PM-05: a correction goes to the first concrete address of a pattern, once")
  func correction() throws {
    let rig = try Rig()
    rig.send("/matrix/in/[2-3]/out/7/db", .float(12))
    #expect(
      rig.replies()
        == [
          Reply(
            source: .client(1), address: "/matrix/in/2/out/7/db", arguments: [.float(10)])
        ])
    #expect(rig.level(2, 7) == Level.maximum)
    #expect(rig.level(3, 7) == Level.maximum)
  }

  @Test(
    "PM-06: what is not closed meets nothing, and says so",
    arguments: [
      "/matrix/in/{0/out/1", "/matrix/in/[0-/out/1", "/matrix/in/{0,1,/out/1",
      "/matrix/in/0}/out/1",
      "/matrix/in/]/out/1", "/matrix/in/[]/out/1", "/matrix/in/{0,{1}}/out/1",
    ])
  func unbalanced(address: String) throws {
    let rig = try Rig()
    rig.send(address, .float(0.5))
    #expect(rig.errorCode() == "address")
    #expect(rig.sounding().isEmpty)
    #expect(rig.commands().isEmpty)
  }

  @Test(
    "PM-06: a bracket or brace that is not closed is named",
    arguments: ["/matrix/in/{0/out/1", "/matrix/in/[0-/out/1", "/matrix/in/0/out/{1,2"])
  func unclosed(address: String) throws {
    let rig = try Rig()
    rig.send(address, .float(0.5))
    #expect(refusal(rig) == "a bracket or brace of the pattern is not closed")
  }

  @Test("PM-06: two thousand stars are one star")
  func stars() throws {
    let stars = String(repeating: "*", count: 2_000)
    #expect(try hits("/matrix/in/\(stars)/out/1") == (0..<16).map { [$0, 1] })
    let rig = try Rig(inputs: 256, outputs: 256)
    rig.send("/matrix/in/\(stars)x/out/\(stars)", .float(0.5))
    #expect(rig.errorCode() == "address")
  }

  @Test("PM-07: a channel number is decimal digits, within the matrix, without leading zeros")
  func indices() throws {
    let rig = try Rig()
    rig.send("/matrix/in/15/out/1", .float(0.5))
    #expect(rig.replies().isEmpty)
    let odd: [[UInt8]] = [
      Array("16".utf8), Array("99".utf8), Array("-1".utf8), Array("00".utf8), Array("01".utf8),
      Array("4294967296".utf8), [0xD9, 0xA1], Array("0x1".utf8), Array(" 1".utf8),
      Array("1 ".utf8), Array("+1".utf8), Array("1.0".utf8), [], [0xFF], Array("1e0".utf8),
      Array("18446744073709551617".utf8), [0x31, 0x00],
    ]
    for number in odd {
      rig.send(bytes: Array("/matrix/in/".utf8) + number + Array("/out/1".utf8), .float(0.7))
      #expect(rig.errorCode() == "index")
      rig.send(bytes: Array("/matrix/in/1/out/".utf8) + number, .float(0.7))
      #expect(rig.errorCode() == "index")
      rig.send(bytes: Array("/matrix/row/".utf8) + number, .float(0.7))
      #expect(rig.errorCode() == "index")
    }
    #expect(rig.sounding() == [[15, 1]])
  }

  @Test("A pattern whose last part meets different things is refused whole")
  func mixed() throws {
    let rig = try Rig()
    for address in [
      "/matrix/in/0/*", "/matrix/in/0/{mute,solo}", "/matrix/in/0/out/1/{gain,db}",
      "/matrix/{row,col}/0", "/matrix/*", "/*", "/matrix/master/[dm]*",
    ] {
      rig.send(address, .float(0.5))
      #expect(rig.errorCode() == "address", "\(address)")
    }
    #expect(rig.commands().isEmpty)
  }

  @Test("A pattern meets the same thing in different places")
  func places() throws {
    let rig = try Rig(inputs: 2, outputs: 2)
    rig.send("/matrix/{in,out}/*/mute", .bool(true))
    #expect(rig.replies().isEmpty)
    #expect(rig.commands().map(\.factor) == [0, 0, 0, 0])
    rig.send("/matrix/row/*", .float(0.1), .float(0.2))
    #expect([rig.level(0, 0), rig.level(1, 1)] == [Double(Float(0.1)), Double(Float(0.2))])
  }

  @Test("Triggers are never met by a pattern")
  func triggers() throws {
    let rig = try Rig()
    rig.send("/matrix/in/0/out/1", .float(0.5))
    for address in [
      "/matrix/clea?", "/matrix/{clear}", "/matrix/identit[y]", "/engine/pan*", "/engine/r*",
      "/matrix/solo/*", "/matrix/*/clear",
    ] {
      rig.send(address)
      #expect(rig.errorCode() == "address", "\(address)")
    }
    #expect(rig.sounding() == [[0, 1]])
    #expect(!rig.board.isPanicking)
    rig.send("/matrix/in/*/stop")
    #expect(rig.replies().isEmpty)
  }

  @Test("A pattern query answers each hit on its own address")
  func query() throws {
    let rig = try Rig()
    rig.send("/matrix/in/3/out/1", .float(0.5))
    _ = rig.replies()
    rig.send("/matrix/in/[2-3]/out/1/gain")
    #expect(
      rig.replies()
        == [
          Reply(source: .client(1), address: "/matrix/in/2/out/1/gain", arguments: [.float(0)]),
          Reply(source: .client(1), address: "/matrix/in/3/out/1/gain", arguments: [.float(0.5)]),
        ])
  }

  @Test("A pattern query answers one datagram's worth, then says so")
  func largeQuery() throws {
    let rig = try Rig(inputs: 256, outputs: 256)
    rig.send("/matrix/in/*/out/*")
    let replies = rig.replies()
    let last = try #require(replies.last)
    #expect(last.isError)
    #expect(last.arguments[0] == .string("/matrix/in/*/out/*"))
    #expect(last.arguments[1] == .string("size"))
    #expect(
      last.arguments[2]
        == .string("answered the first \(replies.count - 1) of 65536; ask for less at a time"))
    #expect(replies.count > 1_000)
    let bytes = replies.dropLast().reduce(16) { $0 + 4 + ($1.address.utf8.count / 4 + 1) * 4 + 8 }
    #expect(bytes <= 65_507)
    #expect(replies[0].address == "/matrix/in/0/out/0")
  }

  @Test("Patterns that change too much in one datagram are refused before anything is applied")
  func tooMuch() throws {
    let rig = try Rig(inputs: 64, outputs: 64)
    let all = ("/matrix/in/*/out/*", [Argument.float(0.5)])
    rig.bundle(Array(repeating: all, count: 20))
    #expect(rig.errorCode() == "size")
    #expect(rig.sounding().isEmpty)
  }
}

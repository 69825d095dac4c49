import Control
import Messages
import Testing

/// An output that says which loudspeaker it is.
@Suite struct IdentifyControlTests {
  @Test(
    "Identify asks for noise on that output, by number, by name, and not when a button is let go")
  func asks() throws {
    let rig = try Rig(inputs: 2, outputs: 70)
    rig.send("/matrix/out/3/identify")
    #expect(rig.board.takeIdentified(word: 0) == 1 << 3)
    rig.send("/matrix/out/65/name", .string("sub"))
    rig.send("/matrix/out/sub/identify", .float(1))
    #expect(rig.board.takeIdentified(word: 1) == 1 << 1)
    rig.send("/matrix/out/3/identify", .float(0))
    #expect(rig.board.identifyRequests == 2)
    #expect(rig.replies().isEmpty)
  }

  @Test("A muted output, master or group and a panic stay silent, and the way out is named")
  func refused() throws {
    let rig = try Rig(inputs: 2, outputs: 2)
    let ways: [(close: (String, [Argument]), open: (String, [Argument]), word: String)] = [
      (
        ("/matrix/out/1/mute", [.int32(1)]), ("/matrix/out/1/mute", [.int32(0)]),
        "/matrix/out/1/mute"
      ),
      (
        ("/matrix/master/mute", [.int32(1)]), ("/matrix/master/mute", [.int32(0)]),
        "/matrix/master/mute"
      ),
      (("/engine/panic", []), ("/engine/resume", []), "/engine/resume"),
    ]
    for way in ways {
      rig.bundle([way.close])
      rig.send("/matrix/out/1/identify")
      let text = try #require(rig.errorText())
      #expect(text.hasPrefix("value: ") && text.contains(way.word))
      rig.bundle([way.open])
    }
    rig.send("/matrix/group/0/members", .string("/matrix/out/1"))
    rig.send("/matrix/group/0/mute", .int32(1))
    rig.send("/matrix/out/1/identify")
    #expect(rig.errorText()?.contains("group") == true)
    #expect(rig.board.identifyRequests == 0)
    rig.send("/matrix/out/0/identify")
    #expect(rig.board.identifyRequests == 1)
  }

  @Test("Neither a pattern nor a level of 0 has to do with identify")
  func patterns() throws {
    let rig = try Rig(inputs: 2, outputs: 2)
    rig.send("/matrix/out/*/identify")
    #expect(rig.errorCode() == "address")
    rig.send("/matrix/out/0/gain", .float(0))
    rig.send("/matrix/out/0/identify")
    #expect(rig.replies().isEmpty)
    #expect(rig.board.identifyRequests == 1)
  }
}

import Control
import MatrixCore
import Messages
import Testing

@Suite("Names in addresses")
struct NameTests {
  private func named() throws -> Rig {
    let rig = try Rig()
    rig.send("/matrix/in/3/name", .string("vox"))
    rig.send("/matrix/in/4/name", .string("vox-2"))
    rig.send("/matrix/out/5/name", .string("left"))
    #expect(rig.replies().isEmpty)
    return rig
  }

  /// The text of the only reply, when it is an error.
  private func refusal(_ rig: Rig) -> String? {
    let replies = rig.replies()
    guard replies.count == 1, replies[0].isError, case .string(let text) = replies[0].arguments[2]
    else { return nil }
    return text
  }

  @Test("A channel is found by its name as by its number, in every address that has one")
  func found() throws {
    let rig = try named()
    rig.send("/matrix/in/vox/out/left", .float(0.5))
    rig.send("/matrix/in/3/out/left/mute", .bool(true))
    rig.send("/matrix/in/vox/solo", .bool(true))
    rig.send("/matrix/row/vox-2", .float(0.25))
    rig.send("/matrix/col/left", .float(0.125))
    #expect(rig.replies().isEmpty)
    #expect(rig.level(3, 5) == 0.5)
    #expect(rig.level(4, 0) == 0.25)
    #expect(rig.level(0, 5) == 0.125)
    #expect(rig.read("/matrix/in/3/out/5/mute") == 1)
    #expect(rig.read("/matrix/in/3/solo") == 1)
  }

  @Test("A question is answered on the address that was used, a pattern's on numbers")
  func answers() throws {
    let rig = try named()
    rig.send("/matrix/in/3/gain", .float(0.5))
    #expect(rig.ask("/matrix/in/vox/gain") == [.float(0.5)])
    #expect(rig.ask("/matrix/in/vox/out/5") == [.float(0)])
    #expect(rig.ask("/matrix/in/vox/name") == [.string("vox")])
    #expect(rig.ask("/matrix/row/vox")?.count == 16)
    rig.send("/matrix/in/{vox,nobody}/gain")
    #expect(
      rig.replies() == [
        Reply(source: .client(1), address: "/matrix/in/3/gain", arguments: [.float(0.5)])
      ])
  }

  @Test("A correction goes to the very address that was used, of a pattern to the first number")
  func corrections() throws {
    let rig = try named()
    for (sent, corrected) in [
      ("/matrix/in/vox/db", "/matrix/in/vox/db"), ("/matrix/in/3/db", "/matrix/in/3/db"),
      ("/matrix/in/3/out/left/db", "/matrix/in/3/out/left/db"),
      ("/matrix/in/vox*/db", "/matrix/in/3/db"), ("/matrix/in/vox/nudge", "/matrix/in/vox/nudge"),
    ] {
      rig.send(sent, .float(12))
      let replies = rig.replies()
      #expect(replies.map(\.address) == [corrected])
    }
    rig.send("/matrix/row/vox", .float(0.5), .float(4))
    #expect(
      rig.replies() == [
        Reply(
          source: .client(1), address: "/matrix/row/vox",
          arguments: [.float(0.5), .float(Float(Level.maximum))])
      ])
  }

  @Test("A pattern meets each channel once, by its number, by its name or by both")
  func patterns() throws {
    let rig = try named()
    rig.send("/matrix/in/6/name", .string("x1"))
    for (pattern, inputs) in [
      ("v*", [3, 4]), ("vox", [3]), ("{vox,3}", [3]), ("*", Array(0..<16)), ("*1", [1, 6, 11]),
      ("[u-w]*", [3, 4]), ("{vox-2,0}", [0, 4]), ("?ox", [3]),
    ] {
      rig.send("/matrix/in/\(pattern)/nudge", .float(-6))
      #expect(rig.replies().isEmpty)
      let commands = rig.commands()
      #expect(commands.map(\.gain) == inputs.map { rig.shape.input($0) }, "\(pattern)")
      rig.send("/matrix/in/*/gain", .float(1))
      _ = rig.commands()
    }
    rig.send("/matrix/in/V*/gain", .float(0.5))
    #expect(rig.errorCode() == "address")
  }

  @Test("Only lower-case words stand for numbers; any other name is a label")
  func labels() throws {
    let rig = try Rig()
    for label in ["Vox", "vox 1", "1vox", "_vox", "ü", "vox/1", "v*", "", "vöx", "gain!", "Gain"] {
      rig.send("/matrix/in/0/name", .string(label))
      rig.send("/matrix/in/1/name", .string(label))
      #expect(rig.replies().isEmpty, "\(label)")
      #expect(rig.ask("/matrix/in/0/name") == [.string(label)])
      #expect(rig.ask("/matrix/in/1/name") == [.string(label)])
      if !label.isEmpty, !label.contains("/"), label != "v*" {
        rig.send("/matrix/in/\(label)/gain", .float(0.5))
        #expect(rig.errorCode() == "index", "\(label)")
      }
    }
    let longest = "v" + String(repeating: "x", count: Level.longestNameBytes - 1)
    rig.send("/matrix/in/0/name", .string(longest))
    rig.send("/matrix/in/\(longest)/gain", .float(0.5))
    #expect(rig.replies().isEmpty)
    #expect(rig.read("/matrix/in/0/gain") == 0.5)
  }

  @Test("A lower-case word is given once on each side, and taken back with another name")
  func unique() throws {
    let rig = try named()
    rig.send("/matrix/in/7/name", .string("vox"))
    #expect(refusal(rig) == "input 3 is called vox already; lower-case words must differ")
    #expect(rig.ask("/matrix/in/7/name") == [.string("")])
    rig.send("/matrix/out/7/name", .string("vox"))
    rig.send("/matrix/in/3/name", .string("vox"))
    #expect(rig.replies().isEmpty)
    rig.send("/matrix/in/*/name", .string("all-of-us"))
    #expect(refusal(rig) == "input 0 is called all-of-us already; lower-case words must differ")
    #expect(rig.ask("/matrix/in/0/name") == [.string("")])
    rig.send("/matrix/in/3/name", .string("Vox"))
    rig.send("/matrix/in/7/name", .string("vox"))
    #expect(rig.replies().isEmpty)
    rig.send("/matrix/in/vox/gain", .float(0.5))
    #expect(rig.read("/matrix/in/7/gain") == 0.5)
    #expect(rig.read("/matrix/in/3/gain") == 1)
  }

  @Test("No word of an address can be a name")
  func reserved() throws {
    let rig = try Rig()
    for word in ["gain", "out", "all", "in", "matrix", "members", "panic", "ping"] {
      rig.send("/matrix/in/0/name", .string(word))
      let capital = word.prefix(1).uppercased() + word.dropFirst()
      #expect(
        refusal(rig)
          == "\(word) is a word that addresses are made of; as a name it can be \(capital)")
      rig.send("/matrix/in/0/name", .string(capital))
      #expect(rig.replies().isEmpty)
    }
    for row in ParameterTable.rows {
      for word in row.address.split(separator: "/") where word.first != "{" {
        #expect(ParameterTable.words.contains(String(word)))
      }
    }
  }

  @Test("A name that nothing has is an error like a number that nothing has")
  func unknown() throws {
    let rig = try Rig()
    rig.send("/matrix/in/vox/gain", .float(1))
    #expect(refusal(rig) == "no input is called vox; inputs have the numbers 0 to 15")
    rig.send("/matrix/in/0/name", .string("vox"))
    rig.send("/matrix/in/Vox/gain", .float(1))
    #expect(refusal(rig) == "no input is called Vox; did you mean vox?")
    rig.send("/matrix/in/vix/gain", .float(1))
    #expect(refusal(rig) == "no input is called vix; did you mean vox?")
    rig.send("/matrix/in/drums/gain", .float(1))
    #expect(refusal(rig) == "no input is called drums; inputs have the numbers 0 to 15")
    rig.send("/matrix/in/vox/out/main", .float(1))
    #expect(refusal(rig) == "no output is called main; outputs have the numbers 0 to 15")
    rig.send("/matrix/in/16/gain", .float(1))
    #expect(refusal(rig) == "inputs have the numbers 0 to 15")
    rig.send("/matrix/in/vox/gian", .float(1))
    #expect(refusal(rig) == "there is no such address; did you mean /matrix/in/vox/gain?")
  }

  @Test("A name holds for the messages behind it in a bundle, and not at all if one is refused")
  func bundles() throws {
    let rig = try Rig()
    rig.bundle([
      ("/matrix/in/2/name", [.string("vox")]), ("/matrix/in/vox/gain", [.float(0.5)]),
      ("/matrix/in/v*/mute", [.bool(true)]),
    ])
    #expect(rig.replies().isEmpty)
    #expect(rig.read("/matrix/in/2/gain") == 0.5)
    #expect(rig.read("/matrix/in/vox/mute") == 1)
    rig.bundle([
      ("/matrix/in/2/name", [.string("")]), ("/matrix/in/5/name", [.string("vox")]),
      ("/matrix/in/vox/gain", [.float(0.25)]), ("/matrix/in/99/gain", [.float(1)]),
    ])
    #expect(rig.errorCode() == "index")
    rig.send("/matrix/in/vox/gain", .float(0.75))
    #expect(rig.read("/matrix/in/2/gain") == 0.75)
    #expect(rig.read("/matrix/in/5/gain") == 1)
  }

  @Test("A name that waited for its time and is taken by then is refused then")
  func late() throws {
    let rig = try Rig()
    rig.bundle([("/matrix/in/2/name", [.string("vox")])], time: rig.tag(1))
    rig.send("/matrix/in/5/name", .string("vox"))
    #expect(rig.replies().isEmpty)
    rig.advance(seconds: 1)
    _ = rig.commands()
    #expect(refusal(rig) == "input 5 is called vox already; lower-case words must differ")
    #expect(rig.ask("/matrix/in/2/name") == [.string("")])
    // And what was meant for a name goes to the channel that had it when it was said.
    rig.bundle([("/matrix/in/vox/gain", [.float(0.5)])], time: rig.tag(1))
    rig.send("/matrix/in/5/name", .string(""))
    rig.send("/matrix/in/6/name", .string("vox"))
    rig.advance(seconds: 1)
    _ = rig.commands()
    #expect(rig.read("/matrix/in/5/gain") == 0.5)
    #expect(rig.read("/matrix/in/6/gain") == 1)
  }

  @Test("Many names, given and taken in any order, are found and nothing else is")
  func many() throws {
    let rig = try Rig(inputs: 256, outputs: 1)
    var random = SeededRandom(seed: 7)
    var names = [String](repeating: "", count: 256)
    for _ in 0..<2_000 {
      let input = Int.random(in: 0..<256, using: &random)
      let name = "n\(Int.random(in: 0..<300, using: &random))"
      let isTaken = names.indices.contains { $0 != input && names[$0] == name }
      rig.send("/matrix/in/\(input)/name", .string(name))
      #expect((rig.errorCode() == "value") == isTaken)
      if !isTaken { names[input] = name }
    }
    for number in 0..<300 {
      let holder = names.firstIndex(of: "n\(number)")
      rig.send("/matrix/in/n\(number)/mute", .bool(true))
      #expect((rig.errorCode() == nil) == (holder != nil))
      let muted = rig.commands().map(\.gain)
      #expect(muted == (holder.map { [rig.shape.input($0)] } ?? []))
    }
  }
}

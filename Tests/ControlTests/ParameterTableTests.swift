import Control
import MatrixCore
import Messages
import Testing

@Suite struct ParameterTableTests {
  private func concrete(_ row: ParameterRow) -> String {
    row.address.split(separator: "/")
      .map { "/" + (["{i}": "2", "{o}": "3", "{g}": "1", "{n}": "4"][$0] ?? String($0)) }.joined()
  }

  @Test("Every row is found by its address, and its address by the row")
  func roundTrip() throws {
    let shape = try #require(MatrixShape(inputs: 4, outputs: 5))
    let tree = AddressTree(shape: shape)
    for row in ParameterTable.rows {
      let address = concrete(row)
      let finding = Array(address.utf8).withUnsafeBufferPointer { tree.find($0) }
      guard case .target(let target) = finding else {
        Issue.record("\(address) is not found")
        continue
      }
      #expect(target.parameter == row.parameter)
      #expect(target.place == row.place)
      #expect(ParameterTable.address(of: target) == address)
      #expect(ParameterTable.row(target.parameter, target.place).address == row.address)
    }
  }

  @Test("Every parameter has a row, a sentence and an address of its own")
  func complete() {
    let rows = ParameterTable.rows
    #expect(Set(rows.map(\.parameter)) == Set(Parameter.allCases))
    #expect(Set(rows.map(\.address)).count == rows.count)
    for row in rows {
      #expect(row.help.hasSuffix("."), "\(row.address)")
      #expect(row.address.hasPrefix("/"))
    }
  }

  @Test("Everything that can be asked answers on its own address, and nothing else answers")
  func access() throws {
    for row in ParameterTable.rows {
      let rig = try Rig(inputs: 4, outputs: 5)
      let address = concrete(row)
      rig.send(address)
      let replies = rig.replies()
      switch row.access {
      case .read where [.meterPre, .meterPost, .meter].contains(row.parameter):
        // Nobody has subscribed, so nobody has measured it.
        #expect(replies.count == 1 && replies.first?.isError == true)
      case .readWrite, .read:
        #expect(replies.count == 1)
        #expect(replies.first?.address == address)
        #expect(replies.first?.arguments.isEmpty == false)
      case .write:
        #expect(replies.allSatisfy { $0.isError || $0.address == "/pong" })
      }
      if row.access == .read {
        rig.send(address, .float(1))
        #expect(rig.errorCode() == "count")
      }
    }
  }

  @Test("What a parameter answers at the start is what the table says, and writes back")
  func initialValues() throws {
    let texts: [Parameter] = [.name, .members, .sceneSafe]
    for row in ParameterTable.rows
    where row.access == .readWrite && !texts.contains(row.parameter) {
      let rig = try Rig(inputs: 4, outputs: 5)
      let address = concrete(row)
      let values = try #require(rig.ask(address))
      let initial = Double(row.initial.filter { $0 != "…" })
      #expect(values.allSatisfy { $0.number == initial }, "\(address)")
      var batch = MessageBatch()
      batch.append(address: address, arguments: values)
      rig.perform(batch)
      #expect(rig.replies().isEmpty)
      #expect(rig.commands().isEmpty)
      #expect(rig.hub.revision == 0)
    }
  }

  @Test("The Markdown has a line for every row and every error code")
  func markdown() {
    let lines = ParameterTable.markdown.split(separator: "\n")
    for row in ParameterTable.rows {
      #expect(lines.filter { $0.hasPrefix("| `\(row.address)` |") }.count == 1)
    }
    for code in Refusal.Code.allCases {
      #expect(lines.filter { $0.hasPrefix("| `\(code.rawValue)` |") }.count == 1)
    }
    let widths = lines.map { line in line.filter { $0 == "|" }.count }
    #expect(Set(widths) == [6, 3])
  }

  @Test("Help explains an address, lists what lies below one, and knows the nearest word")
  func help() throws {
    let exact = try ParameterTable.help(for: "/matrix/in/3/out/0/db")
    #expect(exact.hasPrefix("/matrix/in/{i}/out/{o}/db f [f s]\n"))
    #expect(exact.contains("range: -120 to 10 dB"))
    #expect(try ParameterTable.help(for: "/matrix/in/{i}/out/{o}").contains("linear gain"))
    #expect(try ParameterTable.help(for: "/matrix/in/vox/out/left/db") == exact)
    #expect(try ParameterTable.help(for: "/matrix/group/drums/mute").contains("Silences"))
    #expect(try ParameterTable.help(for: "/matrix/master").split(separator: "\n").count == 9)
    #expect(
      try ParameterTable.help(for: "/").split(separator: "\n").count == ParameterTable.rows.count)
    #expect(
      throws: Refusal(
        .address, "there is no address /matrix/in/3/fadre; did you mean /matrix/in/3/fader?")
    ) {
      try ParameterTable.help(for: "/matrix/in/3/fadre")
    }
    #expect(throws: Refusal(.address, "there is no address /zzz")) {
      try ParameterTable.help(for: "/zzz")
    }
  }
}

import TextLines

/// Takes the words after a command apart into options and operands.
struct OptionParser {
  let command: CommandName
  private(set) var layer = OptionLayer()
  private(set) var operands: [String] = []

  init(_ command: CommandName, _ arguments: [String]) throws(OptionError) {
    self.command = command
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        return
      }
      if argument.hasPrefix("-"), argument != "-" {
        try takeOption(argument, &rest)
      } else {
        operands.append(argument)
      }
    }
  }

  private mutating func takeOption(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(OptionError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let flag = String(parts[0])
    let attached = parts.count > 1 ? String(parts[1]) : nil
    let entries = OptionTable.entries(of: command)
    guard let entry = entries.first(where: { $0.flag == flag }) else { throw unknown(flag) }
    guard entry.repeats || !layer.contains(entry.name) else {
      throw OptionError("\(flag) is given twice; give it once.")
    }
    if entry.kind == .flag {
      guard attached == nil else { throw OptionError("\(flag) stands alone; leave out the value.") }
      layer.add(.flag, to: entry.name)
      return
    }
    let next = rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
    guard let text = attached ?? next else {
      throw OptionError("\(flag) needs a value: \(entry.kind.expected).")
    }
    if attached == nil { rest.removeFirst() }
    if entry.kind == .message {
      layer.settings.append(try Self.message(text, flag: flag))
    } else if entry.kind == .mapping, !text.isEmpty {
      layer.add(.mapping(MappingChoice(text, origin: flag)), to: entry.name)
    } else if let value = entry.kind.value(of: text) {
      layer.add(value, to: entry.name)
    } else {
      throw OptionError("\(flag): found \(Word.shown(text)), expected \(entry.kind.expected).")
    }
  }

  private static func message(_ text: String, flag: String) throws(OptionError) -> TextMessage {
    do throws(TextError) {
      var reader = LineReader(Array(text.utf8), file: flag)
      guard let line = try reader.next() else {
        throw TextError(
          file: flag, position: TextPosition(line: 1, column: 1), found: "nothing",
          expected: OptionKind.message.expected)
      }
      let message = try line.message()
      if let second = try reader.next() {
        throw second.unexpected(second.words[0], expected: "only one line")
      }
      return message
    } catch {
      throw OptionError(error)
    }
  }

  private func unknown(_ flag: String) -> OptionError {
    if let elsewhere = OptionTable.entries.first(where: { $0.flag == flag }) {
      let owners = elsewhere.commands.map(\.rawValue).joined(separator: " and ")
      return OptionError("\(command.rawValue) does not take \(flag), which belongs to \(owners).")
    }
    let flags = OptionTable.entries(of: command).map(\.flag)
    let wayOut =
      nearest(to: flag, among: flags).map { "did you mean \($0)?" }
      ?? "\"crosspoint help \(command.rawValue)\" lists what there is."
    return OptionError("\(command.rawValue) has no option \(Word.shown(flag)); \(wayOut)")
  }
}

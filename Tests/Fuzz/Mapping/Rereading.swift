import Mapping
import Messages
import TextLines

/// A mapping that is written line by line and read again is the same.
func checkRereading(_ mapping: Mapping) {
  guard mapping.sections.reduce(0, { $0 + $1.lines.count }) <= 512 else { return }
  let text = written(mapping)
  do throws(TextError) {
    let again = try Mapping(Array(text.utf8), file: "f")
    precondition(again.sections.count == mapping.sections.count, "as many devices")
    for (one, other) in zip(again.sections, mapping.sections) {
      precondition(one.device == other.device, "the same devices")
      precondition(one.lines.map(withoutPlaces) == other.lines.map(withoutPlaces), "the same lines")
    }
  } catch {
    preconditionFailure("what was read can be read again: \(error)\n\(text)")
  }
}

private func withoutPlaces(_ line: MappingLine) -> MappingLine {
  var line = line
  line.position = TextPosition(line: 1, column: 1)
  for index in line.addresses.indices { line.addresses[index].position = line.position }
  return line
}

private func written(_ mapping: Mapping) -> String {
  var text = ""
  for section in mapping.sections {
    text += "device \(quoted(section.device.client))"
    switch section.device.port {
    case .first: break
    case .number(let number): text += " port \(number)"
    case .name(let glob): text += " port \(quoted(glob))"
    }
    if let nth = section.device.nth { text += " nth \(nth)" }
    text += "\n"
    for line in section.lines { text += written(line) + "\n" }
  }
  return text
}

private func written(_ line: MappingLine) -> String {
  var words: [String] = []
  if let channel = line.channel { words.append("ch \(channel)") }
  words.append(line.source.description)
  words.append(line.addresses.map(\.text).joined(separator: ", "))
  let options = line.options
  if let range = options.range { words.append("range \(range.low) \(range.high)") }
  if let taper = options.taper { words.append("taper \(taper.rawValue)") }
  if let maximum = options.maximum { words.append("max \(maximum)") }
  if let takeover = options.takeover { words.append(takeover.rawValue) }
  if let button = options.button { words.append(button.rawValue) }
  if let relative = options.relative { words.append("relative \(relative.rawValue)") }
  if let step = options.step { words.append("step \(step)") }
  if let bank = options.bank { words.append("bank \(quoted(bank.name)) \(bank.count)") }
  words += options.feedback.map(written)
  if let arguments = options.arguments {
    words.append("set")
    words += arguments.map(written)
  }
  return words.joined(separator: " ")
}

private func written(_ feedback: MappingOptions.Feedback) -> String {
  var text = "feedback"
  switch feedback.destination {
  case .same: text += " same"
  case .none: text += " none"
  case .source(let source):
    if let channel = feedback.channel { text += " ch \(channel)" }
    text += " \(source)"
  }
  if let ring = feedback.ring { text += " ring \(ring.rawValue)" }
  if let values = feedback.values {
    text += " values " + values.map(String.init).joined(separator: " ")
  }
  return text
}

private func written(_ argument: Argument) -> String {
  switch argument {
  case .int32(let value): String(value)
  case .int64(let value): String(value)
  case .double(let value): String(value)
  case .string(let text): quoted(text)
  default: preconditionFailure("a word is a number or a string")
  }
}

private func quoted(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
    quoted.unicodeScalars.append(scalar)
  }
  return quoted + "\""
}

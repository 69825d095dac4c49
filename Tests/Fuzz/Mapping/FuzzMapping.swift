import Mapping
import TextLines

/// What libFuzzer calls: a text, read as a mapping.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(TextError) {
    let mapping = try Mapping(bytes, file: "f")
    check(mapping)
    checkRereading(mapping)
    checkOnMixers(mapping)
  } catch {
    check(error, in: bytes)
  }
  return 0
}

private func check(_ error: TextError, in bytes: [UInt8]) {
  precondition(error.position.line >= 1 && error.position.column >= 1, "an error has a place")
  precondition(error.position.line <= bytes.count + 1, "which lies in the text")
  precondition(error.position.column <= bytes.count + 1, "which lies in the text")
  let text = error.description
  precondition(!text.unicodeScalars.contains { $0.value < 0x20 }, "an error is one line")
  precondition(text.utf8.count < 2_000, "an error is a sentence")
}

private func check(_ mapping: Mapping) {
  precondition(!mapping.sections.isEmpty, "a mapping has devices")
  var devices: Set<DeviceSelector> = []
  var addresses = 0
  for section in mapping.sections {
    precondition(!section.device.client.isEmpty, "a device has a name")
    precondition(devices.insert(section.device).inserted, "a device has one section")
    precondition(!section.lines.isEmpty, "a device has lines")
    for line in section.lines {
      precondition((1...16).contains(line.channel ?? 1), "a channel is 1 to 16")
      precondition(!line.addresses.isEmpty, "a line has an address")
      precondition((1...line.source.highest).contains(line.options.maximum ?? 1), "as the source")
      addresses += line.addresses.count
    }
    checkSources(section.lines)
  }
  precondition(addresses <= Mapping.maximumAddresses, "memory has a bound")
  if let note = mapping.inactiveOptions { precondition(!note.contains("\n"), "a note is one line") }
}

/// No two lines of a section hear the same.
private func checkSources(_ lines: [MappingLine]) {
  struct Heard: Hashable {
    var source: MappingSource
    var channel: UInt8?
  }
  var heard: Set<Heard> = []
  for line in lines {
    let sources: [MappingSource] =
      if case .pairedController(let high, let low) = line.source {
        [.controller(high), .controller(low)]
      } else {
        [line.source]
      }
    for source in sources {
      precondition(heard.insert(Heard(source: source, channel: line.channel)).inserted, "once")
    }
  }
  for one in heard where one.channel != nil {
    precondition(!heard.contains(Heard(source: one.source, channel: nil)), "any has them all")
  }
}

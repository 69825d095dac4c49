import JSON
import TextLines

/// What libFuzzer calls: a text, read as JSON, written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(TextError) {
    let value = try JSONReader.read(bytes, file: "f")
    let written = JSONWriter.bytes(of: value)
    checkRereading(of: value, written)
  } catch {
    precondition(error.position.line >= 1 && error.position.column >= 1, "an error has a place")
    precondition(error.position.line <= count + 1, "which lies in the text")
    precondition(!error.description.unicodeScalars.contains { $0.value < 0x20 }, "in one line")
  }
  return 0
}

private func checkRereading(of value: JSONValue, _ written: [UInt8]) {
  do throws(TextError) {
    let again = try JSONReader.read(written, file: "w")
    precondition(again == value, "what was written reads the same")
    precondition(JSONWriter.bytes(of: again) == written, "and is written the same")
  } catch {
    preconditionFailure("what was written can be read")
  }
}

import Messages
import OSC
import TextLines

/// What libFuzzer calls: what people send, taken by the hub of a mixer.
///
/// Lines of `[SECONDS] ADDRESS ARGS…`, because few random bytes come past the first word of a
/// packet: each run of lines with the same seconds is a batch that asks for that time. A text that
/// cannot be read so goes to the hub as the bytes of a datagram, through the reader of datagrams.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let mixer = MixerChecker(isLarge: count % 2 == 0)
  guard let parser = sharedParser else { preconditionFailure("liblo can be set up") }
  do throws(TextError) {
    for line in try LineReader.lines(of: bytes, file: "f") { try mixer.take(line) }
    mixer.finish()
  } catch {
    var padded = bytes + Array(repeating: 0, count: 8)
    let fault = padded.withUnsafeMutableBufferPointer {
      parser.parse(UnsafeMutableBufferPointer(rebasing: $0[..<bytes.count]))
    }
    if fault == nil { mixer.perform(parser.batch) }
    mixer.finish()
  }
  return 0
}

// libFuzzer calls from one thread.
nonisolated(unsafe) private let sharedParser = try? PacketParser()

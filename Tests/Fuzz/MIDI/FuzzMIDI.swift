import Messages

/// What libFuzzer calls: the bytes of two MIDI wires, taken by ports that hear everything.
///
/// The last bit of the count chooses the size of the matrix. Bytes F9 and FD, which mean nothing in
/// MIDI, stand for what happens beside the wires: the next byte says what.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let checker = count % 2 == 0 ? largeChecker : smallChecker
  checker.begin()
  var isAside = false
  for byte in UnsafeBufferPointer(start: start, count: count) {
    if isAside {
      checker.step(aside: byte)
      isAside = false
    } else if byte == 0xF9 || byte == 0xFD {
      checker.take(byte)
      isAside = true
    } else {
      checker.take(byte)
    }
  }
  checker.finish()
  return 0
}

// libFuzzer calls from one thread.
nonisolated(unsafe) private let largeChecker = PortChecker(isLarge: true)
nonisolated(unsafe) private let smallChecker = PortChecker(isLarge: false)

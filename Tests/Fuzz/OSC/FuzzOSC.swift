import Messages
import OSC

/// What libFuzzer calls: bytes from the network, read as datagrams.
///
/// The first byte chooses how the rest is used: as it is, or as a recipe for a packet that is
/// nearly right, because few random bytes come past the first word of one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let input = UnsafeBufferPointer(start: start + 1, count: count - 1)
  guard let checker = sharedChecker else { preconditionFailure("liblo can be set up") }
  if start[0] < 128 {
    checker.check(Array(input))
  } else {
    var recipe = Recipe(input)
    checker.check(recipe.packet())
  }
  return 0
}

// libFuzzer calls from one thread.
nonisolated(unsafe) private let sharedChecker = try? PacketChecker()

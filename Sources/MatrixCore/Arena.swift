/// Zeroed memory on 64-byte bounds that lives as long as its owner.
///
/// Made and freed on the control side; who takes pieces of it may use them on any thread, one at a
/// time. `@unchecked Sendable`: after `init` of its owner nothing in here changes.
final class Arena: @unchecked Sendable {
  private(set) var blocks: [UnsafeMutableRawBufferPointer] = []

  /// Takes room for so many elements, every bit of it zero.
  func take<Element: BitwiseCopyable>(
    _ count: Int, of type: Element.Type = Element.self
  ) -> UnsafeMutablePointer<Element> {
    let byteCount = (max(count, 1) * MemoryLayout<Element>.stride + 63) & ~63
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
    block.initializeMemory(as: UInt8.self, repeating: 0)
    blocks.append(block)
    return block.bindMemory(to: Element.self).baseAddress.unsafelyUnwrapped
  }

  deinit {
    for block in blocks { block.deallocate() }
  }
}

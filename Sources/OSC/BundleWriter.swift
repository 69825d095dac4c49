import CSocket
import Messages

/// Writes many small messages into bundles for one peer, and keeps them until they are sent.
///
/// For what is sent many times a second: the messages are written straight into the memory that
/// the kernel reads, and none of them allocates. A bundle has at most `largestBundleBytes`, so that
/// no network cuts it up; one message alone goes out without a bundle around it. Control thread
/// only.
package final class BundleWriter {
  /// The most bytes of a bundle: less than the smallest packet that networks in use carry whole.
  package static let largestBundleBytes = 1_200
  /// The most bytes of an address that `append(tag:bits:address:)` may write.
  package static let longestAddressBytes = 128

  private static let headerBytes = 16
  private static let sizeBytes = 4

  /// What became of a message.
  package enum Outcome {
    /// It is in the bundle that `bundleCount` counts last.
    case added
    /// No bundle has room for it; send what there is first.
    case full
    /// It would not fit in a bundle of its own.
    case tooLarge
  }

  /// How many bundles there is room for.
  package let capacity: Int
  let outbox: OpaquePointer
  private let builder = PacketBuilder()
  private var filled = 0
  private var messages = 0
  private var isOpen = false

  /// How many bundles have been begun.
  package private(set) var bundleCount = 0

  /// Makes a writer with room for so many bundles.
  package init(capacity: Int) {
    precondition(capacity > 0, "room for a bundle")
    self.capacity = capacity
    outbox = udp_outbox_create(Int32(capacity), Self.largestBundleBytes)
  }

  deinit {
    udp_outbox_destroy(outbox)
  }

  /// Forgets everything that has been written.
  package func removeAll() {
    bundleCount = 0
    isOpen = false
  }

  /// Ends a bundle, so that the next message begins another one.
  package func endBundle() {
    isOpen = false
  }

  /// Adds a message with one argument of four bytes: its tag, such as `f`, and its bits.
  ///
  /// The closure writes the address where it is told, without zeros behind it, and says how many
  /// bytes it has; at most `longestAddressBytes`.
  package func append(
    tag: UInt8, bits: UInt32, address: (UnsafeMutablePointer<UInt8>) -> Int
  ) -> Outcome {
    // Room for the longest address: where that is not, nearly nothing would fit anyway.
    let largest = Self.longestAddressBytes + 4 + 8
    guard let place = place(forBytes: largest) else { return .full }
    let count = address(place)
    precondition(count > 0 && count <= Self.longestAddressBytes, "an address that fits")
    // From one to four zeros end a text and fill its last four bytes.
    let padded = (count / 4 + 1) * 4
    for offset in count..<padded { place[offset] = 0 }
    let tail = UnsafeMutableRawPointer(place + padded)
    tail.storeBytes(of: (0x2C00_0000 | UInt32(tag) << 16).bigEndian, as: UInt32.self)
    tail.storeBytes(of: bits.bigEndian, toByteOffset: 4, as: UInt32.self)
    close(messageBytes: padded + 8)
    return .added
  }

  /// Adds a message whose arguments have four bytes each: their tags, such as `ff`, and their bits.
  ///
  /// The closure writes the address, as above. At most 16 arguments, as many as there are tags.
  package func append(
    tags: StaticString, words: UnsafeBufferPointer<UInt32>,
    address: (UnsafeMutablePointer<UInt8>) -> Int
  ) -> Outcome {
    let tagCount = tags.utf8CodeUnitCount
    precondition(tagCount == words.count && tagCount <= 16, "a tag for each argument")
    // The comma before the tags, and from one to four zeros behind them.
    let tagBytes = ((tagCount + 1) / 4 + 1) * 4
    let largest = Self.longestAddressBytes + 4 + tagBytes + 4 * tagCount
    guard let place = place(forBytes: largest) else { return .full }
    let count = address(place)
    precondition(count > 0 && count <= Self.longestAddressBytes, "an address that fits")
    let padded = (count / 4 + 1) * 4
    for offset in count..<padded { place[offset] = 0 }
    let tagPlace = place + padded
    for offset in 0..<tagBytes { tagPlace[offset] = 0 }
    tagPlace[0] = UInt8(ascii: ",")
    tags.withUTF8Buffer { for offset in 0..<tagCount { tagPlace[offset + 1] = $0[offset] } }
    let tail = UnsafeMutableRawPointer(tagPlace + tagBytes)
    for offset in 0..<tagCount {
      tail.storeBytes(of: words[offset].bigEndian, toByteOffset: 4 * offset, as: UInt32.self)
    }
    close(messageBytes: padded + tagBytes + 4 * tagCount)
    return .added
  }

  /// The most bytes of a blob behind an address of so many bytes.
  package static func largestBlobBytes(addressBytes: Int) -> Int {
    (largestBundleBytes - headerBytes - sizeBytes - (addressBytes / 4 + 1) * 4 - 4 - 4) / 4 * 4
  }

  /// Adds a message with one blob; the closure fills its bytes, which are a multiple of four and at
  /// most `largestBlobBytes`.
  package func append(
    address: StaticString, blobBytes: Int, fill: (UnsafeMutableRawPointer) -> Void
  ) -> Outcome {
    let count = address.utf8CodeUnitCount
    guard blobBytes <= Self.largestBlobBytes(addressBytes: count), blobBytes % 4 == 0 else {
      return .tooLarge
    }
    let padded = (count / 4 + 1) * 4
    guard let place = place(forBytes: padded + 8 + blobBytes) else { return .full }
    address.withUTF8Buffer { for offset in 0..<count { place[offset] = $0[offset] } }
    for offset in count..<padded { place[offset] = 0 }
    let tail = UnsafeMutableRawPointer(place + padded)
    // ",b" and its zeros.
    tail.storeBytes(of: (0x2C62_0000 as UInt32).bigEndian, as: UInt32.self)
    tail.storeBytes(of: UInt32(blobBytes).bigEndian, toByteOffset: 4, as: UInt32.self)
    fill(tail + 8)
    close(messageBytes: padded + 8 + blobBytes)
    return .added
  }

  /// Adds a message of any kind.
  package func append(address: String, arguments: [Argument]) -> Outcome {
    builder.withMessage(address: address, arguments: arguments) { bytes -> Outcome in
      let room = Self.largestBundleBytes - Self.headerBytes - Self.sizeBytes
      guard bytes.count <= room, let source = bytes.baseAddress else { return .tooLarge }
      guard let place = place(forBytes: bytes.count) else { return .full }
      UnsafeMutableRawPointer(place).copyMemory(from: source, byteCount: bytes.count)
      close(messageBytes: bytes.count)
      return .added
    } ?? .tooLarge
  }

  /// Where a message of so many bytes may be written; begins a bundle when it has to.
  private func place(forBytes count: Int) -> UnsafeMutablePointer<UInt8>? {
    if !isOpen || filled + Self.sizeBytes + count > Self.largestBundleBytes {
      guard bundleCount < capacity else { return nil }
      bundleCount += 1
      isOpen = true
      messages = 0
      filled = Self.headerBytes
      let start = UnsafeMutableRawPointer(bytes)
      // "#bundle", a zero, and the time tag that means at once.
      start.storeBytes(of: (0x2362_756E_646C_6500 as UInt64).bigEndian, as: UInt64.self)
      start.storeBytes(of: (1 as UInt64).bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return bytes + filled + Self.sizeBytes
  }

  private func close(messageBytes count: Int) {
    UnsafeMutableRawPointer(bytes + filled).storeBytes(
      of: UInt32(count).bigEndian, as: UInt32.self)
    filled += Self.sizeBytes + count
    messages += 1
    let start = messages == 1 ? Self.headerBytes + Self.sizeBytes : 0
    udp_outbox_set(outbox, Int32(bundleCount - 1), start, filled - start)
  }

  private var bytes: UnsafeMutablePointer<UInt8> {
    udp_outbox_bytes(outbox, Int32(bundleCount - 1))
  }
}

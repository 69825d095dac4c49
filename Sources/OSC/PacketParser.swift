import CLibLO
import Glibc
import Messages

/// Reads the bytes of datagrams with liblo.
///
/// One thread at a time.
package final class PacketParser {
  /// How many zeros must stand behind the bytes of a datagram, see `parse`.
  package static let guardBytes = 8

  private let server: lo_server
  /// Behind a pointer, because liblo calls back with one.
  private let collector: UnsafeMutablePointer<PacketCollector>

  /// Makes a parser; fails when liblo cannot be set up.
  package init() throws(OSCError) {
    // liblo's server cannot be had without a socket of its own, on every interface. It is never
    // read, and a moment later the descriptor is that of nothing.
    guard let server = lo_server_new("0", handleFault) else {
      throw OSCError("liblo cannot make a server; is there no IPv4 on this machine?")
    }
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    let isReplaced = nothing >= 0 && dup2(nothing, lo_server_get_socket_fd(server)) >= 0
    let reason = errno
    if nothing >= 0 { close(nothing) }
    guard isReplaced else {
      lo_server_free(server)
      throw OSCError("liblo's own socket cannot be closed: \(String(cString: strerror(reason)))")
    }
    self.server = server
    collector = .allocate(capacity: 1)
    collector.initialize(to: PacketCollector())
    // Time is the business of others: liblo's queue would run things early, and as the wrong peer.
    lo_server_enable_queue(server, 0, 1)
    lo_server_set_error_context(server, collector)
    lo_server_add_bundle_handlers(server, handleBundleStart, handleBundleEnd, collector)
    lo_server_add_method(server, nil, nil, handleMessage, collector)
  }

  deinit {
    lo_server_free(server)
    collector.deinitialize(count: 1)
    collector.deallocate()
  }

  /// The messages of the datagram that was read last; empty when it had a fault.
  package var batch: MessageBatch { collector.pointee.batch }

  /// The bundles in the datagram that was read last, nested ones included.
  package var bundleCount: Int { collector.pointee.bundleCount }

  /// Reads a datagram whole; what is wrong with it, or nothing.
  ///
  /// Eight zeros must stand behind the bytes, because liblo looks for the word `#bundle` where the
  /// last element of a bundle would begin without asking whether there is one.
  package func parse(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> PacketFault? {
    collector.pointee.reset()
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return PacketFault("it is empty")
    }
    if isBareAddress(UnsafeBufferPointer(bytes)) {
      // OSC 1.0 asks for tolerance here, and liblo has none.
      UnsafeRawPointer(start).withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        collector.pointee.openMessage($0)
      }
      return nil
    }
    let result = lo_server_dispatch_data(server, start, bytes.count)
    // Of elements inside a bundle the result says nothing; the fault handler does.
    if result < 0 { collector.pointee.fail(PacketFault(libraryError: -result)) }
    guard var fault = collector.pointee.fault else { return nil }
    collector.pointee.batch.removeAll()
    fault.path = readablePath(UnsafeBufferPointer(bytes))
    return fault
  }

  /// Whether a datagram is an address, its terminator and its padding, and nothing else.
  private func isBareAddress(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes[0] == UInt8(ascii: "/"), bytes.count % 4 == 0, bytes[bytes.count - 1] == 0 else {
      return false
    }
    guard let end = bytes.firstIndex(of: 0) else { return false }
    return bytes.count - end <= 4 && bytes[end...].allSatisfy { $0 == 0 }
  }

  /// The address at the beginning of a broken datagram, for a log.
  private func readablePath(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes[0] == UInt8(ascii: "/") else { return nil }
    let path = bytes.prefix(200).prefix { $0 > 0x20 && $0 < 0x7F }
    return String(decoding: path, as: UTF8.self)
  }
}

private func handleMessage(
  path: UnsafePointer<CChar>?, types: UnsafePointer<CChar>?,
  arguments: UnsafeMutablePointer<UnsafeMutablePointer<lo_arg>?>?, count: Int32,
  message: lo_message?, context: UnsafeMutableRawPointer?
) -> Int32 {
  // 0 is "handled": anything else makes liblo answer some addresses by itself.
  guard let path, let types, let context else { return 0 }
  let collector = context.assumingMemoryBound(to: PacketCollector.self)
  guard collector.pointee.fault == nil else { return 0 }
  collector.pointee.openMessage(path)
  for index in 0..<Int(count) {
    collector.pointee.addArgument(
      tag: UInt8(bitPattern: types[index]), at: UnsafeRawPointer(arguments?[index]))
  }
  return 0
}

private func handleBundleStart(time: lo_timetag, context: UnsafeMutableRawPointer?) -> Int32 {
  guard let collector = context?.assumingMemoryBound(to: PacketCollector.self) else { return 0 }
  collector.pointee.openBundle(ntp: UInt64(time.sec) << 32 | UInt64(time.frac))
  return 0
}

private func handleBundleEnd(context: UnsafeMutableRawPointer?) -> Int32 {
  context?.assumingMemoryBound(to: PacketCollector.self).pointee.closeBundle()
  return 0
}

/// liblo holds a lock of its own around this, which makes its global context ours for the time.
private func handleFault(
  number: Int32, text: UnsafePointer<CChar>?, path: UnsafePointer<CChar>?
) {
  let collector = lo_error_get_context()?.assumingMemoryBound(to: PacketCollector.self)
  collector?.pointee.fail(PacketFault(libraryError: number))
}

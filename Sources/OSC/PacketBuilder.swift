import CLibLO
import Messages

/// Writes messages as datagrams with liblo.
///
/// One thread at a time.
package final class PacketBuilder {
  /// What one datagram can hold over IPv4.
  package static let largestDatagram = 65_507

  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: largestDatagram + 1, alignment: 8)

  /// Makes a builder.
  package init() {}

  deinit {
    buffer.deallocate()
  }

  /// Hands the bytes of a message to a closure; nothing when it does not fit in a datagram.
  ///
  /// An argument of which only the tag is known (`Argument.other`) goes out as nil, in its place.
  package func withMessage<Result>(
    address: String, arguments: some Sequence<Argument>, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    guard let message = lo_message_new() else { return nil }
    defer { lo_message_free(message) }
    for argument in arguments where add(argument, to: message) != 0 { return nil }
    return address.withCString { path -> Result? in
      var size = lo_message_length(message, path)
      guard size <= Self.largestDatagram,
        lo_message_serialise(message, path, buffer.baseAddress, &size) != nil
      else { return nil }
      return body(UnsafeRawBufferPointer(rebasing: buffer[..<size]))
    }
  }

  private func add(_ argument: Argument, to message: lo_message) -> Int32 {
    switch argument {
    case .int32(let value): lo_message_add_int32(message, value)
    case .int64(let value): lo_message_add_int64(message, value)
    case .float(let value): lo_message_add_float(message, value)
    case .double(let value): lo_message_add_double(message, value)
    case .string(let value): lo_message_add_string(message, value)
    case .bool(true): lo_message_add_true(message)
    case .bool(false): lo_message_add_false(message)
    case .null, .other: lo_message_add_nil(message)
    case .impulse: lo_message_add_infinitum(message)
    }
  }
}

import Messages
import OSC

/// Reads packets and holds what comes out to what must be true of anything that does.
final class PacketChecker {
  private let parser: PacketParser
  private let second: PacketParser
  private let builder = PacketBuilder()

  init() throws {
    parser = try PacketParser()
    second = try PacketParser()
  }

  func check(_ packet: [UInt8]) {
    let fault = parse(packet, with: parser)
    let batch = parser.batch
    if fault != nil {
      precondition(batch.isEmpty, "a broken datagram leaves nothing behind")
      return
    }
    var addressEnd = 0
    var argumentEnd = 0
    for message in batch.messages {
      precondition(message.address.lowerBound == addressEnd, "addresses lie back to back")
      precondition(message.arguments.lowerBound == argumentEnd, "arguments lie back to back")
      addressEnd = message.address.upperBound
      argumentEnd = message.arguments.upperBound
      let address = batch.addressBytes[message.address]
      precondition(address.first == UInt8(ascii: "/"), "an address begins with a slash")
      precondition(!address.contains(0), "an address ends before its terminator")
      checkWritingBack(message, of: batch)
      if case .ntp(let tag) = message.time { checkTime(tag) }
    }
    precondition(addressEnd == batch.addressBytes.count, "no address bytes are left over")
    precondition(argumentEnd == batch.arguments.count, "no arguments are left over")
  }

  /// A message that is written and read again is the same.
  private func checkWritingBack(_ message: MessageBatch.Message, of batch: MessageBatch) {
    let address = batch.addressText(of: message)
    guard address.utf8.elementsEqual(batch.addressBytes[message.address]) else { return }
    let arguments = batch.arguments[message.arguments]
    guard !arguments.contains(where: { if case .other = $0 { true } else { false } }) else {
      return
    }
    let packet = builder.withMessage(address: address, arguments: arguments) { Array($0) }
    // Texts that were no UTF-8 grow when they are repaired, perhaps beyond a datagram.
    guard let packet else { return }
    precondition(parse(packet, with: second) == nil, "what is written can be read")
    let again = second.batch
    precondition(again.messages.count == 1, "one message is one message")
    precondition(again.addressBytes.elementsEqual(address.utf8), "the address is the same")
    precondition(again.arguments.map(Self.key) == arguments.map(Self.key), "so are the arguments")
  }

  /// Any tag means some time within 68 years and a second of now.
  private func checkTime(_ tag: UInt64) {
    let now: Int64 = 1_800_000_000_000_000_000
    guard let time = TimeTag.ntp(tag).wallNanoseconds(near: now) else {
      preconditionFailure("a tag is a time")
    }
    precondition(abs(time - now) <= (1 << 31 + 1) * 1_000_000_000, "the nearest of eras")
  }

  /// A form in which not-a-number equals itself.
  private static func key(_ argument: Argument) -> String {
    switch argument {
    case .float(let value): "f\(value.bitPattern)"
    case .double(let value): "d\(value.bitPattern)"
    default: "\(argument)"
    }
  }

  private func parse(_ packet: [UInt8], with parser: PacketParser) -> PacketFault? {
    // Memory of exactly this size, so that the address sanitizer sees a step beyond it.
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: packet.count + 8)
    defer { memory.deallocate() }
    memory.initialize(repeating: 0)
    for (index, byte) in packet.enumerated() { memory[index] = byte }
    return parser.parse(UnsafeMutableBufferPointer(rebasing: memory[..<packet.count]))
  }
}

import Messages
import OSC

/// What became of a datagram, in a form that tests compare.
struct Reading: Equatable {
  struct Message: Equatable {
    var address: String
    var arguments: [Argument]
    var time: TimeTag = .immediate
  }

  var messages: [Message]
  var fault: String?

  init(_ messages: [Message]) {
    self.messages = messages
  }

  init(_ batch: MessageBatch, fault: PacketFault?) {
    messages = batch.messages.map {
      Message(
        address: batch.addressText(of: $0), arguments: Array(batch.arguments[$0.arguments]),
        time: $0.time)
    }
    self.fault = fault?.reason
  }
}

extension PacketParser {
  /// Reads bytes that stand alone, with eight zeros behind them.
  func read(_ bytes: [UInt8]) -> Reading {
    var padded = bytes + Array(repeating: 0, count: 8)
    let fault = padded.withUnsafeMutableBufferPointer {
      parse(UnsafeMutableBufferPointer(rebasing: $0[..<bytes.count]))
    }
    return Reading(batch, fault: fault)
  }

  /// Reads a good datagram of one message and returns its arguments.
  func arguments(_ bytes: [UInt8]) -> [Argument]? {
    let reading = read(bytes)
    guard reading.fault == nil, reading.messages.count == 1 else { return nil }
    return reading.messages[0].arguments
  }
}

import MatrixCore
import Messages

/// Messages that carry many values, and questions with many answers.
extension Draft {
  mutating func stageTriples(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    guard !arguments.isEmpty, arguments.count % 3 == 0 else {
      throw Refusal(.count, "this takes triples of input, output and gain")
    }
    for start in stride(from: 0, to: arguments.count, by: 3) {
      let input = try channel(arguments[start], below: shape.inputs, "inputs")
      let output = try channel(arguments[start + 1], below: shape.outputs, "outputs")
      let target = Target(.set, .crosspoint, input: input, output: output)
      try stageCrosspoint(arguments[start + 2], target)
    }
  }

  mutating func stageValues(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    let room = shape.valueCount(of: firstHit)
    guard arguments.count <= room else {
      throw Refusal(.count, "this takes \(room) values at most")
    }
    for hitNumber in 0..<hitCount {
      let hit = hit(hitNumber)
      let start = transaction.operations.count
      for number in arguments.indices {
        try stageCrosspoint(arguments[number], shape.crosspoint(number, of: hit))
      }
      // One correction for all of the first address, with the values that were sent.
      var isClamped = false
      for number in start..<transaction.operations.count
      where transaction.operations[number].corrects {
        isClamped = true
        transaction.operations[number].corrects = false
      }
      if isClamped, hitNumber == 0 {
        transaction.operations.append(
          Operation(verb: .answer, target: hit, corrects: true, count: arguments.count))
      }
    }
  }

  private mutating func stageCrosspoint(_ argument: Argument, _ target: Target) throws(Refusal) {
    transaction.operations.append(try level(number(argument), .gain, of: target))
  }

  private func channel(
    _ argument: Argument, below limit: Int, _ what: String
  ) throws(Refusal) -> Int {
    let value = try number(argument)
    guard value >= 0, value < Double(limit), value.rounded() == value else {
      throw Refusal(.index, "\(what) have the numbers 0 to \(limit - 1)")
    }
    return Int(value)
  }

  // MARK: Questions

  /// Stages an answer for all that was hit, as far as one datagram holds them.
  mutating func stageAnswers(_ address: UnsafeBufferPointer<UInt8>) throws(Refusal) {
    if hitCount == 1 {
      guard largestAnswer(to: firstHit) + 16 <= ControlHub.largestDatagramBytes else {
        throw Refusal(.size, "the answer does not fit one datagram")
      }
      transaction.operations.append(Operation(verb: .answer, target: firstHit))
      answerBytes += largestAnswer(to: firstHit)
      return
    }
    strain += hits.count / 8
    var room = ControlHub.largestDatagramBytes - 16
    var answered = 0
    for hit in hits {
      room -= largestAnswer(to: hit) + 4
      guard room >= 0 else { break }
      transaction.operations.append(Operation(verb: .answer, target: hit))
      answered += 1
    }
    answerBytes += ControlHub.largestDatagramBytes - 16 - max(0, room)
    guard answered < hits.count else { return }
    let start = transaction.payload.count
    transaction.payload.append(.string(String(decoding: address.prefix(256), as: UTF8.self)))
    transaction.payload.append(.string(Refusal.Code.size.rawValue))
    transaction.payload.append(
      .string("answered the first \(answered) of \(hits.count); ask for less at a time"))
    transaction.operations.append(
      Operation(verb: .echo, target: firstHit, count: answered, payload: start..<start + 3))
  }

  /// About as many bytes as the status and the list of clients take.
  private static let longAnswerBytes = 6_000

  /// The most bytes that an answer takes on the wire.
  private func largestAnswer(to target: Target) -> Int {
    let address = ParameterTable.address(of: target).utf8.count + 4
    if target.parameter == .members {
      return groupTable.words(of: target.input).reduce(address + 16) { $0 + $1.utf8.count + 5 }
    }
    let values = shape.valueCount(of: target)
    let each =
      switch target.parameter {
      case .name, .sceneInfo, .sceneCurrent: Level.longestNameBytes + 4
      case .status, .clientList: Self.longAnswerBytes
      default: 4
      }
    return address + values + 8 + values * each
  }
}

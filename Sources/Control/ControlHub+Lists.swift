import MatrixCore
import Messages

/// Messages that carry many values, and questions with many answers.
extension ControlHub {
  func stageTriples(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    guard !arguments.isEmpty, arguments.count % 3 == 0 else {
      throw Refusal(.count, "this takes triples of input, output and gain")
    }
    for start in stride(from: 0, to: arguments.count, by: 3) {
      let input = try channel(arguments[start], below: state.shape.inputs, "inputs")
      let output = try channel(arguments[start + 1], below: state.shape.outputs, "outputs")
      let target = Target(.set, .crosspoint, input: input, output: output)
      try stageCrosspoint(arguments[start + 2], target)
    }
  }

  func stageValues(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    let room = valueCount(of: hits[0])
    guard arguments.count <= room else {
      throw Refusal(.count, "this takes \(room) values at most")
    }
    for hit in hits {
      let start = staged.operations.count
      for number in arguments.indices {
        try stageCrosspoint(arguments[number], crosspoint(number, of: hit))
      }
      // One correction for all of the first address, with the values that were sent.
      var isClamped = false
      for number in start..<staged.operations.count where staged.operations[number].corrects {
        isClamped = true
        staged.operations[number].corrects = false
      }
      if isClamped, hit == hits[0] {
        staged.operations.append(Operation(verb: .answer, target: hit, count: arguments.count))
      }
    }
  }

  private func stageCrosspoint(_ argument: Argument, _ target: Target) throws(Refusal) {
    var operation = try level(number(argument), .gain) { hub in
      hub.offended.append(target.gain(in: hub.state.shape))
    }
    operation.target = target
    staged.operations.append(operation)
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

  /// How many values a row, a column or the whole has.
  func valueCount(of target: Target) -> Int {
    switch target.parameter {
    case .row: state.shape.outputs
    case .column: state.shape.inputs
    case .all: state.shape.crosspointCount
    case .levels: (state.shape.inputs + 1) * (state.shape.outputs + 1)
    default: 1
    }
  }

  /// The crosspoint that a value of a row, a column or the whole belongs to.
  func crosspoint(_ number: Int, of target: Target) -> Target {
    let outputs = state.shape.outputs
    switch target.parameter {
    case .row:
      return Target(.crosspoint, .crosspoint, input: target.input, output: number)
    case .column:
      return Target(.crosspoint, .crosspoint, input: number, output: target.output)
    default:
      return Target(
        .crosspoint, .crosspoint, input: number / outputs, output: number % outputs)
    }
  }

  // MARK: Questions

  /// Stages an answer for all that was hit, as far as one datagram holds them.
  func stageAnswers(_ address: UnsafeBufferPointer<UInt8>) throws(Refusal) {
    if hits.count == 1 {
      guard largestAnswer(to: hits[0]) + 16 <= Self.largestDatagramBytes else {
        throw Refusal(.size, "the answer does not fit one datagram")
      }
      staged.operations.append(Operation(verb: .answer, target: hits[0]))
      return
    }
    var room = Self.largestDatagramBytes - 16
    var answered = 0
    for hit in hits {
      room -= largestAnswer(to: hit) + 4
      guard room >= 0 else { break }
      staged.operations.append(Operation(verb: .answer, target: hit))
      answered += 1
    }
    guard answered < hits.count else { return }
    let start = staged.payload.count
    staged.payload.append(.string(String(decoding: address.prefix(256), as: UTF8.self)))
    staged.payload.append(.string(Refusal.Code.size.rawValue))
    staged.payload.append(
      .string("answered the first \(answered) of \(hits.count); ask for less at a time"))
    staged.operations.append(
      Operation(verb: .echo, target: hits[0], count: answered, payload: start..<start + 3))
  }

  /// The most bytes that an answer takes on the wire.
  private func largestAnswer(to target: Target) -> Int {
    let address = ParameterTable.address(of: target).utf8.count + 4
    let values = valueCount(of: target)
    let each = target.parameter == .name ? Level.longestNameBytes + 4 : 4
    return address + values + 8 + values * each
  }
}

import MatrixCore
import Messages

/// The checking of pairs and pans.
extension Draft {
  mutating func stagePair(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    guard arguments.count == 1 else { throw Refusal(.count, "a switch takes one value") }
    let on = try number(arguments[0]) >= 0.5
    for number in 0..<hitCount { try pair(hit(number), on) }
    stageForEachHit(Operation(verb: .pair, target: firstHit, number: on ? 1 : 0))
  }

  mutating func stagePan(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    guard arguments.count == 1 else {
      throw Refusal(.count, "a pan takes one value from -1 to 1; it has no duration")
    }
    let value = try number(arguments[0])
    guard abs(value) <= Level.wrongUnitFactor else {
      throw Refusal(
        .range, "\(Self.words(value)) looks like another unit: a pan goes from -1 to 1")
    }
    for number in 0..<hitCount where MixState.panReading(of: value) != 0 {
      guard pairs.left(of: hit(number).output, .output) == nil else { continue }
      throw Self.panRefusal(hit(number), shape)
    }
    let reading = MixState.panReading(of: min(max(value, -1), 1))
    let isClamped = abs(Float(value)) > 1
    if isClamped { clamped += 1 }
    stageForEachHit(
      Operation(
        verb: .pan, target: firstHit, number: reading == 0 ? 0 : min(max(value, -1), 1),
        reading: reading, corrects: isClamped))
  }

  /// Why an output cannot be panned to.
  static func panRefusal(_ target: Target, _ shape: MatrixShape) -> Refusal {
    let output = target.output
    let wayOut =
      output + 1 < shape.outputs
      ? "; /matrix/out/\(output)/pair 1 makes one with output \(output + 1)" : ""
    return Refusal(.value, "output \(output) has no pair to pan across\(wayOut)")
  }
}

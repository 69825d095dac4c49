/// One line of the benchmark: what a render call of one kind costs.
struct BenchRow {
  var name: String
  var inputs: Int
  var outputs: Int
  var frames: Int
  /// Crosspoints that sound.
  var active: Int
  /// Crosspoints that glide.
  var moving: Int
  var nanosecondsPerBlock: Double
  var instructionSet: String

  var json: String {
    "{\"name\":\"\(name)\",\"inputs\":\(inputs),\"outputs\":\(outputs),\"frames\":\(frames),"
      + "\"active\":\(active),\"moving\":\(moving),"
      + "\"ns_per_block\":\(oneDecimal(nanosecondsPerBlock)),\"isa\":\"\(instructionSet)\"}"
  }

  var text: String {
    let size = "\(inputs)x\(outputs)"
    let counts = "\(active) active, \(moving) moving"
    return column(name, 10) + column(instructionSet, 9) + column(size, 9)
      + column("\(frames) frames", 12) + column(counts, 28)
      + "\(oneDecimal(nanosecondsPerBlock)) ns a block"
  }
}

/// The most that one instruction set can do on one core, as a line of the benchmark.
struct PeakRow {
  var instructionSet: String
  /// Multiply-adds a second, in thousand millions.
  var rate: Double

  var json: String {
    "{\"name\":\"fma_peak\",\"isa\":\"\(instructionSet)\","
      + "\"gmac_per_s\":\(oneDecimal(rate))}"
  }

  var text: String {
    column("fma_peak", 10) + column(instructionSet, 9)
      + "\(oneDecimal(rate)) thousand million multiply-adds a second"
  }
}

/// A number with one digit after a point, in every locale.
private func oneDecimal(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}

private func column(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}

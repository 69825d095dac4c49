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
  /// How often this costs what the same gains cost while they glide, where that says something.
  var timesMoving: Double?

  var json: String {
    "{\"name\":\"\(name)\",\"inputs\":\(inputs),\"outputs\":\(outputs),\"frames\":\(frames),"
      + "\"active\":\(active),\"moving\":\(moving),"
      + "\"ns_per_block\":\(oneDecimal(nanosecondsPerBlock)),\"isa\":\"\(instructionSet)\""
      + (timesMoving.map { ",\"times_moving\":\(decimal($0, digits: 2))" } ?? "") + "}"
  }

  var text: String {
    let size = "\(inputs)x\(outputs)"
    let counts = "\(active) active, \(moving) moving"
    return column(name, 10) + column(instructionSet, 9) + column(size, 9)
      + column("\(frames) frames", 12) + column(counts, 28)
      + "\(oneDecimal(nanosecondsPerBlock)) ns a block"
      + (timesMoving.map { ", \(decimal($0, digits: 2)) x moving" } ?? "")
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
private func oneDecimal(_ value: Double) -> String { decimal(value, digits: 1) }

/// A number, not negative, with so many digits after a point, in every locale.
private func decimal(_ value: Double, digits: Int) -> String {
  let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
  let parts = Int((value * Double(scale)).rounded())
  let rest = String(parts % scale)
  return "\(parts / scale)." + String(repeating: "0", count: digits - rest.count) + rest
}

private func column(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}

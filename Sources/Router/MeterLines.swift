import Control
import Glibc
import MatrixCore

/// Prints the levels of a second as one line: `run --meters`.
///
/// Control thread only.
struct MeterLines {
  private static let intervalNanoseconds: Int64 = 1_000_000_000
  /// How often a second the meters are read.
  private static let readingsPerSecond = 4

  private let shape: MatrixShape
  /// What is gathered over a second.
  let tally: MeterTally
  private(set) var deadlineNanoseconds: Int64

  init(shape: MatrixShape, nowNanoseconds: Int64) {
    self.shape = shape
    deadlineNanoseconds = nowNanoseconds + Self.intervalNanoseconds
    tally = MeterTally(
      (0..<shape.inputs).map { .channel(.inputPre, $0) }
        + (0..<shape.outputs).map { .channel(.outputPost, $0) }, hz: Self.readingsPerSecond)
  }

  /// The line of the second that is over, when it is; nothing while no sound is running.
  mutating func line(nowNanoseconds: Int64) -> String? {
    guard nowNanoseconds >= deadlineNanoseconds else { return nil }
    deadlineNanoseconds = nowNanoseconds + Self.intervalNanoseconds
    guard tally.hasNews, !tally.isStandingStill else { return nil }
    tally.hasNews = false
    let inputs = peaks(0..<shape.inputs)
    let outputs = peaks(shape.inputs..<shape.inputs + shape.outputs)
    return "in \(inputs) | out \(outputs) dBFS"
  }

  private func peaks(_ places: Range<Int>) -> String {
    places.map { Self.text(ofPeak: tally.take($0).peak) }.joined(separator: " ")
  }

  /// A peak in whole decibels of full scale; `-` for silence, which is anything below -120.
  static func text(ofPeak peak: Float) -> String {
    let decibels = 20 * log10(Double(peak))
    guard decibels > -120 else { return "-" }
    guard decibels.isFinite else { return "inf" }
    return String(Int(decibels.rounded()))
  }
}

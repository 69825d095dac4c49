import Glibc
import Handoff
import MatrixCore

/// Prints the levels of a second as one line: `run --meters`.
///
/// Control thread only.
struct MeterLines {
  private static let intervalNanoseconds: Int64 = 1_000_000_000

  private let shape: MatrixShape
  private let board: MeterBoard
  private(set) var deadlineNanoseconds: Int64

  init(shape: MatrixShape, board: MeterBoard, nowNanoseconds: Int64) {
    self.shape = shape
    self.board = board
    deadlineNanoseconds = nowNanoseconds + Self.intervalNanoseconds
    board.watch([.inputPre, .outputPost])
    board.request()
  }

  /// The line of the second that is over, when it is; nothing while audio gives no answer.
  mutating func line(nowNanoseconds: Int64) -> String? {
    guard nowNanoseconds >= deadlineNanoseconds else { return nil }
    deadlineNanoseconds = nowNanoseconds + Self.intervalNanoseconds
    guard board.isAnswered else { return nil }
    defer { board.request() }
    let inputs = peaks(.inputPre, channels: shape.inputs)
    let outputs = peaks(.outputPost, channels: shape.outputs)
    return "in \(inputs) | out \(outputs) dBFS"
  }

  private func peaks(_ point: MeterPoint, channels: Int) -> String {
    (0..<channels).map { Self.text(ofPeak: board.peak(point, $0)) }.joined(separator: " ")
  }

  /// A peak in whole decibels of full scale; `-` for silence, which is anything below -120.
  static func text(ofPeak peak: Float) -> String {
    let decibels = 20 * log10(Double(peak))
    guard decibels > -120 else { return "-" }
    return String(Int(decibels.rounded()))
  }
}

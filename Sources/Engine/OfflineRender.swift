import Handoff
import MatrixCore

/// Renders as fast as it can, sample-exact: the same cycle as on a card, without a clock.
///
/// Whatever the period, the result is the same. One thread; it may block and allocate.
public final class OfflineRender {
  /// Frames of one call, 1...4096.
  public let periodFrames: Int
  /// Output samples that were saturated, and samples that were not finite.
  public private(set) var counts = SampleCounts()

  private let cycle: RenderCycle
  private let board: EngineBoard
  private let table: RowTable

  /// Makes a render that drives a cycle from its next frame on; `board` counts what is mended.
  public init(cycle: RenderCycle, board: EngineBoard, periodFrames: Int) {
    precondition(
      periodFrames > 0 && periodFrames <= cycle.renderer.maximumFrames, "a period that fits")
    self.cycle = cycle
    self.board = board
    self.periodFrames = periodFrames
    table = RowTable(renderer: cycle.renderer, board: board)
  }

  /// Renders a whole file into another one of the same length.
  ///
  /// File channels beyond the inputs are ignored, inputs beyond the file are silent. `output` has a
  /// channel for each output of the matrix, and is finished. `before` is called ahead of every
  /// render call with its frames; what it pushes takes effect on its frames. It gives the frame
  /// up to which to render, so that it can cut a call short when it has too much to push; or nothing
  /// to give up, and then `output` is not finished.
  public func render(
    from input: WAVReader, to output: WAVWriter, before: (Range<Int64>) -> Int64?
  ) throws(WAVError) {
    precondition(output.channels == cycle.renderer.shape.outputs, "a channel for each output")
    var framesLeft = input.frameCount
    while framesLeft > 0 {
      guard let frames = callFrames(atMost: framesLeft, before: before) else { return }
      var mended = SampleCounts()
      _ = try input.read(
        frames: frames, into: table.rows.inputs, rowCount: table.rows.inputCount, counts: &mended)
      cycle.render(frames: frames)
      try output.write(
        frames: frames, from: table.rows.outputs, rowCount: table.rows.outputCount,
        counts: &mended)
      count(mended)
      framesLeft -= Int64(frames)
    }
    try output.finish()
  }

  /// Renders frames that the caller makes and takes, period by period.
  ///
  /// `fill` gets the rows before each call and the frames that the call renders, `drain` gets them
  /// after it. Output is as the renderer made it, neither saturated nor mended.
  public func render(
    frames: Int64, fill: (Range<Int64>, AudioRows) -> Void, before: (Range<Int64>) -> Int64,
    drain: (Range<Int64>, AudioRows) -> Void
  ) {
    var framesLeft = frames
    while framesLeft > 0 {
      guard let frames = callFrames(atMost: framesLeft, before: before) else { return }
      let range = cycle.position..<(cycle.position &+ Int64(frames))
      fill(range, table.rows)
      cycle.render(frames: frames)
      drain(range, table.rows)
      framesLeft -= Int64(frames)
    }
  }

  private func callFrames(atMost framesLeft: Int64, before: (Range<Int64>) -> Int64?) -> Int? {
    let start = cycle.position
    let end = start &+ min(Int64(periodFrames), framesLeft)
    return before(start..<end).map { Int(min(max($0, start &+ 1), end) &- start) }
  }

  private func count(_ mended: SampleCounts) {
    counts.clipped += mended.clipped
    counts.nonFinite += mended.nonFinite
    board.count(.clippedSamples, by: UInt64(mended.clipped))
    board.count(.nonFiniteSamples, by: UInt64(mended.nonFinite))
  }
}

import Handoff
import MatrixCore

/// The one reader of the meters: merges what everybody wants to know, and shares out what is read.
///
/// The board has one reader. What nobody wants is not asked for, so nothing is computed for it.
/// Control thread only.
public final class MeterReader {
  /// How long the board is given to answer before it is looked at again, in nanoseconds: more than
  /// one period of most cards.
  private static let answerNanoseconds: Int64 = 3_000_000
  /// After so long without an answer no sound is running, in nanoseconds: more than any period.
  private static let silenceNanoseconds: Int64 = 700_000_000

  private let board: MeterBoard
  private var tallies: [MeterTally] = []
  private var watched: (points: MeterPoints, crosspoints: [GainID]) = ([], [])
  private var intervalNanoseconds: Int64 = 0
  private var dueNanoseconds = Int64.max
  private var askedNanoseconds: Int64?

  /// Reads a board that nobody else reads.
  public init(board: MeterBoard) {
    self.board = board
  }

  /// The inputs and outputs of the mixer.
  package var shape: MatrixShape { board.shape }

  /// What has been wrong with the samples of the channel of a point, since its last reset.
  package func faults(of channel: Int, at point: MeterPoint) -> SampleFaults {
    point.isOfInputs ? board.faults(ofInput: channel) : board.faults(ofOutput: channel)
  }

  /// Counts the faults of the channel of a point anew.
  package func resetFaults(of channel: Int, at point: MeterPoint) {
    if point.isOfInputs {
      board.resetFaults(ofInput: channel)
    } else {
      board.resetFaults(ofOutput: channel)
    }
  }

  /// Whether so many more crosspoints can be watched, beside what is watched already.
  package func hasRoom(for crosspoints: [GainID], without own: MeterTally?) -> Bool {
    var all = Set(crosspoints.map(\.index))
    for tally in tallies where tally !== own { all.formUnion(tally.crosspoints.map(\.index)) }
    return all.count <= MeterPoint.maximumCrosspoints
  }

  /// Reads for these listeners from now on, and watches what they want.
  package func use(_ tallies: [MeterTally], now: Int64) {
    self.tallies = tallies
    var points: MeterPoints = []
    var crosspoints: [GainID] = []
    var isThere: Set<Int32> = []
    var hz = 0
    for tally in tallies {
      points.formUnion(tally.points)
      for gain in tally.crosspoints where isThere.insert(gain.index).inserted {
        crosspoints.append(gain)
      }
      hz = max(hz, tally.hz)
    }
    if points != watched.points || crosspoints.map(\.index) != watched.crosspoints.map(\.index) {
      watched = (points, crosspoints)
      board.watch(points, crosspoints: crosspoints)
    }
    guard hz > 0 else {
      dueNanoseconds = .max
      askedNanoseconds = nil
      return
    }
    intervalNanoseconds = 1_000_000_000 / Int64(hz)
    dueNanoseconds =
      dueNanoseconds == .max ? now : min(dueNanoseconds, now + intervalNanoseconds)
  }

  /// The listeners, to add one or take one away; see `use`.
  package var listeners: [MeterTally] { tallies }

  /// Asks for a reading or shares one out, when it is time; `now` is monotonic time in nanoseconds.
  public func tick(now: Int64) {
    guard now >= dueNanoseconds else { return }
    guard let asked = askedNanoseconds else {
      board.request()
      askedNanoseconds = now
      dueNanoseconds = now + Self.answerNanoseconds
      return
    }
    if board.isAnswered {
      for tally in tallies { tally.add(board, now: now) }
      askedNanoseconds = nil
      dueNanoseconds = max(now, asked + intervalNanoseconds)
    } else if now - asked < Self.silenceNanoseconds {
      dueNanoseconds = now + Self.answerNanoseconds
    } else {
      // The request stays; whoever runs next answers it.
      for tally in tallies { tally.addSilence(now: now) }
      dueNanoseconds = now + intervalNanoseconds
    }
  }

  /// The monotonic time, in nanoseconds, at which `tick` has something to do, or nothing.
  public var nextDeadline: Int64? { dueNanoseconds == .max ? nil : dueNanoseconds }
}

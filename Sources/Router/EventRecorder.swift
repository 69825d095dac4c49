import Control
import MatrixCore

/// Writes every change that is applied to an event file, from the first stream's first frame on.
///
/// Control thread only; the thread of files writes. When the disk cannot follow, what does not fit
/// the memory set aside is left out, counted and said.
package final class EventRecorder: HubRecorder {
  /// The most changes that wait to be written.
  package static let capacity = 262_144

  private let file: EventFileWriter
  private let write: (EventFileWriter, [AppliedChange]) -> Void
  private var changes: [AppliedChange] = []
  /// Changes that were taken and of which nobody has said yet whether they are in the file.
  private(set) var waiting = 0
  private var isRecording = false
  private var lateBefore = 0
  private var hasFailed = false
  /// Changes that are not in the file, because the disk did not follow or refused.
  package private(set) var lost = 0
  /// Changes that have been written into the file.
  package private(set) var recorded = 0

  /// Records into a file; `write` hands changes over to be written, and `written` is called once
  /// they are.
  package init(
    _ file: EventFileWriter, write: @escaping (EventFileWriter, [AppliedChange]) -> Void
  ) {
    self.file = file
    self.write = write
  }

  /// The first frame from `earliest` on on which a stream may begin for its record to be exact: a
  /// rendering begins on frame 0, and must be sent the same commands and glide by them alike.
  package static func startFrame(notBefore earliest: Int64) -> Int64 {
    // Both are powers of two.
    let grid = max(ControlHub.alignmentFrames, Renderer.alignmentFrames)
    return (earliest + grid - 1) / grid * grid
  }

  /// Begins with the state of a hub at the first frame of a stream, which is time 0 of the file; of
  /// a later stream nothing more need be said.
  ///
  /// Fades that run begin anew there. The frame is one from `startFrame(notBefore:)`.
  package func begin(atFrame frame: Int64, _ hub: ControlHub) {
    guard !isRecording else { return }
    isRecording = true
    lateBefore = hub.lateTransactions
    file.begin(atFrame: frame)
    hub.takeUpFades(atFrame: frame)
    let start = hub.changesFromRest(atFrame: frame)
    waiting += start.count
    write(file, start)
  }

  /// How many recorded transactions sounded later than the record says.
  package func late(in hub: ControlHub) -> Int {
    isRecording ? hub.lateTransactions - lateBefore : 0
  }

  /// Takes a change that was applied.
  package func hubApplied(_ change: AppliedChange) {
    guard isRecording else { return }
    guard waiting < Self.capacity else {
      lost += 1
      return
    }
    waiting += 1
    changes.append(change)
  }

  /// Hands over what has come up, at the end of a pass.
  package func tick() {
    guard !changes.isEmpty else { return }
    write(file, changes)
    changes.removeAll(keepingCapacity: true)
  }

  /// Takes note that changes are in their file, but for some that never will be.
  ///
  /// `reason` is the sentence that says why; gives what the user should know, once for each time
  /// that the disk begins to refuse or has space again.
  package func written(_ count: Int, lost: Int = 0, reason: String? = nil) -> String? {
    waiting -= count
    recorded += count - lost
    self.lost += lost
    let isNew = hasFailed != (reason != nil)
    hasFailed = reason != nil
    guard isNew else { return nil }
    guard let reason else { return "The record goes on; it lacks \(self.lost) changes." }
    return "\(reason) The show goes on; changes that cannot be recorded are counted."
  }
}

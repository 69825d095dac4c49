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
  private var waiting = 0
  private var isRecording = false
  private var lateBefore = 0
  /// Changes that are not in the file, because the disk did not follow or refused.
  package private(set) var lost = 0
  /// Changes that were handed over to be written.
  package private(set) var recorded = 0

  /// Records into a file; `write` hands changes over to be written, and `written` is called once
  /// they are.
  package init(
    _ file: EventFileWriter, write: @escaping (EventFileWriter, [AppliedChange]) -> Void
  ) {
    self.file = file
    self.write = write
  }

  /// Begins with the state of a hub at the first frame of a stream, which is time 0 of the file; of
  /// a later stream nothing more need be said.
  ///
  /// The frame must be a multiple of `Renderer.alignmentFrames` for the record to be exact.
  package func begin(atFrame frame: Int64, _ hub: ControlHub) {
    guard !isRecording else { return }
    isRecording = true
    lateBefore = hub.lateTransactions
    file.begin(atFrame: frame)
    let start = hub.changesFromRest(atFrame: frame)
    waiting += start.count
    recorded += start.count
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
    recorded += 1
    changes.append(change)
  }

  /// Hands over what has come up, at the end of a pass.
  package func tick() {
    guard !changes.isEmpty else { return }
    write(file, changes)
    changes.removeAll(keepingCapacity: true)
  }

  /// Takes note that changes are in their file, or that they never will be.
  package func written(_ count: Int, areLost: Bool = false) {
    waiting -= count
    if areLost { lost += count }
  }
}

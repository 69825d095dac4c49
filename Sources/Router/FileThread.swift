import CPlatform
import Engine

/// The thread of files: it alone reads and writes files while the router runs, because a disk may
/// keep whoever does so for seconds.
///
/// It does one thing after the other. The control thread hands over what is to be done, polls
/// `reportDescriptor`, and takes the reports.
package final class FileThread: Sendable {
  /// Something to be done, on the thread of files; what it captures is its alone or does not change.
  package typealias Job = @Sendable () -> FileReport

  private struct State {
    var jobs: [Job] = []
    var reports: [FileReport] = []
    var isEnding = false
    var unfinished = 0
    var since: Int64?
  }

  private let state = Guarded(State())
  private let jobWake: Int32
  /// Becomes readable when there is a report.
  package let reportDescriptor: Int32

  /// Makes it; `run` is the body of its thread.
  ///
  /// - Throws: a sentence when the process has no file descriptors left.
  package init() throws(DeviceError) {
    jobWake = crosspoint_wake_open()
    reportDescriptor = crosspoint_wake_open()
    guard jobWake >= 0, reportDescriptor >= 0 else {
      throw DeviceError("The system has no file descriptor left for files (ulimit -n).")
    }
  }

  deinit {
    crosspoint_close(jobWake)
    crosspoint_close(reportDescriptor)
  }

  // MARK: Control thread

  /// Hands over something to be done.
  package func submit(_ job: @escaping Job) {
    let now = crosspoint_monotonic_ns()
    state.withLock { state in
      state.jobs.append(job)
      state.unfinished += 1
      if state.since == nil { state.since = now }
    }
    crosspoint_wake_signal(jobWake)
  }

  /// Since when the disk has kept the thread at one thing, in monotonic nanoseconds; nothing while
  /// there is nothing to do.
  package var busySince: Int64? { state.withLock { $0.since } }

  /// The reports that have come since the last time, in order.
  package func takeReports() -> [FileReport] {
    _ = crosspoint_wake_clear(reportDescriptor)
    return state.withLock { state in
      defer { state.reports.removeAll(keepingCapacity: true) }
      return state.reports
    }
  }

  /// Lets the thread end once everything is done.
  package func end() {
    state.withLock { $0.isEnding = true }
    crosspoint_wake_signal(jobWake)
  }

  // MARK: Thread of files

  /// Does what is handed over until `end`.
  package func run() {
    var isEnding = false
    while !isEnding {
      _ = crosspoint_poll(jobWake, -1, -1)
      _ = crosspoint_wake_clear(jobWake)
      let (jobs, end) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isEnding)
      }
      for job in jobs {
        let report = job()
        let now = crosspoint_monotonic_ns()
        state.withLock { state in
          state.reports.append(report)
          state.unfinished -= 1
          state.since = state.unfinished > 0 ? now : nil
        }
        crosspoint_wake_signal(reportDescriptor)
      }
      isEnding = end
    }
  }
}

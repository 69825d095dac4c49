import Control
import Engine
import MatrixCore
import Messages

/// What a session keeps in files: the state and the record.
extension RouterSession {
  /// Watches a hub for changes that are to survive, where a state is kept.
  static func keeper(
    of hub: ControlHub, _ state: StartState, _ files: FileThread, _ log: Log
  ) -> StateKeeper? {
    guard let file = state.file else { return nil }
    return StateKeeper(
      hub, saved: state.savedSnapshot, file: file, files: files, mayReplace: state.mayReplace,
      say: { sentence, level, now in
        log.say(sentence, level, cause: "state", nowNanoseconds: now)
      })
  }

  /// Opens the file that changes are recorded in, where one is wanted.
  static func recorder(
    _ options: RunOptions, _ shape: MatrixShape, _ files: FileThread
  ) throws(StartError) -> EventRecorder? {
    guard let path = options.record else { return nil }
    do throws(OptionError) {
      let file = try EventFileWriter(path, rate: options.rateHz)
      try file.write(
        """
        # Recorded by crosspoint run: \(shape.inputs) inputs, \(shape.outputs) outputs, \
        \(options.rateHz) Hz, glide \(options.glideMilliseconds) ms.
        # A WAV file of so many channels and this rate goes the same way again with
        # crosspoint render IN.wav OUT.wav --events THIS --outputs \(shape.outputs) \
        --glide \(options.glideMilliseconds)

        """)
      return EventRecorder(file) { file, changes in
        files.submit {
          do throws(EventFileWriter.Failure) {
            try file.write(changes)
            return .recorded(changes.count, lost: 0, reason: nil)
          } catch {
            return .recorded(changes.count, lost: error.lost, reason: error.sentence)
          }
        }
      }
    } catch {
      throw StartError(code: .usage, sentence: error.description)
    }
  }

  /// What is counted about files, by the names that `/engine/status` shows.
  var fileCounters: [(name: String, value: Argument)] {
    var counters: [(name: String, value: Argument)] = [
      ("reloads", .int64(Int64(reloads))), ("refused_reloads", .int64(Int64(refusedReloads))),
      ("files_waiting_ms", .int64(filesWait(RouterClock.monotonic) / 1_000_000)),
    ]
    if let recorder {
      counters += [
        ("recorded_changes", .int64(Int64(recorder.recorded))),
        ("lost_recorded_changes", .int64(Int64(recorder.lost))),
        ("late_recorded_transactions", .int64(Int64(recorder.late(in: hub)))),
      ]
    }
    return counters
  }

  /// Takes what the thread of files has done.
  func takeReports(nowNanoseconds now: Int64) {
    for report in files.takeReports() {
      switch report {
      case .saved, .notSaved: keeper?.take(report, nowNanoseconds: now)
      case .recorded(let count, let lost, let reason):
        if let sentence = recorder?.written(count, lost: lost, reason: reason) {
          warn(sentence, cause: "record")
        }
      case .configuration(let read): finishReload(with: read)
      case .noConfiguration(let sentence): refuseReload(sentence)
      }
    }
  }

  /// How long the disk has not answered, in nanoseconds.
  private func filesWait(_ now: Int64) -> Int64 {
    files.busySince.map { max(0, now - $0) } ?? 0
  }

  /// When a disk that does not answer has to be told of, in monotonic nanoseconds, or nothing.
  var filesDeadline: Int64? {
    isDiskMissed ? nil : files.busySince.map { $0 + Self.diskPatienceNanoseconds }
  }

  /// Tells of a disk that does not answer, and that it does again.
  func watchFiles(nowNanoseconds now: Int64) {
    let isMissed = filesWait(now) >= Self.diskPatienceNanoseconds
    guard isMissed != isDiskMissed else { return }
    isDiskMissed = isMissed
    if isMissed {
      warn(
        "The disk has not answered for \(Self.diskPatienceNanoseconds / 1_000_000_000) s; saving, "
          + "recording and reloading wait for it, the sound does not.", cause: "files")
    } else {
      tell("The disk answers again.", cause: "files")
    }
  }

  /// Hands over what is not in its file yet, for the last time.
  func finishFiles() {
    keeper?.finish()
    recorder?.tick()
    files.end()
  }

  /// Says what is not on the disk, at the end; whoever asked for errors alone is told too.
  func tellLosses(nowNanoseconds now: Int64) {
    var losses = [keeper?.loss].compactMap { $0 }
    if let recorder {
      if recorder.lost > 0 || recorder.late(in: hub) > 0 {
        losses.append(
          "The record lacks \(recorder.lost) changes, and \(recorder.late(in: hub)) transactions "
            + "in it sounded later than it says.")
      }
      if recorder.waiting > 0 {
        losses.append(
          "The last \(recorder.waiting) changes may not be in the record, which was not written in "
            + "time.")
      }
    }
    for loss in losses { log.say(loss, .error, cause: "end", nowNanoseconds: now) }
  }
}

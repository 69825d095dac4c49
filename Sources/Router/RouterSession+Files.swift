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
          do throws(OptionError) {
            try file.write(changes)
            return .recorded(changes.count)
          } catch {
            return .notRecorded(changes.count, error.description)
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
      case .recorded(let count): recorder?.written(count)
      case .notRecorded(let count, let sentence):
        recorder?.written(count, areLost: true)
        warn("\(sentence) \(count) changes are not recorded.", cause: "record")
      case .configuration(let read): finishReload(with: read)
      case .noConfiguration(let sentence): refuseReload(sentence)
      }
    }
  }

  /// Hands over what is not in its file yet, for the last time.
  func finishFiles() {
    keeper?.finish()
    recorder?.tick()
    if let recorder, recorder.lost > 0 || recorder.late(in: hub) > 0 {
      warn(
        "The record lacks \(recorder.lost) changes, and \(recorder.late(in: hub)) transactions in "
          + "it sounded later than it says.", cause: "record")
    }
    files.end()
  }
}

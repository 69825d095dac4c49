import Handoff
import MatrixCore
import Messages

/// From state to replies.
extension ControlHub {
  /// Answers what a target reads, on its own address; of many values, the first `count`.
  ///
  /// `address` is the one that was used, where the numbers alone do not spell it.
  func answer(
    _ target: Target, count: Int, atFrame frame: Int64, to source: Source,
    as address: String? = nil, isCorrection: Bool = false
  ) {
    guard target.parameter != .set else {
      let value = Argument.float(readingAlone(target))
      return send(
        source, "/matrix/set", [.int32(Int32(target.input)), .int32(Int32(target.output)), value],
        isForListener: isCorrection)
    }
    if target.parameter.isMeter { return answerMeter(target, to: source, as: address) }
    send(
      source, address ?? ParameterTable.address(of: target),
      clientValues(of: target.parameter, to: source)
        ?? values(of: target, count: count, atFrame: frame), isForListener: isCorrection)
    switch target.parameter {
    case .sceneList: answerScenes(to: source)
    case .sceneSafe: answerSafe(to: source)
    default: break
    }
  }

  func values(of target: Target, count: Int, atFrame frame: Int64) -> [Argument] {
    if let number = numberRead(at: target, target.parameter.face ?? .gain) {
      return [number.argument]
    }
    return severalValues(of: target, count: count, atFrame: frame)
  }

  private func severalValues(of target: Target, count: Int, atFrame frame: Int64) -> [Argument] {
    switch target.parameter {
    case .crosspoint, .gain, .decibels, .fader, .mute, .solo, .soloSafe, .dim, .phase, .pair, .pan,
      .dimLevel:
      preconditionFailure("a number that is read like feedback")
    case .touch:
      [.int32(isTouched(target.gain(in: state.shape)) ? 1 : 0)]
    case .now:
      [.float(Float(levelRead(at: target, atFrame: frame)))]
    case .name:
      [.string(state.name(of: target.place, target.channel))]
    case .row, .column, .all:
      (0..<min(count, state.shape.valueCount(of: target))).map {
        .float(readingAlone(state.shape.crosspoint($0, of: target)))
      }
    case .dimensions:
      [.int32(Int32(state.shape.inputs)), .int32(Int32(state.shape.outputs))]
    case .levels:
      levels()
    case .info:
      [
        .string("crosspoint"), .string(configuration.version), .string(configuration.name),
        .int32(Int32(state.shape.inputs)), .int32(Int32(state.shape.outputs)),
        .int32(Int32(configuration.rate.rounded())),
      ]
    case .status:
      status(atFrame: frame)
    case .engineState:
      [.string(engineState.rawValue)]
    case .taper:
      [.string(configuration.taper.rawValue)]
    case .glide:
      [.float(Float(configuration.tauSeconds * 1_000))]
    case .members:
      members(of: target.input)
    case .sceneList:
      [.int32(Int32(state.scenes.numbers.count))]
    case .sceneInfo:
      sceneInfo(of: target.input)
    case .sceneCurrent:
      currentScene()
    case .sceneSafe:
      safeLists()[0]
    case .nudge, .stop, .set, .clear, .identity, .clearSolo, .ping, .panic, .resume, .reload,
      .sceneStore, .sceneRecall, .sceneRename, .sceneDelete, .undo, .redo, .identify:
      preconditionFailure("something that can be asked")
    case .hello, .subscribe, .unsubscribe, .bye, .sync, .xremote, .clientRate, .clientFace,
      .clientEcho, .clientList, .meterPre, .meterPost, .meter, .meterSubscribe, .meterUnsubscribe,
      .meterFormat, .meterHold, .meterReset:
      preconditionFailure("answered to each client by itself")
    }
  }

  /// What a list answers of a gain: the gain by itself, whatever it is paired with.
  private func readingAlone(_ target: Target) -> Float {
    Face.gain.reading(of: state.level(of: target.gain(in: state.shape)), taper: configuration.taper)
  }

  /// Apple's table of volumes (kAudioUnitProperty_MatrixLevels): a row per input, its crosspoints
  /// and then its own gain; then a row of the outputs' gains and the master's.
  private func levels() -> [Argument] {
    let shape = state.shape
    var table: [Argument] = []
    table.reserveCapacity((shape.inputs + 1) * (shape.outputs + 1))
    for input in 0..<shape.inputs {
      for output in 0..<shape.outputs {
        table.append(.float(Float(state.level(of: shape.crosspoint(input: input, output: output)))))
      }
      table.append(.float(Float(state.level(of: shape.input(input)))))
    }
    for output in 0..<shape.outputs {
      table.append(.float(Float(state.level(of: shape.output(output)))))
    }
    table.append(.float(Float(state.level(of: shape.master))))
    return table
  }

  private func status(atFrame frame: Int64) -> [Argument] {
    var named: [(name: String, value: Argument)] = [
      ("state", .string(engineState.rawValue)),
      ("frame", .int64(frame)),
      ("rate", .int32(Int32(configuration.rate.rounded()))),
      ("period", .int32(Int32(periodFrames))),
      ("load", .float(board.load)),
      ("lead_ms", .float(Float(lead) / 1e6)),
      ("queued", .int32(Int32(queuedTransactions))),
      ("revision", .int64(Int64(bitPattern: revision))),
    ]
    for counter in EngineCounter.allCases {
      named.append((counter.name, .int64(Int64(bitPattern: board.value(of: counter)))))
    }
    for (name, value) in counters.named { named.append((name, .int64(Int64(value)))) }
    for source in statusSources { named += source() }
    return named.flatMap { [.string($0.name), $0.value] }
  }
}

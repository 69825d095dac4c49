import MatrixCore
import Messages

/// Meters, and the noise that finds a loudspeaker.
extension ControlHub {
  /// Lets an output say which one it is, unless it is meant to be silent.
  ///
  /// The noise has a level of its own, so only what silences on purpose holds it back.
  func identify(_ target: Target, _ source: Source) {
    let output = state.shape.output(target.output)
    let way: String
    if board.isPanicking {
      way = "everything is silent in a panic; send /engine/resume first"
    } else if state.isOn(.mute, of: output) {
      way = "output \(target.output) is muted; send /matrix/out/\(target.output)/mute 0 first"
    } else if state.isOn(.mute, of: state.shape.master) {
      way = "the master is muted; send /matrix/master/mute 0 first"
    } else if state.factor(of: output) == 0 || state.factor(of: state.shape.master) == 0 {
      way =
        "a group that output \(target.output) or the master is in is muted or off; open it first"
    } else {
      board.identify(output: target.output)
      return
    }
    refuse(target, Refusal(.value, way), source)
  }

  /// Answers what a meter read last, to who has subscribed to it.
  func answerMeter(_ target: Target, to source: Source, as address: String?) {
    guard let values = clientRequests?.meterReading(of: target, to: source) else {
      return refuse(
        target,
        Refusal(
          .value, "nobody measures this for you; /meter/subscribe with its channel comes first"),
        source)
    }
    send(source, address ?? ParameterTable.address(of: target), values)
  }

  /// What a setting of meters answers to a client.
  func meterValues(of parameter: Parameter, to source: Source) -> [Argument] {
    let settings =
      clientRequests?.meterSettings(of: source) ?? (.floats, MeterRequest.usualHoldSeconds)
    return parameter == .meterFormat
      ? [.string(settings.format.rawValue)] : [.float(Float(settings.holdSeconds))]
  }
}

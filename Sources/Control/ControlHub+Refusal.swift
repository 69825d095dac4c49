import MatrixCore
import Messages

extension ControlHub {
  /// The most bytes of an address that an error repeats.
  private static var longestErrorAddress: Int { 256 }

  /// Tells the sender why nothing was applied.
  func refuse(
    _ message: MessageBatch.Message, of batch: MessageBatch, _ refusal: Refusal, at moment: Moment,
    from source: Source
  ) {
    if let cause = Refusal.Code.allCases.firstIndex(of: refusal.code) { tally.refused[cause] += 1 }
    lowerToUnity(at: moment, source)
    let address = message.address.prefix(Self.longestErrorAddress)
    send(
      source, Reply.errorAddress,
      [
        .string(String(decoding: batch.addressBytes[address], as: UTF8.self)),
        .string(refusal.code.rawValue), .string(refusal.text),
      ])
  }

  /// Tells the sender why something was not done that was right when it was said.
  func refuse(_ target: Target, _ refusal: Refusal, _ source: Source) {
    if let cause = Refusal.Code.allCases.firstIndex(of: refusal.code) { tally.refused[cause] += 1 }
    send(
      source, Reply.errorAddress,
      [
        .string(ParameterTable.address(of: target)), .string(refusal.code.rawValue),
        .string(refusal.text),
      ])
  }

  /// Takes levels down to unity that this source raised above it before it sent a wrong unit.
  private func lowerToUnity(at moment: Moment, _ source: Source) {
    for gain in draft.offended {
      let strands = state.pairs.strands(of: gain)
      var isRaised = false
      strands.eachGain { if state.raiser(of: $0) == source.code { isRaised = true } }
      guard isRaised else { continue }
      let frame =
        switch moment {
        case .frame(let frame): outbox.open(atFrame: frame, state)
        case .now(let arrival):
          outbox.open(atFrame: self.frame(at: arrival.monotonicNanoseconds), state)
        }
      let target = Target(.gain, of: gain, in: state.shape)
      let operation = Operation(verb: .level, target: target, number: 1, isLinked: true)
      move(strands.first, to: 1, of: operation, atFrame: frame, by: source)
      if let second = strands.second {
        move(second, to: 1, of: operation, atFrame: frame, by: source)
      }
      tally.loweredToUnity += 1
    }
    tellCurrentScene(by: source)
  }
}

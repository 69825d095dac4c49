import MatrixCore
import Messages

/// What an address is now, for callers inside the program that hold a position against it.
///
/// The reads allocate nothing; finding what an address means may. Control thread only.
extension ControlHub {
  /// Inputs and outputs.
  public var shape: MatrixShape { configuration.shape }

  /// The law of every fader.
  public var taper: Taper { configuration.taper }

  /// Everything that an address means in this matrix: one target, all that a pattern meets in the
  /// order in which it acts on them, or nothing where there is no such address here.
  ///
  /// A pattern that meets parameters of different kinds means nothing, as in a message.
  public func targets(of address: UnsafeBufferPointer<UInt8>) -> [Target] {
    if case .target(let target) = draft.tree.find(address) { return [target] }
    guard AddressPattern.isPattern(address), address.count <= Draft.longestPatternBytes else {
      return []
    }
    var hits: [Target] = []
    do throws(AddressTree.PatternFault) {
      try draft.tree.collect(address, limit: draft.maximumOperations, into: &hits)
    } catch {
      return []
    }
    return hits
  }

  /// The level that the stage of a target has or is on its way to, as linear gain: as its address
  /// reads, so of a crosspoint to a pair of outputs the level to both.
  ///
  /// The target must be one of this matrix and belong to a gain.
  public func level(of target: Target) -> Double {
    levelRead(at: target)
  }

  /// The level that the stage of a target has at a moment, as linear gain: where a fade has brought
  /// it on the frame on which a change of that moment would begin.
  ///
  /// The target must be one of this matrix and belong to a gain.
  public func travellingLevel(of target: Target, at moment: Moment) -> Double {
    levelRead(at: target, atFrame: frame(at: moment))
  }

  /// Whether the level of the stage of a target is still on its way at a moment.
  ///
  /// The target must be one of this matrix and belong to a gain.
  public func isTravelling(_ target: Target, at moment: Moment) -> Bool {
    let strand = state.pairs.strand(of: target.gain(in: state.shape))
    return !state.hasEnded(strand, by: frame(at: moment))
  }

  /// A number that is no level: a pan, or what dim turns down by, in dB.
  ///
  /// The target must be one of this matrix, and one of these.
  public func number(of target: Target) -> Double {
    switch target.parameter {
    case .dimLevel: return state.dimDB
    case .pan: return state.pan(of: state.pairs.strand(of: target.gain(in: state.shape)))
    default: preconditionFailure("a number that is no level")
    }
  }

  /// Whether a switch is on; of a touch, whether any hand is there.
  ///
  /// The target must be one of this matrix, and a mute, solo, solosafe, dim, phase, touch or pair.
  public func isOn(_ target: Target) -> Bool {
    guard target.parameter != .touch else { return isTouched(target.gain(in: state.shape)) }
    guard target.parameter != .pair else {
      return state.pairs.isLeft(target.channel, of: target.place)
    }
    return state.isOn(switchOf(target.parameter), of: target.gain(in: state.shape))
  }

  /// The frame on which a change of a moment would begin.
  private func frame(at moment: Moment) -> Int64 {
    switch moment {
    case .frame(let frame): max(outbox.frame, frame)
    case .now(let arrival): max(outbox.frame, frame(at: arrival.monotonicNanoseconds))
    }
  }
}

import MatrixCore

/// What moves together: the channels of pairs, and the gains to pairs of outputs.
///
/// A change of what was not addressed itself is told to observers as the program's own, so that
/// whoever moved the one side hears of the other.
extension ControlHub {
  /// Sends a strand's level on its way, or, without an end, its gains to where they are to be.
  func move(
    _ strand: Strand, to end: Double?, of operation: Operation, atFrame frame: Int64,
    by source: Source
  ) {
    let addressed = operation.target.gain(in: state.shape)
    let before = state.level(of: strand)
    let end = end ?? before
    guard let right = strand.right else {
      move(
        strand.left, to: end, over: operation.durationFrames, along: operation.curve,
        atFrame: frame, by: source, told: strand.left == addressed ? source : .local)
      return
    }
    let known = (left: state.level(of: strand.left), right: state.level(of: right))
    var gains = known
    if end != before {
      let pan = state.pan(of: strand)
      gains = MixState.split(end, pan: pan)
      state.keepPan(end == 0 ? pan : nil, of: strand)
    }
    for (gain, level) in [(strand.left, gains.left), (right, gains.right)] {
      let fade = travel(
        from: state.fade(of: gain), to: level, over: operation.durationFrames,
        along: operation.curve, atFrame: frame)
      follow(
        fade, gain, raisedFrom: before, to: end, by: source,
        told: gain == addressed ? source : .local)
    }
    // A gain that stays where it is, off at the far side of a pan, reads as the level of both.
    guard gains != known else { return }
    for (gain, isSame) in [
      (strand.left, gains.left == known.left), (right, gains.right == known.right),
    ] where isSame {
      changed(.gain, of: gain, by: gain == addressed ? source : .local)
    }
  }

  /// Ends the fades of a strand where they are.
  func stop(_ strands: Strands, addressed: GainID, _ frame: Int64, _ source: Source) {
    strands.eachGain { stop($0, frame, source, told: $0 == addressed ? source : .local) }
  }

  /// Tells of what reads otherwise because one gain of a pair has been set by itself.
  func toldAlone(_ gain: GainID) {
    guard let right = state.pairs.strand(of: gain).right else { return }
    let left = state.pairs.strand(of: gain).left
    changed(.gain, of: gain == left ? right : left, by: .local)
    changed(.pan, of: left, by: .local)
    changed(.pan, of: right, by: .local)
  }

  // MARK: Pairs

  /// Makes a pair or takes one apart; no level moves.
  func setPair(_ operation: Operation, _ source: Source) {
    let target = operation.target
    let on = operation.number != 0
    // What waited for its time may find a neighbour that has been paired meanwhile.
    if on, let refusal = state.pairs.refusal(ofPairing: target.channel, target.place) {
      return refuse(target, refusal, source)
    }
    guard state.pairs.set(on, target.channel, of: target.place) else { return }
    changed(target, by: source)
    guard target.place == .output else { return }
    // Levels to a pair read as levels of both, with a pan.
    for input in 0..<state.shape.inputs {
      for output in [target.output, target.output + 1] {
        let gain = state.shape.crosspoint(input: input, output: output)
        guard state.level(of: state.pairs.strand(of: gain)) > 0 || state.level(of: gain) > 0 else {
          continue
        }
        changed(.gain, of: gain, by: .local)
        changed(.pan, of: gain, by: .local)
      }
    }
  }

  // MARK: Pan

  /// Shares a level out between the outputs of a pair; a running fade of the level goes on.
  func setPan(_ operation: Operation, _ frame: Int64, _ source: Source) {
    let gain = operation.target.gain(in: state.shape)
    let strands = state.pairs.strands(of: gain)
    guard strands.first.right != nil else {
      if operation.number == 0 { return }
      return refuse(operation.target, Draft.panRefusal(operation.target, state.shape), source)
    }
    guard Float(state.pan(of: strands.first)) != operation.reading else { return }
    setPan(strands.first, operation.number, frame, addressed: gain, source)
    // The other side of a stereo source goes the other way, so that pan is its width.
    if let second = strands.second {
      setPan(second, -operation.number, frame, addressed: gain, source)
    }
  }

  private func setPan(
    _ strand: Strand, _ pan: Double, _ frame: Int64, addressed: GainID, _ source: Source
  ) {
    guard let right = strand.right else { return }
    let level = state.level(of: strand)
    let now = MixState.split(state.level(of: strand, at: frame), pan: pan)
    let then = MixState.split(level, pan: pan)
    let running = running(strand, at: frame)
    state.keepPan(level == 0 ? pan : nil, of: strand)
    for (gain, start, end) in [(strand.left, now.left, then.left), (right, now.right, then.right)] {
      var fade = Fade(steady: end)
      if let running, start != end {
        let left = Double(running.startFrame - frame) + running.durationFrames
        fade = Fade(
          startFrame: frame, start: start, end: end, durationFrames: left, curve: running.curve)
      }
      follow(
        fade, gain, raisedFrom: level, to: level, by: source, told: .local)
    }
    strand.eachGain { changed(.pan, of: $0, by: $0 == addressed ? source : .local) }
  }

  /// The fade of a strand that ends last, if one is running.
  private func running(_ strand: Strand, at frame: Int64) -> Fade? {
    var last: Fade?
    strand.eachGain { gain in
      let fade = state.fade(of: gain)
      guard !fade.hasEnded(by: frame) else { return }
      if let known = last,
        Double(known.startFrame) + known.durationFrames
          >= Double(fade.startFrame) + fade.durationFrames
      {
        return
      }
      last = fade
    }
    return last
  }
}

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
    var gains = (left: state.level(of: strand.left), right: state.level(of: right))
    let pan = state.pan(of: strand)
    if end != before {
      gains = MixState.split(end, pan: pan)
      state.keepPan(end == 0 ? pan : nil, of: strand)
    }
    var goesElsewhere = false
    for (gain, level) in [(strand.left, gains.left), (right, gains.right)] {
      let fade = travel(
        from: state.fade(of: gain), to: level, over: operation.durationFrames,
        along: operation.curve, atFrame: frame)
      if follow(fade, gain, raisedFrom: before, to: end, by: source) { goesElsewhere = true }
    }
    // Both addresses read the level of both, also where one gain is off at the far side of a pan;
    // so they are told once both are where they are to be.
    guard goesElsewhere else { return }
    strand.eachGain { changed(.gain, of: $0, by: $0 == addressed ? source : .local) }
    guard state.panReading(of: strand) != MixState.panReading(of: pan) else { return }
    strand.eachGain { changed(.pan, of: $0, by: .local) }
  }

  /// Ends the fades of a strand where they are.
  func stop(_ strands: Strands, addressed: GainID, _ frame: Int64, _ source: Source) {
    strands.eachGain { stop($0, frame, source, told: $0 == addressed ? source : .local) }
  }

  /// Tells of what reads otherwise because one gain of a pair has been set by itself.
  func toldAlone(_ gain: GainID) {
    let strand = state.pairs.strand(of: gain)
    guard let right = strand.right else { return }
    changed(.gain, of: gain == strand.left ? right : strand.left, by: .local)
    strand.eachGain { changed(.pan, of: $0, by: .local) }
  }

  // MARK: Pairs

  /// Makes a pair or takes one apart; no level moves.
  func setPair(_ operation: Operation, _ source: Source) {
    let target = operation.target
    let on = operation.number != 0
    let isSame = isOn(target) == on
    let isEcho = said != nil && isEcho(target, bits: on ? 1 : 0, isSame: isSame, from: source)
    if isSame { return confirmed(source) }
    if isEcho {
      tally.ignoredEchoes += 1
      return
    }
    // What waited for its time may find a neighbour that has been paired meanwhile.
    if on, let refusal = state.pairs.refusal(ofPairing: target.channel, target.place) {
      return refuse(target, refusal, source)
    }
    let gains = gainsAcross(target)
    let before = gains.map { crosspointRead($0) }
    state.pairs.set(on, target.channel, of: target.place)
    changed(target, by: source)
    for (gain, before) in zip(gains, before) {
      let now = crosspointRead(gain)
      let isMoving = before.isMoving || now.isMoving
      if before.level != now.level || (isMoving && target.place == .output) {
        changed(.gain, of: gain, by: .local)
      }
      if before.pan != now.pan { changed(.pan, of: gain, by: .local) }
    }
  }

  /// The crosspoints that may read otherwise once a channel and its right neighbour are linked, or
  /// no more: the levels to a pair of outputs, and the pans with which a pair of inputs comes up.
  private func gainsAcross(_ target: Target) -> [GainID] {
    let shape = state.shape
    let channels = [target.channel, target.channel + 1]
    guard target.place == .input else {
      return (0..<shape.inputs).flatMap { input in
        channels.map { shape.crosspoint(input: input, output: $0) }
      }
    }
    let outputs = state.pairs.lefts(of: .output).flatMap { [$0, $0 + 1] }
    return channels.flatMap { input in
      outputs.map { shape.crosspoint(input: input, output: $0) }
    }
  }

  private func crosspointRead(_ gain: GainID) -> (level: Double, isMoving: Bool, pan: Float) {
    let strand = state.pairs.strand(of: gain)
    return (
      state.level(of: strand), !state.hasEnded(strand, by: outbox.frame),
      state.panReading(of: strand)
    )
  }

  // MARK: Pan

  /// Shares a level out between the outputs of a pair; a running fade of the level goes on.
  func setPan(_ operation: Operation, _ frame: Int64, _ source: Source) {
    let gain = operation.target.gain(in: state.shape)
    let strands = state.pairs.strands(of: gain)
    guard strands.first.right != nil else {
      if operation.number == 0 { return confirmed(source) }
      return refuse(operation.target, Draft.panRefusal(operation.target, state.shape), source)
    }
    let isSame = state.panReading(of: strands.first) == operation.reading
    let isEcho =
      said != nil
      && isEcho(
        operation.target, bits: operation.reading.bitPattern, isSame: isSame, from: source)
    if isSame { return confirmed(source) }
    if isEcho {
      tally.ignoredEchoes += 1
      return
    }
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
      let fade =
        running.map { rest(of: $0, from: start, to: end, atFrame: frame) } ?? Fade(steady: end)
      _ = follow(fade, gain, raisedFrom: level, to: level, by: source)
    }
    // The level is as it was, but for what the two gains cannot keep of it.
    if !readsSame(state.level(of: strand), level) {
      strand.eachGain { changed(.gain, of: $0, by: .local) }
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

import MatrixCore

/// Measures the render call in the ways that the README promises, and prints a line for each.
///
/// Every row is the whole call with the meters of all inputs and outputs, and in `metered` with all
/// that there are: the best mean of several runs, on this thread; of calls that come once in a recall, the median of many recalls. Settled, moving
/// and fading mixers and recalls are measured for each instruction set of the processor, beside that
/// set's peak; all else for the one that `set` names. Fading rows and recalls say how often they cost
/// the moving row before them: moving gains glide alone, fading ones glide and step.
package func runBench(json: Bool, set: InstructionSet, print: (String) -> Void) {
  func show(_ row: BenchRow) { print(json ? row.json : row.text) }
  for set in InstructionSet.supported {
    let peak = PeakRow(instructionSet: set.rawValue, rate: set.measurePeak())
    print(json ? peak.json : peak.text)
    for size in [8, 64, 128, 256] {
      let rig = BenchRig(inputs: size, outputs: size, instructionSet: set)
      let all = rig.allCrosspoints
      rig.send(all, level: 0.5)
      rig.settle()
      show(row("dense", rig, active: all.count, time: rig.bestTime()))
      if size == 128 { show(metered(set)) }
      if size == 128 {
        let rows = movingAndFading(rig)
        for row in rows { show(row) }
        for row in recall(set, moving: rows[0].nanosecondsPerBlock) { show(row) }
      } else {
        let moving = rig.bestMovingTime(all)
        show(row("moving", rig, active: all.count, moving: all.count, time: moving))
      }
    }
  }
  let idle = BenchRig(inputs: 64, outputs: 64, instructionSet: set)
  show(row("idle", idle, active: 0, time: idle.bestTime()))
  for size in [128, 256] {
    for percent in [0, 1, 10, 50, 100] {
      show(density("random", size, randomGains(percent: percent), set))
    }
    for percent in [1, 10, 50, 100] {
      show(density("diagonal", size, diagonalGains(percent: percent), set))
    }
  }
  for row in denormals(set) { show(row) }
}

/// The same for the instruction set that the environment or the processor chooses.
package func runBench(json: Bool, print: (String) -> Void) {
  runBench(json: json, set: (try? InstructionSet.selected()) ?? .widest, print: print)
}

private func row(
  _ name: String, _ rig: BenchRig, active: Int, moving: Int = 0, time: Double
) -> BenchRow {
  BenchRow(
    name: name, inputs: rig.shape.inputs, outputs: rig.shape.outputs, frames: BenchRig.frames,
    active: active, moving: moving, nanosecondsPerBlock: time,
    instructionSet: rig.renderer.instructionSet.rawValue)
}

private func density(
  _ name: String, _ size: Int, _ choose: (MatrixShape) -> [GainID], _ set: InstructionSet
) -> BenchRow {
  let rig = BenchRig(inputs: size, outputs: size, instructionSet: set)
  let gains = choose(rig.shape)
  rig.send(gains, level: 0.5)
  rig.settle()
  return row(name, rig, active: gains.count, time: rig.bestTime())
}

private func randomGains(percent: Int) -> (MatrixShape) -> [GainID] {
  { shape in
    var state: UInt64 = 7
    return (0..<shape.crosspointCount).filter { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % 100) < percent
    }.map { GainID(index: Int32($0)) }
  }
}

/// Bands beside each other: output = (input + d) mod outputs for the first d.
private func diagonalGains(percent: Int) -> (MatrixShape) -> [GainID] {
  { shape in
    let bands = max(1, (shape.outputs * percent + 50) / 100)
    return (0..<shape.inputs).flatMap { input in
      (0..<bands).map { band in
        shape.crosspoint(input: input, output: (input + band) % shape.outputs)
      }
    }
  }
}

/// A settled matrix with everything metered that can be: all points, 64 crosspoints.
private func metered(_ set: InstructionSet) -> BenchRow {
  let rig = BenchRig(inputs: 128, outputs: 128, instructionSet: set)
  let all = rig.allCrosspoints
  rig.send(all, level: 0.5)
  rig.watch(crosspoints: 64)
  rig.settle()
  return row("metered", rig, active: all.count, time: rig.bestTime())
}

/// All crosspoints gliding, and all on fades of their own that step on every grid point, for each
/// curve.
///
/// Measured in turns, so that what else the machine does at a time weighs on all of them alike.
private func movingAndFading(_ moving: BenchRig) -> [BenchRow] {
  let all = moving.allCrosspoints
  let curves = [("fade_db", FadeCurve.decibels), ("fade_lin", .linear), ("fade_s", .smooth)]
  let fading = curves.map { _, curve in
    let rig = BenchRig(
      inputs: moving.shape.inputs, outputs: moving.shape.outputs,
      instructionSet: moving.renderer.instructionSet)
    let fade = Fade(startFrame: 0, start: 0.1, end: 1, durationFrames: 48_000 * 600, curve: curve)
    rig.send(all, fade: fade)
    rig.settle()
    return rig
  }
  var movingTime = Double.infinity
  var fadingTimes = fading.map { _ in Double.infinity }
  for _ in 0..<5 {
    movingTime = min(movingTime, moving.bestMovingTime(all))
    for (number, rig) in fading.enumerated() {
      fadingTimes[number] = min(fadingTimes[number], rig.bestTime())
    }
  }
  var rows = [row("moving", moving, active: all.count, moving: all.count, time: movingTime)]
  for (number, rig) in fading.enumerated() {
    var row = row(
      curves[number].0, rig, active: all.count, moving: all.count, time: fadingTimes[number])
    row.timesMoving = fadingTimes[number] / movingTime
    rows.append(row)
  }
  return rows
}

/// What the dearest calls of a recall of every crosspoint cost: the one that takes it over, without
/// a fade and along each curve; those in which all fades and all glides end; and one of a fade that
/// is sent in pieces.
private func recall(_ set: InstructionSet, moving: Double) -> [BenchRow] {
  let recall = RecallRows(instructionSet: set, size: 128)
  let decibels = recall.times(curve: .decibels)
  let times = [
    ("recall", recall.times(curve: nil).first), ("recall_db", decibels.first),
    ("recall_lin", recall.times(curve: .linear).first),
    ("recall_s", recall.times(curve: .smooth).first),
    ("fade_end", decibels.fadeEnd), ("glide_end", decibels.glideEnd),
    ("pieces", recall.piecesTime()),
  ]
  return times.map { name, time in
    var row = row(name, recall.rig, active: recall.count, moving: recall.count, time: time)
    row.timesMoving = time / moving
    return row
  }
}

/// A second of noise, then thirty of digital silence, while every gain fades to off.
///
/// On processors where denormals cost, silence would cost more than sound if any arose. Both are
/// told from seconds, of each of which the best of several runs counts.
private func denormals(_ set: InstructionSet) -> [BenchRow] {
  var seconds = [Double](repeating: .infinity, count: 31)
  let rig = BenchRig(inputs: 16, outputs: 16, instructionSet: set)
  let all = rig.allCrosspoints
  for _ in 0..<5 {
    rig.fillWithNoise()
    rig.send(all, level: 1)
    rig.settle()
    rig.send(
      all, fade: Fade(startFrame: 0, start: 1, end: 0, durationFrames: 48_000 * 31, curve: .linear))
    for second in seconds.indices {
      if second == 1 { rig.fillWithSilence() }
      seconds[second] = min(seconds[second], rig.time(blocks: 750))
    }
  }
  let silent = seconds[1...].reduce(0, +) / 30
  return [
    row("loud", rig, active: all.count, moving: all.count, time: seconds[0]),
    row("silent", rig, active: all.count, moving: all.count, time: silent),
  ]
}

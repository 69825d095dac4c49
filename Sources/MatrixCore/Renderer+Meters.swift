import CMatrixKernel

// Nothing is metered that nobody watches. What is wrong with samples is counted all the same: a
// comparison per vector finds out whether there is anything to count.

extension Renderer {
  // MARK: What is metered

  /// Meters these points from the next call on, and no others; a new one begins from nothing.
  @_noLocks @_noAllocation
  public func watch(_ points: MeterPoints) {
    let before = meters.state.pointee.points.rawValue
    for plane in 0..<MeterMemory.crosspointPlane
    where points.rawValue & ~before & (1 << plane) != 0 {
      meters.clear(plane: plane)
      meters.frames[plane] = 0
    }
    meters.state.pointee.points = points
    bank.state.pointee.areStagesStale = true
  }

  /// The points that are metered.
  public var watchedPoints: MeterPoints {
    @_noLocks @_noAllocation get { meters.state.pointee.points }
  }

  /// Meters so many crosspoints, 0...64, from the next call on; which ones is said place by place.
  @_noLocks @_noAllocation
  public func watchCrosspoints(count: Int) {
    let bounded = max(0, min(count, MeterPoint.maximumCrosspoints))
    for place in bounded..<MeterPoint.maximumCrosspoints {
      meters.crosspoints[place] = MeterMemory.Crosspoint()
    }
    meters.state.pointee.crosspointCount = bounded
  }

  /// Says which crosspoint a place below the count meters; a new one begins from nothing.
  ///
  /// A gain that is no crosspoint of this matrix is none, and silent.
  @_noLocks @_noAllocation
  public func watchCrosspoint(_ gain: GainID, at place: Int) {
    let count = meters.state.pointee.crosspointCount
    if place < 0 || place >= count { return }
    if meters.crosspoints[place].gain.index == gain.index { return }
    let index = Int(gain.index)
    var watched = MeterMemory.Crosspoint()
    watched.gain = gain
    let crosspoints = shape.inputs &* shape.outputs
    if index >= 0, index < crosspoints {
      watched.slot = bank.layout.slot(of: gain)
      watched.input = index / shape.outputs
    }
    meters.crosspoints[place] = watched
    let cell = meters.base(ofPlane: MeterMemory.crosspointPlane) &+ place
    meters.peaks[cell] = 0
    meters.sums[cell] = 0
  }

  // MARK: What has been gathered

  /// The highest magnitude of a channel at a watched point since `resetMeters`, linear; 1.0 is full
  /// scale, and what is not a number counts as infinite.
  @_noLocks @_noAllocation
  public func meterPeak(_ point: MeterPoint, _ channel: Int) -> Float {
    meters.peak(meters.base(ofPlane: point.index) &+ channel)
  }

  /// The mean of a channel's squares at a watched point, likewise; 0 when nothing was rendered.
  @_noLocks @_noAllocation
  public func meterMeanSquare(_ point: MeterPoint, _ channel: Int) -> Float {
    meters.meanSquare(
      meters.base(ofPlane: point.index) &+ channel, frames: meters.frames[point.index])
  }

  /// The crosspoint that a place meters; its index is -1 where there is none.
  @_noLocks @_noAllocation
  public func watchedCrosspoint(at place: Int) -> GainID {
    meters.crosspoints[place].gain
  }

  /// The highest magnitude behind a watched crosspoint since `resetMeters`, linear.
  @_noLocks @_noAllocation
  public func crosspointPeak(at place: Int) -> Float {
    meters.peak(meters.base(ofPlane: MeterMemory.crosspointPlane) &+ place)
  }

  /// The mean of the squares behind a watched crosspoint since `resetMeters`, linear.
  @_noLocks @_noAllocation
  public func crosspointMeanSquare(at place: Int) -> Float {
    meters.meanSquare(
      meters.base(ofPlane: MeterMemory.crosspointPlane) &+ place,
      frames: meters.crosspoints[place].frames)
  }

  /// Begins to meter anew.
  @_noLocks @_noAllocation
  public func resetMeters() {
    meters.reset()
  }

  /// What has been wrong with the samples of each input since the renderer was made.
  ///
  /// Full scale is counted here; what is not finite, by whoever fills the rows, which are finite.
  public var inputFaults: FaultCounters {
    @_noLocks @_noAllocation get { meters.inputFaults }
  }

  /// What has been wrong with the samples of each output since the renderer was made.
  public var outputFaults: FaultCounters {
    @_noLocks @_noAllocation get { meters.outputFaults }
  }

  // MARK: Within a call

  /// Whether a point is metered.
  @_noLocks @_noAllocation
  func watches(_ point: MeterPoint) -> Bool {
    meters.state.pointee.points.has(point)
  }

  /// Whether something is metered that a silent master leaves undone.
  var hasInnerMeters: Bool {
    @_noLocks @_noAllocation get {
      let state = meters.state.pointee
      let inner = MeterPoints(.inputPost).rawValue | MeterPoints(.outputPre).rawValue
      return state.crosspointCount > 0 || state.points.rawValue & inner != 0
    }
  }

  /// Meters and checks the inputs of a call.
  @_noLocks @_noAllocation
  func meterInputs(frames: Int) {
    let faults = meters.inputFaults.counts
    if watches(.inputPre) {
      meter(.inputPre, rows.inputs, frames: frames, faults: faults)
    } else {
      cmk_count_faults(
        bank.kernel, rows.inputs, rows.pitch, shape.inputs, nil, frames, SampleFaults.fullScale,
        faults)
    }
  }

  /// Meters the watched crosspoints over a segment, whose input gains are done.
  @_noLocks @_noAllocation
  func meterCrosspoints(frames: Int, offset: Int) {
    let count = meters.state.pointee.crosspointCount
    if count == 0 { return }
    for place in 0..<count {
      let to = rows.watched + place &* RowMemory.watchedPitch
      let watched = meters.crosspoints[place]
      meters.crosspoints[place].frames &+= frames
      let slot = watched.slot
      let isMoving = slot < 0 ? false : bank.isMoving(slot)
      let isSilent = slot < 0 ? true : (isMoving ? false : bank.target[slot] == 0)
      if isSilent {
        cmk_zero_rows(bank.kernel, to, RowMemory.watchedPitch, 1, frames)
        continue
      }
      let from = UnsafeMutablePointer(mutating: rows.sources[watched.input]) + cursor
      if isMoving {
        glide(slot, from: from, to: to, frames: frames, offset: offset)
      } else {
        cmk_scale(bank.kernel, to, from, bank.target[slot], frames)
      }
    }
    let base = meters.base(ofPlane: MeterMemory.crosspointPlane)
    cmk_measure_rows(
      bank.kernel, rows.watched, RowMemory.watchedPitch, count, nil, frames, meters.peaks + base,
      meters.sums + base, SampleFaults.fullScale, nil)
  }

  /// Meters the sums of the outputs over a segment, before their gains.
  @_noLocks @_noAllocation
  func meterSums(frames: Int) {
    if watches(.outputPre) { meter(.outputPre, rows.outputs + cursor, frames: frames) }
  }

  /// Meters and checks what goes out of a call, and the inputs behind their gains.
  @_noLocks @_noAllocation
  func meterOutputs() {
    if watches(.inputPost) { meter(.inputPost, rows.scaled, frames: cursor) }
    let faults = meters.outputFaults.counts
    if watches(.outputPost) {
      meter(.outputPost, rows.outputs, frames: cursor, faults: faults)
    } else {
      cmk_count_faults(
        bank.kernel, rows.outputs, rows.pitch, shape.outputs, rows.isLoud, cursor,
        SampleFaults.fullScale, faults)
    }
  }

  @_noLocks @_noAllocation
  private func meter(
    _ point: MeterPoint, _ row: UnsafeMutablePointer<Float>, frames: Int,
    faults: UnsafeMutablePointer<UInt64>? = nil
  ) {
    let base = meters.base(ofPlane: point.index)
    meters.frames[point.index] &+= frames
    cmk_measure_rows(
      bank.kernel, row, rows.pitch, point.isOfInputs ? shape.inputs : shape.outputs,
      point.isOfInputs ? nil : rows.isLoud, frames, meters.peaks + base, meters.sums + base,
      SampleFaults.fullScale, faults)
  }
}

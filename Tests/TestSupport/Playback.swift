import MatrixCore

/// What happens on a frame of a playback.
public enum PlaybackEvent: Sendable {
  /// A gain takes a new course.
  case gain(GainCommand)
  /// The gate opens or closes.
  case gate(open: Bool)
}

/// Renders a signal through a renderer, or through the reference, with events on exact frames.
public struct Playback {
  /// What each input carries at a frame since the start of the stream.
  public var signal: (_ input: Int, _ frame: Int) -> Float
  /// The length, in frames.
  public var frames: Int
  /// What happens, by frame since the start of the stream, in order.
  public var events: [(frame: Int, event: PlaybackEvent)] = []

  /// Makes a playback in which nothing happens yet.
  public init(frames: Int, signal: @escaping (_ input: Int, _ frame: Int) -> Float) {
    self.frames = frames
    self.signal = signal
  }

  /// Adds a level that a gain takes at once.
  public mutating func set(_ gain: GainID, to level: Double, factor: Double = 1, at frame: Int) {
    let fade = Fade(steady: level)
    events.append(
      (
        frame,
        .gain(
          GainCommand(
            frame: Int64(frame), gain: gain, endsTransaction: true, factor: factor, fade: fade))
      ))
  }

  /// Adds a fade that begins on its frame.
  public mutating func fade(
    _ gain: GainID, from start: Double, to end: Double, over durationFrames: Double,
    _ curve: FadeCurve, factor: Double = 1, at frame: Int
  ) {
    let fade = Fade(
      startFrame: Int64(frame), start: start, end: end, durationFrames: durationFrames,
      curve: curve)
    events.append(
      (
        frame,
        .gain(
          GainCommand(
            frame: Int64(frame), gain: gain, endsTransaction: true, factor: factor, fade: fade))
      ))
  }

  /// Adds a gate that opens or closes.
  public mutating func gate(open: Bool, at frame: Int) {
    events.append((frame, .gate(open: open)))
  }

  // Events know frames since the start of the stream; commands know absolute ones.
  private func moved(_ command: GainCommand, to start: Int64) -> GainCommand {
    var command = command
    command.frame += start
    command.fade.startFrame += start
    return command
  }

  /// Restarts a renderer at a frame and plays through it, in calls of a period's length.
  public func render(_ renderer: Renderer, period: Int, start: Int64 = 0) -> [[Float]] {
    renderer.restart(atFrame: start)
    var outputs = [[Float]](
      repeating: [], count: renderer.shape.outputs)
    for output in outputs.indices { outputs[output].reserveCapacity(frames) }
    var next = 0
    var position = 0
    while position < frames {
      let count = min(period, frames - position)
      for input in 0..<renderer.shape.inputs {
        let row = renderer.inputRow(input)
        for frame in 0..<count { row[frame] = signal(input, position + frame) }
      }
      renderer.begin(frames: count)
      var done = 0
      while done < count {
        while next < events.count, events[next].frame <= position + done {
          switch events[next].event {
          case .gain(let command): renderer.apply(moved(command, to: start))
          case .gate(let open): renderer.setGate(open: open)
          }
          next += 1
        }
        let cut = next < events.count ? events[next].frame - position : count
        let step = min(count, cut) - done
        renderer.advance(frames: step)
        done += step
      }
      renderer.finish()
      for output in outputs.indices {
        outputs[output].append(
          contentsOf: UnsafeBufferPointer(start: renderer.outputRow(output), count: count))
      }
      position += count
    }
    return outputs
  }

  /// Plays through the reference.
  public func reference(
    shape: MatrixShape, rate: Double, tauSeconds: Double, start: Int64 = 0
  ) -> [[Double]] {
    var reference = MatrixReference(
      shape: shape, rate: rate, tauSeconds: tauSeconds, start: start)
    var outputs = [[Double]](repeating: [], count: shape.outputs)
    var next = 0
    for frame in 0..<frames {
      while next < events.count, events[next].frame <= frame {
        switch events[next].event {
        case .gain(let command): reference.apply(moved(command, to: start))
        case .gate(let open): reference.setGate(open: open)
        }
        next += 1
      }
      let mixed = reference.render((0..<shape.inputs).map { signal($0, frame) })
      for output in outputs.indices { outputs[output].append(mixed[output]) }
    }
    return outputs
  }
}

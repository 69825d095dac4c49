import Glibc
import MatrixCore

/// The matrix mixer in its plainest form: every gain, every frame, one recurrence in Double.
///
/// Slow and obvious; the renderer is held to it.
public struct MatrixReference {
  private struct Gain {
    var first: Double
    var second: Double
    var target: Double
    var factor = 1.0
    var fade: Fade?
    var settleFrame: Int64 = .min
    var isMoving = false
  }

  private let shape: MatrixShape
  private let decay: Double
  private let settleFrames: Int64
  private var gains: [Gain]
  private var start: Int64 = 0
  private var isGateOpen = true
  /// The next frame.
  public private(set) var position: Int64 = 0

  /// Makes a silent mixer whose stream starts at a frame.
  public init(shape: MatrixShape, rate: Double, tauSeconds: Double, start: Int64) {
    self.shape = shape
    decay = exp(-1 / (tauSeconds * rate))
    settleFrames = Int64((22 * tauSeconds * rate - 1e-6).rounded(.up))
    gains = (0..<shape.gainCount).map { index in
      let level = index < shape.crosspointCount ? 0.0 : 1.0
      return Gain(
        first: level, second: level, target: level, fade: Fade(steady: level))
    }
    self.start = start
    position = start
  }

  private var nextGridPoint: Int64 { (position & ~63) + 64 }

  private mutating func retarget(_ index: Int) {
    guard let fade = gains[index].fade else { return }
    let level = fade.hasEnded(by: nextGridPoint) ? fade.end : fade.level(at: nextGridPoint)
    let isShut = index == shape.gainCount - 1 && !isGateOpen
    let target = isShut ? 0 : gains[index].factor * level
    if position == start, index >= shape.crosspointCount {
      gains[index].first = target
      gains[index].second = target
      gains[index].target = target
    } else if target != gains[index].target {
      gains[index].target = target
      gains[index].settleFrame = position + settleFrames
      gains[index].isMoving = true
    }
  }

  /// Takes a command on the next frame.
  public mutating func apply(_ command: GainCommand) {
    let index = Int(command.gain.index)
    gains[index].factor = command.factor
    gains[index].fade = command.fade
    retarget(index)
  }

  /// Opens or closes the gate on the next frame.
  public mutating func setGate(open: Bool) {
    isGateOpen = open
    retarget(shape.gainCount - 1)
  }

  /// The gain that sounds.
  public func current(_ gain: GainID) -> Double { gains[Int(gain.index)].second }

  /// Mixes one frame.
  public mutating func render(_ inputs: [Float]) -> [Double] {
    for index in gains.indices {
      if position & 63 == 0, position != start {
        if gains[index].isMoving, position >= gains[index].settleFrame {
          gains[index].first = gains[index].target
          gains[index].second = gains[index].target
          gains[index].isMoving = false
        }
        stepFade(index)
      }
      let target = gains[index].target
      gains[index].first = target + decay * (gains[index].first - target)
      gains[index].second =
        gains[index].first + decay * (gains[index].second - gains[index].first)
    }
    position += 1
    return mix(inputs)
  }

  // Commands of this frame were applied before; their fades must not be stepped twice, which
  // aiming at the same grid point again does not do.
  private mutating func stepFade(_ index: Int) {
    guard let fade = gains[index].fade, !fade.hasEnded(by: position) else { return }
    retarget(index)
  }

  private func mix(_ inputs: [Float]) -> [Double] {
    let crosspoints = shape.crosspointCount
    return (0..<shape.outputs).map { output in
      var sum = 0.0
      for input in 0..<shape.inputs {
        sum +=
          gains[input * shape.outputs + output].second * gains[crosspoints + input].second
          * Double(inputs[input])
      }
      return sum * gains[crosspoints + shape.inputs + output].second
        * gains[crosspoints + shape.inputs + shape.outputs].second
    }
  }
}

import Glibc
import MatrixCore

/// Levels and pans across pairs of outputs.
///
/// An input's two gains to a pair of outputs, a to the left and b to the right one, are read as a
/// level, √(a² + b²), and as a pan, -1...1, with a = level · cos θ and b = level · sin θ, where
/// θ = (pan + 1) · π/4: the constant power law, under which the loudness of a source does not
/// change with its place (J. Eargle, "Handbook of Recording Engineering", 4th ed., on panpots).
/// Only the gains are kept; while both are off, the pan that they shall come up with is kept too.
extension MixState {
  /// The level of a strand, standing or where it is on its way to.
  func level(of strand: Strand) -> Double {
    level(of: strand) { $0.end }
  }

  /// The level of a strand where a fade has brought it so far.
  func level(of strand: Strand, at frame: Int64) -> Double {
    level(of: strand) { $0.level(at: frame) }
  }

  /// The level of a strand where its fade began.
  func startLevel(of strand: Strand) -> Double {
    level(of: strand) { $0.start }
  }

  @inline(__always)
  private func level(of strand: Strand, _ part: (Fade) -> Double) -> Double {
    let left = part(fade(of: strand.left))
    guard let right = strand.right else { return left }
    let other = part(fade(of: right))
    // Gains that were set one by one can add up to more than a level may be.
    return other == 0 ? left : left == 0 ? other : min(hypot(left, other), Level.maximum)
  }

  /// Whether no part of a strand is on its way.
  func hasEnded(_ strand: Strand, by frame: Int64) -> Bool {
    guard fade(of: strand.left).hasEnded(by: frame) else { return false }
    return strand.right.map { fade(of: $0).hasEnded(by: frame) } ?? true
  }

  /// The pan of a strand to a pair, -1...1; 0 of any other.
  func pan(of strand: Strand) -> Double {
    guard let right = strand.right else { return 0 }
    let gains = (level(of: strand.left), level(of: right))
    switch gains {
    case (0, 0): return pansWhileOff[strand.left] ?? panAtStart(of: strand)
    case (_, 0): return -1
    case (0, _): return 1
    case (let left, let right) where left == right: return 0
    case (let left, let right): return atan2(right, left) * (4 / .pi) - 1
    }
  }

  /// The pan as the wire has it.
  ///
  /// What is nearer to the middle than any hand can hear reads as the middle: there a pan has more
  /// digits than the two gains can keep, and what was read would read otherwise once written back.
  func panReading(of strand: Strand) -> Float {
    Self.panReading(of: pan(of: strand))
  }

  /// A pan as the wire has it.
  static func panReading(of pan: Double) -> Float {
    let reading = Float(pan)
    return abs(reading) < 0x1p-24 ? 0 : reading
  }

  /// A source that is itself a pair comes up left to left and right to right, others in the middle.
  private func panAtStart(of strand: Strand) -> Double {
    guard case .crosspoint(let input, _) = shape.stage(of: strand.left),
      let left = pairs.left(of: input, .input)
    else { return 0 }
    return input == left ? -1 : 1
  }

  /// Keeps the pan that a strand which is off shall come up with, or forgets it.
  func keepPan(_ pan: Double?, of strand: Strand) {
    guard let pan, pan != panAtStart(of: strand) else {
      pansWhileOff[strand.left] = nil
      return
    }
    pansWhileOff[strand.left] = pan
  }

  /// The two gains of a level at a pan.
  static func split(_ level: Double, pan: Double) -> (left: Double, right: Double) {
    if pan <= -1 { return (level, 0) }
    if pan >= 1 { return (0, level) }
    // The same on both sides, to the last bit.
    if pan == 0 { return (level * 0.5.squareRoot(), level * 0.5.squareRoot()) }
    let angle = (pan + 1) * (.pi / 4)
    return (level * cos(angle), level * sin(angle))
  }
}

import Glibc

/// The tone that comes nearest to some samples, in the sense of least squares, and what it leaves.
struct ToneFit {
  /// Of the tone.
  let amplitude: Double
  /// The root mean square of what is left.
  let residual: Double

  init(_ samples: ArraySlice<Double>, frequency: Double) {
    let turns = samples.indices.map { index in
      let phase = 2 * .pi * frequency * Double(index - samples.startIndex) / 48000
      return (sine: sin(phase), cosine: cos(phase))
    }
    var (ss, cc, sc, xs, xc) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (turn, sample) in zip(turns, samples) {
      ss += turn.sine * turn.sine
      cc += turn.cosine * turn.cosine
      sc += turn.sine * turn.cosine
      xs += sample * turn.sine
      xc += sample * turn.cosine
    }
    let determinant = ss * cc - sc * sc
    let sine = (xs * cc - xc * sc) / determinant
    let cosine = (xc * ss - xs * sc) / determinant
    amplitude = (sine * sine + cosine * cosine).squareRoot()
    var left = 0.0
    for (turn, sample) in zip(turns, samples) {
      let rest = sample - sine * turn.sine - cosine * turn.cosine
      left += rest * rest
    }
    residual = (left / Double(samples.count)).squareRoot()
  }
}

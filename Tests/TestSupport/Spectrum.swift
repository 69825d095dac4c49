import Glibc

func log10Of(_ value: Double) -> Double { log10(value) }

/// A sine of an amplitude of 1.
public func sine(hertz: Double, rate: Double, phase: Double = 0, frame: Int) -> Float {
  Float(sin(2 * Double.pi * (hertz * Double(frame) / rate + phase)))
}

/// The peak of what a signal holds above a frequency: what is left of a smooth move of a low tone
/// is its click.
///
/// The signal is faded in and out over a quarter of its length at either end, so that these edges
/// do not count; its length is a power of two.
public func residuePeak(_ signal: [Float], above hertz: Double, rate: Double) -> Double {
  let count = signal.count
  precondition(count > 0 && count & (count - 1) == 0, "a power of two")
  var real = (0..<count).map { Double(signal[$0]) * taper($0, count) }
  var imaginary = [Double](repeating: 0, count: count)
  fourier(&real, &imaginary, direction: -1)
  for bin in 0..<count {
    let frequency = Double(min(bin, count - bin)) * rate / Double(count)
    if frequency < hertz {
      real[bin] = 0
      imaginary[bin] = 0
    }
  }
  fourier(&real, &imaginary, direction: 1)
  return real.reduce(0) { max($0, abs($1)) } / Double(count)
}

/// 1 in the middle half, and smooth in every derivative on the way to 0 at the ends.
private func taper(_ frame: Int, _ count: Int) -> Double {
  let edge = Double(min(frame, count - 1 - frame)) / (Double(count) / 4)
  if edge >= 1 { return 1 }
  if edge <= 0 { return 0 }
  return 1 / (1 + exp(1 / edge - 1 / (1 - edge)))
}

/// The discrete Fourier transform in place, radix 2, not scaled.
func fourier(_ real: inout [Double], _ imaginary: inout [Double], direction: Double) {
  let count = real.count
  var reversed = 0
  for index in 1..<max(count, 2) where index < count {
    var bit = count >> 1
    while reversed & bit != 0 {
      reversed ^= bit
      bit >>= 1
    }
    reversed |= bit
    if index < reversed {
      real.swapAt(index, reversed)
      imaginary.swapAt(index, reversed)
    }
  }
  var half = 1
  while half < count {
    let turn = direction * Double.pi / Double(half)
    let cosines = (0..<half).map { cos(turn * Double($0)) }
    let sines = (0..<half).map { sin(turn * Double($0)) }
    for start in stride(from: 0, to: count, by: 2 * half) {
      for offset in 0..<half {
        let low = start + offset
        let high = low + half
        let re = real[high] * cosines[offset] - imaginary[high] * sines[offset]
        let im = real[high] * sines[offset] + imaginary[high] * cosines[offset]
        real[high] = real[low] - re
        imaginary[high] = imaginary[low] - im
        real[low] += re
        imaginary[low] += im
      }
    }
    half *= 2
  }
}

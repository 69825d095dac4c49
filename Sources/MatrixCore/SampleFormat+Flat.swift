// Conversion of a run of samples, one format at a time: each loop is small enough to become vector
// code by itself, and the choice of the format is made once for a run.

extension SampleFormat {
  /// Converts samples of this format to floats; answers how many were not finite and became 0.
  @_noLocks @_noAllocation
  func decode(
    _ source: UnsafeRawPointer, count: Int, to floats: UnsafeMutablePointer<Float>
  ) -> Int {
    switch self {
    case .signed16:
      for index in 0..<count {
        let code = source.loadUnaligned(fromByteOffset: index &* 2, as: Int16.self)
        floats[index] = Float(Int16(littleEndian: code)) * 0x1p-15
      }
    case .signed24Packed:
      for index in 0..<count {
        let low = source.loadUnaligned(fromByteOffset: index &* 3, as: UInt16.self)
        let high = source.load(fromByteOffset: index &* 3 &+ 2, as: UInt8.self)
        let bits = UInt32(high) &<< 24 | UInt32(UInt16(littleEndian: low)) &<< 8
        floats[index] = Float(Int32(bitPattern: bits)) * 0x1p-31
      }
    case .signed24:
      for index in 0..<count {
        let code = source.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
        floats[index] = Float(Int32(bitPattern: UInt32(littleEndian: code) &<< 8)) * 0x1p-31
      }
    case .signed32:
      for index in 0..<count {
        let code = source.loadUnaligned(fromByteOffset: index &* 4, as: Int32.self)
        floats[index] = Float(Int32(littleEndian: code)) * 0x1p-31
      }
    case .float32:
      var nonFinite: Int32 = 0
      for index in 0..<count {
        let bits = source.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
        let value = Float(bitPattern: UInt32(littleEndian: bits))
        let isFinite = value.magnitude <= Float.greatestFiniteMagnitude
        floats[index] = isFinite ? value : 0
        nonFinite &+= isFinite ? 0 : 1
      }
      return Int(nonFinite)
    }
    return 0
  }

  /// Converts floats to samples of this format, saturated and rounded to the nearest code.
  ///
  /// `noise`, if there is one, is added in units of a code before rounding.
  @_noLocks @_noAllocation
  func encode(
    _ floats: UnsafePointer<Float>, count: Int, noise: UnsafePointer<Float>?,
    to target: UnsafeMutableRawPointer
  ) -> SampleCounts {
    var rounding = Rounding(format: self)
    switch self {
    case .signed16:
      if let noise {
        for index in 0..<count {
          let code = rounding.code(of: floats[index], noise: noise[index])
          target.storeBytes(
            of: Int16(truncatingIfNeeded: code).littleEndian, toByteOffset: index &* 2,
            as: Int16.self)
        }
      } else {
        for index in 0..<count {
          let code = rounding.code(of: floats[index], noise: 0)
          target.storeBytes(
            of: Int16(truncatingIfNeeded: code).littleEndian, toByteOffset: index &* 2,
            as: Int16.self)
        }
      }
    case .signed24Packed:
      for index in 0..<count {
        let code = rounding.code(of: floats[index], noise: 0)
        target.storeBytes(
          of: UInt16(truncatingIfNeeded: code).littleEndian, toByteOffset: index &* 3,
          as: UInt16.self)
        target.storeBytes(
          of: UInt8(truncatingIfNeeded: code &>> 16), toByteOffset: index &* 3 &+ 2,
          as: UInt8.self)
      }
    case .signed24, .signed32:
      for index in 0..<count {
        let code = rounding.code(of: floats[index], noise: 0)
        target.storeBytes(of: code.littleEndian, toByteOffset: index &* 4, as: Int32.self)
      }
    case .float32:
      for index in 0..<count {
        let value = rounding.saturated(floats[index])
        target.storeBytes(
          of: value.bitPattern.littleEndian, toByteOffset: index &* 4, as: UInt32.self)
      }
    }
    return rounding.counts
  }
}

/// From a float to the nearest code of an integer format, without a branch.
///
/// Adding 1.5 x 2^52 to a Double leaves its integer part, rounded to nearest, in the low bits; so
/// there is no conversion that could trap, and `roundf` is not called once per sample.
private struct Rounding {
  private let scale: Double
  private let highest: Double
  private let lowest: Double
  private var clipped: Int32 = 0
  private var nonFinite: Int32 = 0

  @_noLocks @_noAllocation
  init(format: SampleFormat) {
    switch format {
    case .signed16: scale = 0x1p15
    case .signed24, .signed24Packed: scale = 0x1p23
    case .signed32: scale = 0x1p31
    case .float32: scale = 1
    }
    highest = scale - 1
    lowest = -scale
  }

  var counts: SampleCounts {
    @_noLocks @_noAllocation get {
      SampleCounts(clipped: Int(clipped), nonFinite: Int(nonFinite))
    }
  }

  @inline(__always) @_noLocks @_noAllocation
  mutating func code(of value: Float, noise: Float) -> Int32 {
    let isFinite = value.magnitude <= Float.greatestFiniteMagnitude
    let scaled = Double(isFinite ? value : 0) * scale + Double(noise)
    // What would round to a code beyond the last one.
    let isAbove = scaled >= highest + 0.5
    let isBelow = scaled < lowest - 0.5
    nonFinite &+= isFinite ? 0 : 1
    clipped &+= (isAbove ? 1 : 0) &+ (isBelow ? 1 : 0)
    let bounded = isAbove ? highest : (isBelow ? lowest : scaled)
    return Int32(truncatingIfNeeded: (bounded + 0x1.8p52).bitPattern)
  }

  @inline(__always) @_noLocks @_noAllocation
  mutating func saturated(_ value: Float) -> Float {
    let isFinite = value.magnitude <= Float.greatestFiniteMagnitude
    let finite = isFinite ? value : 0
    let isAbove = finite > 1
    let isBelow = finite < -1
    nonFinite &+= isFinite ? 0 : 1
    clipped &+= (isAbove ? 1 : 0) &+ (isBelow ? 1 : 0)
    return isAbove ? 1 : (isBelow ? -1 : finite)
  }
}

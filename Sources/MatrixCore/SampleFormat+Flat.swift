import CMatrixKernel

// Conversion of a run of samples, one format at a time; the choice of the format is made once for a
// run.

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
      return Int(cmk_decode_floats(source, count, floats).nonfinite)
    }
    return 0
  }

  /// Converts floats to samples of this format, saturated and rounded to the nearest code.
  ///
  /// `noise`, if there is one, is added in units of a code before rounding; `codes` is room for as
  /// many codes as there are samples.
  @_noLocks @_noAllocation
  func encode(
    _ floats: UnsafePointer<Float>, count: Int, noise: UnsafePointer<Float>?,
    codes: UnsafeMutablePointer<Int32>, to target: UnsafeMutableRawPointer
  ) -> SampleCounts {
    let mended: cmk_mended
    switch self {
    case .signed16:
      mended = cmk_encode_codes(floats, count, 16, noise, codes)
      for index in 0..<count {
        target.storeBytes(
          of: Int16(truncatingIfNeeded: codes[index]), toByteOffset: index &* 2, as: Int16.self)
      }
    case .signed24Packed:
      mended = cmk_encode_codes(floats, count, 24, nil, codes)
      for index in 0..<count {
        let code = codes[index]
        target.storeBytes(
          of: UInt16(truncatingIfNeeded: code), toByteOffset: index &* 3, as: UInt16.self)
        target.storeBytes(
          of: UInt8(truncatingIfNeeded: code &>> 16), toByteOffset: index &* 3 &+ 2,
          as: UInt8.self)
      }
    case .signed24:
      mended = cmk_encode_codes(floats, count, 24, nil, codes)
      for index in 0..<count {
        target.storeBytes(of: codes[index], toByteOffset: index &* 4, as: Int32.self)
      }
    case .signed32:
      mended = cmk_encode_codes(floats, count, 32, nil, codes)
      for index in 0..<count {
        target.storeBytes(of: codes[index], toByteOffset: index &* 4, as: Int32.self)
      }
    case .float32:
      mended = cmk_encode_floats(floats, count, target)
    }
    return SampleCounts(clipped: Int(mended.clipped), nonFinite: Int(mended.nonfinite))
  }
}

extension Renderer {
  /// A stream that begins so many frames later, or a multiple of them, gives the very same samples.
  ///
  /// Glides are told from origins on this grid; between two streams that are shifted otherwise there
  /// are differences in the last bits.
  public static var alignmentFrames: Int64 { Int64(GlideLaw.maximumEpochFrames) }
}

import Engine
import MatrixCore

/// The audio thread's side.
extension MatrixMixer {
  /// Renders the next frames from planar buffers into planar buffers.
  ///
  /// Audio thread, one at a time; neither locks nor allocates. Samples that are not finite count
  /// as 0. Sums above full scale are handed on as they are. An output may be the buffer of an
  /// input with the same number.
  ///
  /// - Parameters:
  ///   - inputs: a pointer per input channel to `frameCount` samples; 1.0 is full scale.
  ///   - outputs: a pointer per output channel to room for as many.
  ///   - frameCount: how many frames; any number.
  @_noLocks @_noAllocation
  public func render(
    inputs: UnsafePointer<UnsafePointer<Float>>,
    outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    var done = 0
    while done < frameCount {
      let frames = min(frameCount &- done, renderTarget.maximumFrames)
      for input in 0..<shape.inputs {
        let source = inputs[input] + done
        let row = renderTarget.inputRow(input)
        for frame in 0..<frames { row[frame] = source[frame].isFinite ? source[frame] : 0 }
      }
      renderTarget.render(frames: frames)
      for output in 0..<shape.outputs {
        let target = outputs[output] + done
        let row = renderTarget.outputRow(output)
        for frame in 0..<frames { target[frame] = row[frame] }
      }
      done &+= frames
    }
  }
}

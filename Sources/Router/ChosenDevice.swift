import ALSA
import Engine
import Glibc
import MatrixCore

/// The device that the options lead to, and the matrix that goes with it.
struct ChosenDevice {
  /// The channels of each side where neither the user nor a card says how many.
  private static let usualChannels = 8

  /// What opens the device.
  let source: any AudioDeviceSource
  /// The matrix.
  let shape: MatrixShape
  /// Words for the ready line about how the device was chosen.
  let remark: String

  /// Chooses; looks at the card, if there is one, for its number of channels.
  init(_ options: RunOptions) {
    let names: (capture: String?, playback: String?)?
    switch options.device {
    case .virtual:
      names = nil
      remark = ""
    case .cards(let capture, let playback):
      names = (capture, playback)
      remark = ""
    case .automatic:
      let isThere = Self.isThere("default", .capture) && Self.isThere("default", .playback)
      names = isThere ? ("default", "default") : nil
      remark = isThere ? "" : " (no sound card was found)"
    }
    let capture = names.flatMap { $0.capture.flatMap { Self.channels($0, .capture) } }
    let playback = names.flatMap { $0.playback.flatMap { Self.channels($0, .playback) } }
    shape = Self.shape(
      inputs: options.inputs ?? capture, outputs: options.outputs ?? playback)
    if let names {
      source = ALSADeviceSource(capture: names.capture, playback: names.playback)
    } else {
      source = VirtualDeviceSource()
    }
  }

  /// Whether there is such a device; one that is in use will be free again.
  private static func isThere(_ name: String, _ direction: PCMDirection) -> Bool {
    do throws(ALSAError) {
      _ = try PCM(opening: name, direction: direction)
      return true
    } catch {
      return error.code == -EBUSY
    }
  }

  /// The channels of a card; nothing when it is not there, or does not say because it is made of
  /// software that takes any number.
  private static func channels(_ name: String, _ direction: PCMDirection) -> Int? {
    guard let pcm = try? PCM(opening: name, direction: direction),
      let range = try? pcm.channelRange()
    else { return nil }
    return range.upperBound <= MatrixShape.maximumChannels ? range.upperBound : nil
  }

  private static func shape(inputs: Int?, outputs: Int?) -> MatrixShape {
    let inputs = inputs ?? usualChannels
    let outputs = outputs ?? usualChannels
    if let shape = MatrixShape(inputs: inputs, outputs: outputs) { return shape }
    // Two cards of 512 channels are more than a matrix may have: as many of both as fit.
    let side = Int(Double(MatrixShape.maximumCrosspoints).squareRoot())
    guard let shape = MatrixShape(inputs: min(inputs, side), outputs: min(outputs, side)) else {
      preconditionFailure("a square of the most crosspoints is a matrix")
    }
    return shape
  }
}

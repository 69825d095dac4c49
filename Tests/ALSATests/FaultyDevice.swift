import ALSA
import Engine
import FaultCard
import Glibc
import Handoff
import TestSupport

/// Runs an ALSA device the way the audio thread does, copying input rows to output rows.
final class FaultyDevice {
  let device: any AudioDevice
  let board = EngineBoard(rate: 48000)
  private let rows: AudioRows
  private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let samples: UnsafeMutablePointer<Float>
  private let maximumFrames: Int

  /// What every call answered that was not `ready`, in order.
  private(set) var troubles: [DeviceStep] = []
  /// What input 0 carried, cycle by cycle.
  private(set) var heard: [Float] = []

  init(_ source: ALSADeviceSource, _ request: DeviceRequest) throws(DeviceError) {
    device = try source.open(request)
    maximumFrames = request.maximumFrames
    let count = request.inputs + request.outputs
    samples = .allocate(capacity: count * maximumFrames)
    // What a device leaves untouched shows up as 0.5.
    samples.initialize(repeating: 0.5, count: count * maximumFrames)
    pointers = .allocate(capacity: count)
    for channel in 0..<count {
      (pointers + channel).initialize(to: samples + channel * maximumFrames)
    }
    rows = AudioRows(
      inputs: UnsafePointer(pointers), inputCount: request.inputs,
      outputs: UnsafePointer(pointers + request.inputs), outputCount: request.outputs,
      board: board)
  }

  deinit {
    device.close()
    pointers.deallocate()
    samples.deallocate()
  }

  /// A sample of the last cycle.
  func input(_ channel: Int, _ frame: Int) -> Float { rows.inputs[channel][frame] }

  /// Runs so many whole cycles; false when the device was lost before, or never got that far.
  func run(cycles: Int, wake: Int32 = -1) -> Bool {
    var left = cycles
    // Every step that is not a cycle is trouble, and no device may make endless trouble.
    var patience = cycles + 500
    while left > 0, patience > 0 {
      patience -= 1
      switch cycle(wake: wake) {
      case .ready: left -= 1
      case .lost, .finished: return false
      case .woken, .restarted: break
      }
    }
    return left == 0
  }

  /// One turn of the audio thread's loop.
  func cycle(wake: Int32 = -1) -> DeviceStep {
    let step = turn(wake: wake)
    if case .ready = step { return step }
    troubles.append(step)
    return step
  }

  private func turn(wake: Int32) -> DeviceStep {
    let waited = device.wait(wake: wake)
    guard case .ready(let frames) = waited else { return waited }
    let read = device.read(frames: frames, into: rows)
    guard case .ready = read else { return read }
    for frame in 0..<frames { heard.append(rows.inputs[0][frame]) }
    for output in 0..<rows.outputCount {
      let row = rows.outputs[output]
      if output < rows.inputCount {
        row.update(from: rows.inputs[output], count: frames)
      } else {
        row.update(repeating: 0.25, count: frames)
      }
    }
    return device.write(frames: frames, from: rows)
  }
}

/// A file that a card plays into.
struct PlayedFile {
  private static let name = "played.raw"
  private let folder = TemporaryFolder()

  /// Where it will be.
  var path: String { folder.path(of: Self.name) }

  /// Reads what was played, and removes the file.
  func take() -> [UInt8] {
    defer { unlink(path) }
    return folder.read(Self.name)
  }

  /// Reads what was played as samples of 32 bits, and removes the file.
  func takeSamples() -> [Int32] {
    let bytes = take()
    return bytes.withUnsafeBytes { raw in
      (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
    }
  }
}

/// The first place at which two signals differ, as a place and what is there; nothing when equal.
func difference<Sample: Equatable>(_ first: [Sample], _ second: [Sample]) -> String? {
  for (place, pair) in zip(first, second).enumerated() where pair.0 != pair.1 {
    return "at \(place): \(pair.0), \(pair.1)"
  }
  return first.count == second.count ? nil : "\(first.count) samples, \(second.count) samples"
}

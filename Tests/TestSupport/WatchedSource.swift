import CTestSupport
import Engine
import Synchronization

/// The virtual device with an eye on the thread that plays it, from its first period to its last.
package final class WatchedSource: AudioDeviceSource {
  /// Set to end the playing as a device does that comes to its end.
  package let isOver = Atomic<Bool>(false)
  /// How many times that thread has allocated (the lower half) and locked (the upper half), once
  /// the device has been halted.
  package let found = Atomic<UInt64>(.max)

  package let name = "watched"

  package init() {}

  package func open(_ request: DeviceRequest) throws(DeviceError) -> any AudioDevice {
    WatchedDevice(try VirtualDeviceSource().open(request), self)
  }
}

private final class WatchedDevice: AudioDevice {
  private let device: any AudioDevice
  private let source: WatchedSource

  init(_ device: any AudioDevice, _ source: WatchedSource) {
    self.device = device
    self.source = source
  }

  var description: DeviceDescription { device.description }

  func start() -> DeviceStep {
    crosspoint_test_watch_begin()
    return device.start()
  }

  func wait(wake: Int32) -> DeviceStep {
    source.isOver.load(ordering: .acquiring) ? .finished : device.wait(wake: wake)
  }

  func read(frames: Int, into rows: AudioRows) -> DeviceStep {
    device.read(frames: frames, into: rows)
  }

  func write(frames: Int, from rows: AudioRows) -> DeviceStep {
    device.write(frames: frames, from: rows)
  }

  func halt() {
    source.found.store(crosspoint_test_watch_end(), ordering: .releasing)
    device.halt()
  }

  func lossSentence() -> String { device.lossSentence() }
  func close() { device.close() }
}

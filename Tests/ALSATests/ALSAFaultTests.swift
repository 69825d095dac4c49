import ALSA
import CPlatform
import Engine
import FaultCard
import Testing

@Suite("An ALSA device that fails")
struct ALSAFaultTests {
  private let request = DeviceRequest(
    inputs: 2, outputs: 2, rate: 48000, periodFrames: 64, periods: 2, maximumFrames: 4096)

  private func bench(_ name: String) throws -> FaultyDevice {
    try FaultyDevice(ALSADeviceSource(capture: name, playback: name), request)
  }

  @Test("PC-04: a machine that slept twice plays on twice")
  func suspend() throws {
    let name = "fault:id=suspend,suspend=4"
    let bench = try bench(name)
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(bench.run(cycles: 20))
    #expect(bench.troubles == [.restarted, .restarted])
    // Five times it was told to wait, then it was back; the second time it was told no at once.
    #expect(faultcard_calls(name, faultcard_resume) == 7)
  }

  @Test("PC-05: a card that is pulled out is lost at once, and can be opened when it is back")
  func unplug() throws {
    let name = "fault:id=unplug,unplug=10"
    let bench = try bench(name)
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(!bench.run(cycles: 20))
    #expect(bench.troubles == [.lost])
    #expect(bench.device.lossSentence() == "\(name) has been unplugged.")
    bench.device.close()
    #expect(
      throws: DeviceError(
        "\(name) is not there; connect it, or choose one that 'crosspoint devices' lists.")
    ) {
      try ALSADeviceSource(capture: name, playback: name).open(request)
    }
    faultcard_heal(name)
    let again = try self.bench(name)
    #expect(again.device.start() == .ready(frames: 0))
    #expect(again.run(cycles: 20))
  }

  @Test("PC-05: a card on which nothing moves is given up, and is not polled in circles till then")
  func stall() throws {
    let name = "fault:id=stall,stall=10"
    let bench = try bench(name)
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(!bench.run(cycles: 20))
    #expect(bench.troubles.last == .lost)
    #expect(bench.troubles.dropLast().allSatisfy { $0 == .restarted })
    #expect(bench.device.lossSentence() == "\(name) has stopped moving samples.")
    // A second of trouble at 5 ms or more a look, not a second of looking.
    #expect(faultcard_calls(name, faultcard_available) < 1000)
    #expect(faultcard_calls(name, faultcard_write) < 1000)
  }

  @Test("PC-05: the wake-up is seen while nothing moves")
  func wakeWhileStalled() throws {
    let bench = try bench("fault:id=wake,stall=10")
    #expect(bench.device.start() == .ready(frames: 0))
    let wake = crosspoint_wake_open()
    defer { crosspoint_close(wake) }
    while bench.cycle(wake: wake) != .restarted {}
    crosspoint_wake_signal(wake)
    #expect(bench.cycle(wake: wake) == .woken)
    #expect(crosspoint_wake_clear(wake) != 0)
  }

  @Test(
    "PC-06: reads and writes that move less than they were asked for leave no gap and no repeat",
    arguments: ["1", "7", "56", "1+7+56+0", "3+0+1"])
  func shortTransfers(lengths: String) throws {
    let file = PlayedFile()
    let bench = try bench("fault:id=short,short=\(lengths),out=\(file.path)")
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(bench.run(cycles: 8))
    #expect(bench.troubles == [])
    bench.device.close()
    let played = file.takeSamples()
    let expected = [Int32](repeating: 0, count: 256) + (0..<1024).map { Int32($0 / 2) }
    #expect(difference(played, expected) == nil)
  }

  @Test("PC-13: a card in use says so until it is free")
  func busy() throws {
    let name = "fault:id=busy,busy=3"
    for _ in 0..<3 {
      #expect(
        throws: DeviceError(
          "\(name) is in use by another program; stop it, or choose another device.")
      ) {
        try ALSADeviceSource(capture: nil, playback: name).open(request)
      }
    }
    #expect(throws: Never.self) {
      try ALSADeviceSource(capture: nil, playback: name).open(request)
    }
  }

  @Test(
    "PC-14: after xruns on every third call the stream is steady again",
    arguments: ["writei/3/40", "readi/3/40", "readi/2/5", "start/2/3"])
  func xruns(script: String) throws {
    let file = PlayedFile()
    let name = "fault:id=xruns,xrun=\(script),out=\(file.path)"
    let bench = try bench(name)
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(bench.run(cycles: 200))
    #expect(bench.troubles.allSatisfy { $0 == .restarted })
    let before = bench.troubles.count
    #expect(bench.run(cycles: 20))
    #expect(bench.troubles.count == before)
    bench.device.close()
    // After each restart a buffer of silence, then the period that was rendered, whole.
    let tail = file.takeSamples().suffix(20 * 128)
    #expect(zip(tail, tail.dropFirst(2)).allSatisfy { $1 - $0 == 1 })
  }

  @Test("PC-14: a card that never plays a second period is given up")
  func endlessXruns() throws {
    let bench = try bench("fault:id=endless,xrun=writei/1/1000000")
    let started = bench.device.start()
    #expect(started == .ready(frames: 0))
    #expect(!bench.run(cycles: 1))
    #expect(bench.troubles.last == .lost)
  }
}

import ALSA
import Engine
import FaultCard
import Testing

@Suite("An ALSA device that does as it should")
struct ALSADeviceTests {
  private func request(
    inputs: Int = 2, outputs: Int = 2, rate: Int = 48000, period: Int = 64, periods: Int = 2
  ) -> DeviceRequest {
    DeviceRequest(
      inputs: inputs, outputs: outputs, rate: rate, periodFrames: period, periods: periods,
      maximumFrames: 4096)
  }

  @Test("PC-02: playback begins with a buffer of silence, and nothing is lost or added after it")
  func prefill() throws {
    let file = PlayedFile()
    let name = "fault:id=prefill,out=\(file.path)"
    let bench = try FaultyDevice(
      ALSADeviceSource(capture: name, playback: name), request(periods: 3))
    #expect(bench.device.description.outputLatencyFrames == 192)
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(bench.run(cycles: 5))
    #expect(bench.troubles == [])
    bench.device.close()
    // Frame n of the card's input has n in every channel, and both channels went straight through.
    let played = file.takeSamples()
    let expected = [Int32](repeating: 0, count: 384) + (0..<640).map { Int32($0 / 2) }
    #expect(difference(played, expected) == nil)
  }

  @Test("PC-03: directions that cannot be linked run all the same, with one warning")
  func unlinked() throws {
    let name = "fault:id=unlinked"
    let bench = try FaultyDevice(ALSADeviceSource(capture: name, playback: name), request())
    #expect(bench.device.description.warnings.count == 1)
    #expect(bench.device.description.warnings.first?.contains("as one") == true)
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(bench.run(cycles: 3))
  }

  @Test("PC-07: a rate that a card lacks is refused with both rates, and not asked for again")
  func rates() throws {
    let slow = "fault:id=slow,rate=44100"
    let fast = "fault:id=fast,rate=48000"
    #expect(
      throws: DeviceError("\(fast) runs at 48000 Hz, not at 44100 Hz.", isPermanent: true)
    ) {
      try ALSADeviceSource(capture: nil, playback: fast).open(request(rate: 44100))
    }
    #expect(
      throws: DeviceError("\(slow) runs at 44100 Hz, not at 48000 Hz.", isPermanent: true)
    ) {
      try ALSADeviceSource(capture: slow, playback: fast).open(request(rate: 48000))
    }
  }

  @Test(
    "PC-08: 24 bits are found where each format keeps them",
    arguments: [
      ("S24_3LE", "aacbed"), ("S24_LE", "aacbed55"), ("S24_LE", "aacbed00"),
      ("S24_LE", "aacbedff"), ("S32_LE", "00aacbed"),
    ])
  func formats(format: String, bytes: String) throws {
    let name = "fault:id=formats,formats=\(format),bytes=\(bytes)"
    let bench = try FaultyDevice(ALSADeviceSource(capture: name, playback: nil), request())
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(bench.run(cycles: 1))
    let value: Float = -1_193_046 / 8_388_608.0
    #expect((0..<64).allSatisfy { bench.input(0, $0) == value && bench.input(1, $0) == value })
  }

  @Test("PC-08: S24_LE goes out with its sign extended")
  func signExtension() throws {
    let file = PlayedFile()
    let name = "fault:id=sign,formats=S24_LE,bytes=aacbed55,out=\(file.path)"
    let bench = try FaultyDevice(ALSADeviceSource(capture: name, playback: name), request())
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(bench.run(cycles: 2))
    bench.device.close()
    let played = file.takeSamples().dropFirst(256)
    #expect(played.count == 256)
    #expect(played.allSatisfy { $0 == -1_193_046 })
  }

  @Test("PC-09: a card of 18 channels carries a matrix of 2 x 3, and its other outputs are zero")
  func nativeChannels() throws {
    let file = PlayedFile()
    let name = "fault:id=native,channels=18,out=\(file.path)"
    let bench = try FaultyDevice(
      ALSADeviceSource(capture: name, playback: name), request(inputs: 2, outputs: 3))
    #expect(bench.device.description.captureChannels == 18)
    #expect(bench.device.description.playbackChannels == 18)
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(bench.run(cycles: 2))
    bench.device.close()
    let played = file.takeSamples()
    try #require(played.count == 18 * (128 + 128))
    for frame in 128..<256 {
      let samples = played[frame * 18..<frame * 18 + 18]
      let ramp = Int32(frame - 128)
      #expect(Array(samples.prefix(3)) == [ramp, ramp, 0x2000_0000])
      #expect(samples.dropFirst(3).allSatisfy { $0 == 0 })
    }
  }

  @Test("PC-09: of ten thousand channels that software claims, only the wanted ones are taken")
  func absurdChannels() throws {
    let name = "fault:id=absurd,channels=1-10000"
    let bench = try FaultyDevice(
      ALSADeviceSource(capture: name, playback: name), request(inputs: 5, outputs: 7))
    #expect(bench.device.description.captureChannels == 5)
    #expect(bench.device.description.playbackChannels == 7)
  }

  @Test("PC-09: inputs beyond the card are silent, outputs beyond it are refused")
  func tooFewChannels() throws {
    let name = "fault:id=few"
    let bench = try FaultyDevice(
      ALSADeviceSource(capture: name, playback: name), request(inputs: 4, outputs: 2))
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(bench.run(cycles: 1))
    #expect((0..<64).allSatisfy { bench.input(2, $0) == 0 && bench.input(3, $0) == 0 })
    #expect(
      throws: DeviceError(
        "\(name) has 2 outputs and the matrix has 4; ask for --outputs 2 or fewer.",
        isPermanent: true)
    ) {
      try ALSADeviceSource(capture: nil, playback: name).open(request(outputs: 4))
    }
  }

  @Test(
    "PC-10: a period that is not the wanted one is used and told",
    arguments: [(64, "48", 48), (256, "48", 48), (64, "96+192+288", 96), (256, "96+192+288", 288)])
  func periods(wanted: Int, offered: String, granted: Int) throws {
    let file = PlayedFile()
    let name = "fault:id=periods,period=\(offered),out=\(file.path)"
    let bench = try FaultyDevice(
      ALSADeviceSource(capture: name, playback: name), request(period: wanted))
    #expect(bench.device.description.periodFrames == granted)
    #expect(bench.device.description.outputLatencyFrames == 2 * granted)
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(bench.run(cycles: 3))
    bench.device.close()
    let played = file.takeSamples()
    let expected =
      [Int32](repeating: 0, count: 4 * granted) + (0..<6 * granted).map { Int32($0 / 2) }
    #expect(difference(played, expected) == nil)
  }

  @Test("PC-10: directions with different periods move the longer one together")
  func differentPeriods() throws {
    let capture = "fault:id=short-period,period=48"
    let playback = "fault:id=long-period,period=96"
    let bench = try FaultyDevice(
      ALSADeviceSource(capture: capture, playback: playback), request(period: 64))
    #expect(bench.device.description.periodFrames == 96)
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(bench.run(cycles: 4))
    #expect(difference(bench.heard, (0..<384).map { Float($0) / 0x8000_0000 }) == nil)
  }

  @Test("A period longer than a cycle may be is moved in parts")
  func longPeriod() throws {
    let name = "fault:id=long,period=1024"
    let wish = DeviceRequest(
      inputs: 2, outputs: 2, rate: 48000, periodFrames: 1024, periods: 2, maximumFrames: 256)
    let bench = try FaultyDevice(ALSADeviceSource(capture: name, playback: name), wish)
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(bench.device.wait(wake: -1) == .ready(frames: 256))
  }

  @Test("A card that keeps time carries samples both ways without a restart")
  func paced() throws {
    let name = "fault:id=paced,paced=1"
    let bench = try FaultyDevice(
      ALSADeviceSource(capture: name, playback: name), request(period: 512, periods: 4))
    #expect(bench.device.start() == .ready(frames: 0))
    #expect(bench.run(cycles: 10))
    #expect(bench.device.description.captureChannels == 2)
    // Where a busy machine made it restart, the ramp goes on all the same.
    #expect(bench.heard.count == 5120)
  }
}

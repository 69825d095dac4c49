import Control
import Engine
import Glibc
import Memory
import Router
import Synchronization
import TestSupport
import Testing

/// A card on which full scale comes in, that keeps the loudest sample that goes out and can be
/// pulled out.
private final class LoudCard: AudioDeviceSource {
  let isPulled = Atomic<Bool>(false)
  let isOver = Atomic<Bool>(false)
  let opened = Atomic<Int>(0)
  /// The loudest sample since it was asked for last, as the bits of a positive float.
  let loudest = Atomic<UInt32>(0)

  var name: String { "loud" }

  func open(_ request: DeviceRequest) throws(DeviceError) -> any AudioDevice {
    guard !isPulled.load(ordering: .acquiring) else { throw DeviceError("The card is away.") }
    opened.add(1, ordering: .releasing)
    return LoudDevice(try VirtualDeviceSource().open(request), self)
  }

  /// The loudest sample of some time of sound: until more than `samples` of it were heard.
  func peak() -> Float { Float(bitPattern: loudest.exchange(0, ordering: .acquiringAndReleasing)) }
}

/// The virtual device with another input, and an ear at its output.
private final class LoudDevice: AudioDevice {
  private let device: any AudioDevice
  private let card: LoudCard

  init(_ device: any AudioDevice, _ card: LoudCard) {
    self.device = device
    self.card = card
  }

  var description: DeviceDescription { device.description }
  func start() -> DeviceStep { device.start() }

  func wait(wake: Int32) -> DeviceStep {
    if card.isOver.load(ordering: .acquiring) { return .finished }
    return card.isPulled.load(ordering: .acquiring) ? .lost : device.wait(wake: wake)
  }

  func read(frames: Int, into rows: AudioRows) -> DeviceStep {
    for input in 0..<rows.inputCount {
      rows.inputs[input].update(repeating: 1, count: frames)
    }
    return .ready(frames: frames)
  }

  func write(frames: Int, from rows: AudioRows) -> DeviceStep {
    var loudest = Float(bitPattern: card.loudest.load(ordering: .relaxed))
    for output in 0..<rows.outputCount {
      for frame in 0..<frames { loudest = max(loudest, abs(rows.outputs[output][frame])) }
    }
    _ = card.loudest.max(loudest.bitPattern, ordering: .acquiringAndReleasing)
    return .ready(frames: frames)
  }

  func halt() { device.halt() }
  func lossSentence() -> String { "The card was pulled out." }
  func close() { device.close() }
}

@Suite("How loud it may become", .serialized)
struct LoudnessTests {
  @Test(
    "RT-06: with a master of 0.1 no sample is louder at start, reload and reopening, whatever else")
  func master() throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    var state = MixerSnapshot(inputs: 2, outputs: 2)
    state[0, 0].level = 1
    state[1, 1].level = Level.maximum
    state[output: 1].level = 1 / Level.maximum
    state.master.level = 0.1
    folder.write(StateText.bytes(of: state), to: "json")
    // Address lines are for the first start of all, and say otherwise in every respect.
    let head =
      "virtual\ninputs 2\noutputs 2\nlog error\nstate \(folder.path(of: "json"))\n"
      + "map \(folder.path(of: "map"))\n"
    let loud = "/matrix/master/gain 1\n/matrix/out/*/gain 1\n/matrix/in/*/out/* 1\n"
    folder.write("device box\ncc 1 /matrix/master/fader\n", to: "map")
    folder.write(head + loud, to: "conf")
    let client = try #require(Datagrams())
    let command = try Command(
      ["run", "--config", folder.path(of: "conf"), "--osc-port", "\(client.port)"],
      readFile: CommandLineFiles.read)
    guard case .run(let options) = command else { return }
    let card = LoudCard()
    let writer = try LineWriter()
    let session = Atomic<UInt>(0)
    let reloads = Atomic<Int>(0)
    let body: @Sendable () -> Void = {
      session.store(UInt(pthread_self()), ordering: .releasing)
      do throws(StartError) {
        let router = try RouterSession(options, writer: writer, source: card)
        _ = router.run()
        reloads.store(router.reloads, ordering: .releasing)
      } catch {
        Issue.record("\(error.sentence)")
      }
    }
    guard let thread = EngineThread(name: "session", body: body) else { return }
    defer { card.isOver.store(true, ordering: .releasing) }
    /// Waits until it is as loud as it may be; it must never have been louder.
    func expectTenth(_ moment: String) {
      var peak: Float = 0
      for _ in 0..<2_000 where peak < 0.0999 {
        peak = max(peak, card.peak())
        poll(nil, 0, 5)
      }
      #expect(peak >= 0.0999 && peak <= 0.100_001, "\(moment): \(peak)")
    }
    #expect(client.answers("/ping"))
    expectTenth("at the start")
    for round in 1...10 {
      folder.write(
        "device box\ncc \(round) /matrix/master/fader\ncc 99 /matrix/in/*/out/*\n", to: "map")
      folder.write(head + loud + "/matrix/in/0/out/1 0.\(round)\n", to: "conf")
      if round % 2 == 0 {
        client.send("/config/reload")
      } else {
        pthread_kill(pthread_t(session.load(ordering: .acquiring)), SIGHUP)
      }
      #expect(client.counts("reloads", Double(round)))
      expectTenth("reload \(round)")
    }
    for round in 1...3 {
      card.isPulled.store(true, ordering: .releasing)
      #expect(client.hasState("waiting"))
      // Both at once: what is read again while the card is away.
      folder.write("device box\ncc 5\(round) /matrix/master/fader\n", to: "map")
      client.send("/config/reload")
      #expect(client.counts("reloads", Double(10 + round)))
      _ = card.peak()
      card.isPulled.store(false, ordering: .releasing)
      #expect(client.hasState("running"))
      expectTenth("reopening \(round)")
    }
    #expect(card.opened.load(ordering: .acquiring) == 4)
    card.isOver.store(true, ordering: .releasing)
    let hasEnded = thread.join(milliseconds: 10_000)
    #expect(hasEnded)
    #expect(reloads.load(ordering: .acquiring) == 13)
    let peak = card.peak()
    #expect(peak <= 0.100_001)
  }
}

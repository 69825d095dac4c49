import ALSA
import FaultCard
import MIDI
import Testing

@Suite("The sequencer")
struct SequencerTests {
  private let device: String

  private init() { device = "fault:sequencer-\(UInt64.random(in: 0 ... .max))" }

  /// A sequencer with a device at 24:0 that is connected, and nothing left to read.
  private func open(port: UInt8 = 0) throws -> Sequencer {
    faultsequencer_make(device)
    let sequencer = try Sequencer(name: "Main Mix", device: device)
    faultsequencer_plug(device, 24, Int32(port), "box", "box MIDI 1", 1)
    try sequencer.connect(SequencerAddress(client: 24, port: port))
    _ = take(sequencer)
    return sequencer
  }

  private func take(_ sequencer: Sequencer) -> [SequencerInput] {
    var inputs: [SequencerInput] = []
    sequencer.drain()
    while let input = sequencer.next() { inputs.append(input) }
    return inputs
  }

  private func events(_ inputs: [SequencerInput]) -> [MIDIEvent] {
    inputs.compactMap { if case .midi(let event, from: _) = $0 { event } else { nil } }
  }

  @discardableResult
  private func play(_ bytes: [UInt8]) -> Bool {
    faultsequencer_play(device, 24, 0, bytes, UInt32(bytes.count))
  }

  // SND_SEQ_EVENT_… of the header.
  private enum Kind {
    static let note: Int32 = 5
    static let keyPressure: Int32 = 8
    static let controller: Int32 = 10
    static let program: Int32 = 11
    static let pressure: Int32 = 12
    static let bend: Int32 = 13
    static let wideController: Int32 = 14
    static let nonRegistered: Int32 = 15
    static let registered: Int32 = 16
    static let clock: Int32 = 36
    static let portStart: Int32 = 63
  }

  private func send(_ kind: Int32, _ channel: Int32, _ number: UInt32, _ value: Int32) {
    _ = faultsequencer_control(device, 24, 0, kind, channel, number, value)
  }

  @Test("It is visible under its name, hears the system, and nobody can read from it")
  func identity() throws {
    let sequencer = try open()
    #expect(String(cString: faultsequencer_client_name(device)) == "Main Mix")
    #expect(sequencer.client == 128 && sequencer.descriptor >= 0)
    #expect(faultsequencer_is_connected(device, 0, 1))
    let writing: UInt32 = 1 << 1
    let subscribing: UInt32 = 1 << 6
    #expect(faultsequencer_capabilities(device) == writing | subscribing)
  }

  @Test("It asks the kernel to keep as much as it can, and knows what was granted")
  func pool() throws {
    let sequencer = try open()
    #expect(sequencer.inputPool == 2_000)
    #expect(faultsequencer_pool(device) == 2_000)
  }

  @Test("Where there is no sequencer, one sentence says so")
  func absence() {
    #expect {
      try Sequencer(name: "x", device: "fault:no-sequencer")
    } throws: { error in
      (error as? SequencerError)?.sentence
        == "This machine has no MIDI: there is no /dev/snd/seq; modprobe snd-seq makes it."
    }
  }

  @Test("Bytes of a device arrive as events, from the port that sent them")
  func devices() throws {
    let sequencer = try open()
    play([0xB0, 7, 64, 0x9F, 60, 100, 60, 0, 0x80, 61, 64, 0xC1, 5, 0xD2, 9])
    let address = SequencerAddress(client: 24, port: 0)
    #expect(
      take(sequencer) == [
        .midi(MIDIEvent(.controller, channel: 1, number: 7, value: 64), from: address),
        .midi(MIDIEvent(.noteOn, channel: 16, number: 60, value: 100), from: address),
        .midi(MIDIEvent(.noteOff, channel: 16, number: 60, value: 0), from: address),
        .midi(MIDIEvent(.noteOff, channel: 1, number: 61, value: 64), from: address),
        .midi(MIDIEvent(.program, channel: 2, number: 5), from: address),
        .midi(MIDIEvent(.pressure, channel: 3, value: 9), from: address),
      ])
    #expect(sequencer.malformedEvents == 0)
  }

  @Test("MI-08: bends are centred on 8192, once")
  func bends() throws {
    let sequencer = try open()
    for value: Int32 in [-8192, 0, 8191] { send(Kind.bend, 3, 0, value) }
    #expect(events(take(sequencer)).map(\.value) == [0, 8192, 16383])
    play([0xE0, 0, 0, 0xE0, 0, 64, 0xE0, 127, 127])
    #expect(events(take(sequencer)).map(\.value) == [0, 8192, 16383])
  }

  @Test("What a program sends whole arrives as the controllers that a device sends for it")
  func wideEvents() throws {
    let sequencer = try open()
    send(Kind.wideController, 0, 7, 2049)
    send(Kind.wideController, 0, 40, 100)
    send(Kind.nonRegistered, 1, 130, 8192)
    send(Kind.registered, 2, 1, 3)
    let pairs = events(take(sequencer)).map { [Int($0.channel), Int($0.number), Int($0.value)] }
    #expect(
      pairs == [
        [1, 7, 16], [1, 39, 1], [1, 40, 100],
        [2, 99, 1], [2, 98, 2], [2, 6, 64], [2, 38, 0],
        [3, 101, 0], [3, 100, 1], [3, 6, 0], [3, 38, 3],
      ])
  }

  @Test("A note with a length is a press that is over; clocks and key pressure move nothing")
  func otherEvents() throws {
    let sequencer = try open()
    send(Kind.note, 0, 60, 90)
    send(Kind.keyPressure, 0, 60, 90)
    send(Kind.clock, 0, 0, 0)
    play([0xF8, 0xFE])
    #expect(!play([0xF0, 1, 2, 3, 0xF7]), "The kernel is not to deliver it at all.")
    #expect(events(take(sequencer)).map(\.kind) == [.noteOn, .noteOff])
    #expect(sequencer.malformedEvents == 0)
  }

  @Test("Numbers out of their range are dropped and counted")
  func malformed() throws {
    let sequencer = try open()
    send(Kind.controller, 16, 7, 0)
    send(Kind.controller, 0, 128, 0)
    send(Kind.controller, 0, 7, 128)
    send(Kind.controller, 0, 7, -1)
    send(Kind.bend, 0, 0, 8192)
    send(Kind.bend, 0, 0, .max)
    send(Kind.bend, 0, 0, -8193)
    send(Kind.wideController, 0, 7, 16384)
    send(Kind.nonRegistered, 0, 16384, 0)
    send(Kind.note, 0, 128, 1)
    send(Kind.program, 0, .max, 128)
    send(Kind.program, 0, .max, 127)
    #expect(events(take(sequencer)) == [MIDIEvent(.program, channel: 1, number: 127)])
    #expect(sequencer.malformedEvents == 11)
  }

  @Test("Comings and goings are believed from the system alone")
  func announcements() throws {
    let sequencer = try open()
    faultsequencer_announce(device, 24, 0, Kind.portStart, 30, 0)
    #expect(take(sequencer) == [])
    faultsequencer_plug(device, 30, 2, "other", "other MIDI 3", 2)
    #expect(take(sequencer) == [.portStart(SequencerAddress(client: 30, port: 2))])
    faultsequencer_connect(device, 30, 2, true)
    faultsequencer_pull(device, 30)
    let address = SequencerAddress(client: 30, port: 2)
    #expect(
      take(sequencer) == [
        .connected(address), .disconnected(address), .portExit(address), .clientExit(30),
      ])
  }

  @Test("Ports are listed with their names and cards, and connecting twice is connecting once")
  func listing() throws {
    let sequencer = try open()
    faultsequencer_plug(device, 129, 0, "program", "out", -1)
    #expect(
      sequencer.ports() == [
        SequencerPort(
          address: SequencerAddress(client: 24, port: 0), clientName: "box", name: "box MIDI 1",
          card: 1, isOfKernel: true, isReadable: true, isWritable: false),
        SequencerPort(
          address: SequencerAddress(client: 129, port: 0), clientName: "program", name: "out",
          card: nil, isOfKernel: false, isReadable: true, isWritable: false),
      ])
    let address = SequencerAddress(client: 24, port: 0)
    try sequencer.connect(address)
    #expect(sequencer.isConnected(address))
    sequencer.disconnect(address)
    sequencer.disconnect(address)
    #expect(!sequencer.isConnected(address))
    #expect(throws: SequencerError.self) {
      try sequencer.connect(SequencerAddress(client: 99, port: 0))
    }
  }

  @Test("SQ-05: an overrun is counted and told, and reading goes on")
  func overrun() throws {
    let sequencer = try open()
    play([0xB0, 7, 100])
    faultsequencer_fail(device, -28)
    play([0xB0, 7, 50])
    faultsequencer_fail(device, -11)
    play([0xB0, 7, 0])
    let before = take(sequencer)
    #expect(events(before).map(\.value) == [100, 50])
    #expect(before.contains(.overrun))
    #expect(events(take(sequencer)).map(\.value) == [0])
    #expect(sequencer.overruns == 1 && sequencer.failure == nil)
  }

  @Test("SQ-05: what the kernel gives up is told once, and what comes after it is heard")
  func flood() throws {
    let sequencer = try open()
    for _ in 0..<5_000 { send(Kind.controller, 0, 7, 99) }
    #expect(take(sequencer) == [.overrun])
    send(Kind.controller, 0, 7, 0)
    #expect(events(take(sequencer)).map(\.value) == [0])
    #expect(sequencer.overruns == 1)
  }

  @Test("Interrupted readings go on, and one that fails for good is said and ends the polling")
  func failure() throws {
    let sequencer = try open()
    faultsequencer_fail(device, -4)
    play([0xB0, 7, 1])
    #expect(events(take(sequencer)).map(\.value) == [1])
    faultsequencer_fail(device, -77)
    play([0xB0, 7, 2])
    #expect(take(sequencer) == [])
    #expect(sequencer.descriptor == -1 && !sequencer.hasWaiting)
    #expect(sequencer.failure?.sentence.hasPrefix("MIDI has stopped for good:") == true)
  }

  @Test("What waits stays in order and survives many times what the kernel keeps")
  func ownQueue() throws {
    let sequencer = try open()
    for round in 0..<25 {
      for number in 0..<2_000 { send(Kind.controller, 0, UInt32(round), Int32(number % 128)) }
      sequencer.drain()
    }
    var count = 0
    while let input = sequencer.next() {
      guard case .midi(let event, from: _) = input else { continue }
      #expect(Int(event.number) == count / 2_000 && Int(event.value) == count % 2_000 % 128)
      count += 1
    }
    #expect(count == 50_000 && sequencer.overruns == 0)
  }

  @Test("When nobody takes anything, the newest is kept, and what is given up is counted and told")
  func fullQueue() throws {
    let sequencer = try open()
    for round in 0..<33 {
      for _ in 0..<2_000 { send(Kind.controller, 0, UInt32(round), 0) }
      sequencer.drain()
    }
    send(Kind.controller, 0, 99, 0)
    sequencer.drain()
    var inputs: [SequencerInput] = []
    while let input = sequencer.next() { inputs.append(input) }
    #expect(sequencer.overruns == 1)
    #expect(inputs.first == .overrun && inputs.count < 65_536 && inputs.count >= 32_768)
    #expect(events(inputs).last?.number == 99)
  }

  @Test("It knows whether something waits")
  func waiting() throws {
    let sequencer = try open()
    #expect(!sequencer.hasWaiting)
    play([0xB0, 7, 1])
    sequencer.drain()
    #expect(sequencer.hasWaiting)
    while sequencer.next() != nil {}
    #expect(!sequencer.hasWaiting)
  }
}

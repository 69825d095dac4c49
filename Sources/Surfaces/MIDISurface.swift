import ALSA
import Control
import MIDI
import Mapping
import Messages

/// Joins the MIDI devices to the hub: what hands move there becomes changes, by mappings.
///
/// Devices are connected when they are there and fit a mapping, at the start and whenever they
/// appear. When one vanishes, its gains stay and what was known of its hands is forgotten. Those
/// whose mapping asks for feedback are told what changes.
///
/// Control thread only. Nothing is allocated for an event, nor for a change.
public final class MIDISurface {
  /// How many events are acted on before sockets, timers and signals have their turn.
  public static let eventsPerPass = 256
  /// After how many of these what the kernel has got in the meantime is taken over, since it keeps
  /// little: a storm comes at a microsecond an event.
  private static let eventsPerDrain = 8

  struct Device {
    let connection: DeviceConnection
    /// Its number for the hub, never given twice.
    let number: Int
    let port: MappedPort

    /// The same device, where its section has another place.
    func moved(toSection section: Int) -> Device {
      var connection = connection
      connection.section = section
      return Device(connection: connection, number: number, port: port)
    }
  }

  private let sequencer: Sequencer
  private let hub: ControlHub
  let feedback: DeviceFeedback
  private let note: (SurfaceNote) -> Void
  private var choice: DeviceChoice
  /// A port for each section that no hand has touched: those of devices are made from them, so that
  /// plugging one in costs nothing to speak of.
  private var untouchedPorts: [MappedPort]
  private(set) var devices: [Device] = []
  private var batch = MessageBatch()
  private var nextNumber = 0
  private var byHand: Set<SequencerAddress> = []
  private var released: Set<SequencerAddress> = []
  private var needsMatch = true
  private var needsProof = false
  private var hasSaidFailure = false
  private var hasSaidNoMapping = false
  private var saidOverruns: UInt64 = 0
  private var saidDoubts: [String] = []
  /// The devices, by their numbers, of which was said why they are told nothing.
  var saidUntold: Set<Int> = []
  private var events: UInt64 = 0
  private var unmappedEvents: UInt64 = 0
  private var ignoredEchoes: UInt64 = 0

  /// Joins a sequencer to a hub and connects what is there; `note` is told what the user should
  /// know.
  public init(
    sequencer: Sequencer, mappings: [Mapping], hub: ControlHub,
    note: @escaping (SurfaceNote) -> Void
  ) {
    self.sequencer = sequencer
    self.hub = hub
    self.note = note
    feedback = DeviceFeedback(sequencer: sequencer)
    choice = DeviceChoice(mappings)
    untouchedPorts = choice.sections.map { MappedPort($0.section, hub: hub) }
    hub.addObserver(feedback)
    sayAbsentLines()
    match()
    let missing = choice.sections.indices.filter { section in
      !devices.contains { $0.connection.section == section }
    }
    if let sentence = missingSentence(missing) { say(sentence, .midi) }
  }

  /// What to poll for reading; -1, which `poll` passes over, once the sequencer has failed.
  public var descriptor: Int32 { sequencer.descriptor }

  /// Whether events wait that `receive` would act on at once.
  public var hasWaiting: Bool { sequencer.hasWaiting }

  /// Takes over what the kernel keeps, and acts on none of it yet.
  public func drain() {
    sequencer.drain()
    guard let failure = sequencer.failure, !hasSaidFailure else { return }
    hasSaidFailure = true
    say(failure.sentence, .midi)
  }

  /// Acts on what waits, up to `eventsPerPass`; the hub has the answers.
  public func receive(now: Arrival) {
    for count in 0..<Self.eventsPerPass {
      if count % Self.eventsPerDrain == 0 { drain() }
      guard let input = sequencer.next() else { break }
      take(input, now: now)
    }
    if needsMatch { match() }
  }

  /// Tells the devices of what has changed, those whose turn it is; last in every pass.
  ///
  /// `now` is monotonic time in nanoseconds.
  public func tick(now: Int64) {
    feedback.tick(now: now)
    sayTroubles()
  }

  /// The monotonic time, in nanoseconds, at which `tick` has something to do, or nothing.
  public var nextDeadline: Int64? { feedback.nextDeadline }

  /// Listens by other mappings from now on.
  ///
  /// Devices whose section is the same in both stay as they are, with the hands on them; what an
  /// old section listened to is heard no more, unless a new one does.
  public func setMappings(_ mappings: [Mapping]) {
    let old = choice.sections
    choice = DeviceChoice(mappings)
    var places: [Int: Int] = [:]
    for (place, section) in choice.sections.enumerated() {
      let same = old.indices.first {
        places[$0] == nil && old[$0].file == section.file
          && old[$0].section.doesSame(as: section.section)
      }
      if let same { places[same] = place }
    }
    var kept: [Device] = []
    for device in devices {
      if let place = places[device.connection.section] {
        kept.append(device.moved(toSection: place))
      } else {
        forget(device)
      }
    }
    let left = devices.map(\.connection)
    devices = kept
    untouchedPorts = choice.sections.map { MappedPort($0.section, hub: hub) }
    sayAbsentLines()
    match()
    for connection in left where !hears(connection.address) {
      sequencer.disconnect(connection.address)
      say(
        "MIDI: \"\(connection.clientName)\" (port \(connection.address)) has no mapping any more; "
          + "gains stay.", .device)
    }
  }

  /// Who a source is, when it is a device that is there.
  public func name(of source: Source) -> String? {
    guard case .device(let number) = source else { return nil }
    return devices.first { $0.number == number }.map { "\"\($0.connection.clientName)\"" }
  }

  /// Tells every device everything once more, for one that has forgotten what it shows.
  public func refresh() { feedback.refresh() }

  /// Says what the hub has refused; what it corrects, hands on faders cannot see.
  public func take(_ reply: Reply) {
    guard case .device(let number) = reply.source, reply.isError else { return }
    let words = reply.arguments.map { argument in
      if case .string(let text) = argument { return text }
      return ""
    }
    let address = words.first ?? ""
    guard let device = devices.first(where: { $0.number == number }) else { return }
    let (file, section) = choice.sections[device.connection.section]
    let line = section.lines.first { $0.addresses.contains { $0.text == address } }
    say(
      "\(address) from \"\(device.connection.clientName)\" (\(line?.origin ?? file)) was refused: "
        + (words.last ?? ""), .refused)
  }

  /// What has been counted, by the names that `/engine/status` shows.
  public var counters: [(name: String, value: UInt64)] {
    [
      ("midi_devices", UInt64(Set(devices.map(\.connection.address)).count)),
      ("midi_events", events), ("midi_unmapped_events", unmappedEvents),
      ("midi_malformed_events", sequencer.malformedEvents), ("midi_overruns", sequencer.overruns),
      ("midi_input_pool", UInt64(clamping: sequencer.inputPool)),
      ("midi_feedback_events", feedback.counters.events),
      ("midi_feedback_blocked_turns", feedback.counters.blockedTurns),
      ("midi_feedback_failures", feedback.counters.failures),
      ("midi_ignored_echoes", ignoredEchoes),
    ]
  }

  // MARK: Events

  private func take(_ input: SequencerInput, now: Arrival) {
    switch input {
    case .midi(let event, from: let address): take(event, from: address, now: now)
    case .portStart(let address):
      forget { $0 == address }
      needsMatch = true
    case .portChange, .clientChange: needsMatch = true
    case .portExit(let address):
      drop { $0.address == address }
      forget { $0 == address }
      // One of two twins that is left is in no doubt any more.
      needsMatch = true
    case .clientExit(let client):
      drop { $0.address.client == client }
      forget { $0.client == client }
      needsMatch = true
    // What was told may be over by now: what is so now counts.
    case .connected(let address):
      guard !hears(address), sequencer.isConnected(address) else { break }
      released.remove(address)
      byHand.insert(address)
      needsMatch = true
    case .disconnected(let address):
      guard !sequencer.isConnected(address) else { break }
      byHand.remove(address)
      guard hears(address) else { break }
      released.insert(address)
      drop { $0.address == address }
    case .overrun: forgetHands()
    }
  }

  private func take(_ event: MIDIEvent, from address: SequencerAddress, now: Arrival) {
    events += 1
    var isMapped = false
    for place in devices.indices where devices[place].connection.address == address {
      let isHeard = devices[place].port.take(
        event, now: now.monotonicNanoseconds, into: &batch)
      isMapped = isMapped || isHeard
      ignoredEchoes += UInt64(devices[place].port.display.takeIgnoredEchoes())
      guard !batch.isEmpty else { continue }
      hub.perform(batch, at: .now(now), from: .device(devices[place].number))
      batch.removeAll()
    }
    if !isMapped { unmappedEvents += 1 }
  }

  /// After an overrun nobody knows what was pressed and let go, moved, plugged in or pulled out.
  private func forgetHands() {
    if saidOverruns != sequencer.overruns {
      saidOverruns = sequencer.overruns
      say(
        "MIDI came faster than it could be taken, and some was lost (\(saidOverruns) times so "
          + "far).", .midi)
    }
    for device in devices {
      device.port.forgetHands()
      hub.forget(.device(device.number))
    }
    feedback.refresh()
    forget { _ in true }
    needsProof = true
    needsMatch = true
  }

  // MARK: Coming and going

  /// Connects and drops until it is as the mappings ask for it.
  private func match() {
    needsMatch = false
    let ports = sequencer.ports()
    if needsProof {
      needsProof = false
      drop { !sequencer.isConnected($0.address) }
    }
    let decision = choice.decide(
      ports: ports, connected: devices.map(\.connection), byHand: byHand, released: released)
    for connection in devices.map(\.connection)
    where !decision.connections.contains(connection) {
      drop { $0 == connection }
      // Another section may listen to the same port.
      if !decision.connections.contains(where: { $0.address == connection.address }) {
        sequencer.disconnect(connection.address)
      }
    }
    for connection in decision.connections
    where !devices.contains(where: { $0.connection == connection }) {
      add(connection)
    }
    openFeedback(ports)
    for doubt in decision.doubts where !saidDoubts.contains(doubt) { say("MIDI: \(doubt)", .midi) }
    saidDoubts = decision.doubts
    if choice.sections.isEmpty, !hasSaidNoMapping, !DeviceChoice.eligible(ports).isEmpty {
      hasSaidNoMapping = true
      say(
        "MIDI: no mapping is given, so no device is connected; --map NAME takes one, and "
          + "\"crosspoint devices\" says which fits.", .device)
    }
  }

  private func hears(_ address: SequencerAddress) -> Bool {
    devices.contains { $0.connection.address == address }
  }

  private func add(_ connection: DeviceConnection) {
    do {
      try sequencer.connect(connection.address)
    } catch {
      // It was pulled out again in the meantime, and that is told separately.
      guard !error.isAbsence else { return }
      say("MIDI: \(error.sentence)", .midi)
      return
    }
    let port = MappedPort(again: untouchedPorts[connection.section])
    devices.append(Device(connection: connection, number: nextNumber, port: port))
    feedback.add(nextNumber, client: connection.address.client, port.display)
    nextNumber += 1
    say(
      "MIDI: \"\(connection.clientName)\" (port \(connection.address) \"\(connection.portName)\") "
        + "is connected, mapping \(choice.sections[connection.section].file).", .device)
  }

  private func drop(_ isGone: (DeviceConnection) -> Bool) {
    for device in devices where isGone(device.connection) {
      forget(device)
      say(
        "MIDI: \"\(device.connection.clientName)\" (port \(device.connection.address)) is gone; "
          + "gains stay.", .device)
    }
    devices.removeAll { isGone($0.connection) }
  }

  /// Forgets what was known of a device, and tells it nothing any more.
  private func forget(_ device: Device) {
    hub.forget(.device(device.number))
    feedback.remove(device.number)
    saidUntold.remove(device.number)
  }

  /// Forgets what somebody else did with ports that are gone.
  private func forget(_ isGone: (SequencerAddress) -> Bool) {
    byHand = byHand.filter { !isGone($0) }
    released = released.filter { !isGone($0) }
  }

  // MARK: Words

  private func sayAbsentLines() {
    var counts: [(file: String, lines: Int)] = []
    for (section, port) in zip(choice.sections, untouchedPorts) where port.absentLines > 0 {
      if counts.last?.file == section.file {
        counts[counts.count - 1].lines += port.absentLines
      } else {
        counts.append((section.file, port.absentLines))
      }
    }
    for (file, lines) in counts {
      let subject = lines == 1 ? "1 line of \(file) is" : "\(lines) lines of \(file) are"
      say("MIDI: \(subject) for channels that this matrix does not have.", .device)
    }
  }

  /// Names what is not there at the start, and everything that is.
  private func missingSentence(_ missing: [Int]) -> String? {
    guard !missing.isEmpty else { return nil }
    var wanted: [String] = []
    for section in missing {
      let (file, section) = choice.sections[section]
      let text = "\"\(section.device.client)\" (\(file))"
      if !wanted.contains(text) { wanted.append(text) }
    }
    let seen = DeviceChoice.eligible(sequencer.ports()).map { port in
      "\"\(port.clientName)\" port \(port.address.port) \"\(port.name)\""
    }
    return "MIDI: nothing is connected for \(wanted.joined(separator: ", ")) yet; "
      + (seen.isEmpty ? "there is no MIDI device." : "seen: \(seen.joined(separator: ", ")).")
  }

  func say(_ sentence: String, _ cause: SurfaceNote.Cause) {
    note(SurfaceNote(cause: cause, text: sentence))
  }
}

import Control
import MIDI
import Messages

/// One port that is connected to a section of a mapping: what its controls do.
///
/// It turns events into messages. Everything that can be known beforehand is worked out when it is
/// made: addresses for the hub's matrix, ends and laws of ranges, which control listens to what.
/// After that nothing is allocated once the batch has grown to size.
///
/// A toggle and a pickup read the hub, so its messages must be performed before the next event is
/// taken. Levels are sent as linear gain in 64 bits, whatever face a line names, so that the ends
/// and unity are exact to the last bit.
///
/// Make a new one each time a port appears, from the section or from the port that was there before:
/// what is known of hands dies with the port. Control thread only.
public final class MappedPort {
  let hub: ControlHub
  private let index: ControlIndex
  private let controls: [MappedControl]
  private let addresses: [MappedControl.Address]
  private let bytes: [UInt8]
  private let arguments: [Argument]
  private var isHeld: [Bool]
  private var pickups: [Pickup]
  /// What the port's lamps, rings and motors show.
  package let display: PortDisplay

  /// How many lines name channels that this matrix does not have, with one of their addresses or
  /// with all; what they do not have is left out.
  public let absentLines: Int

  /// Gets ready what the lines of a section do in the matrix of a hub.
  ///
  /// Lines with `relative` and those on `cc14`, `nrpn` and `rpn` are asleep; `scale` picks up.
  public init(_ section: Mapping.Section, hub: ControlHub) {
    var compiler = LineCompiler(hub: hub)
    var plan = FeedbackPlan()
    for line in section.lines {
      let count = compiler.controls.count
      compiler.add(line)
      plan.add(line, control: compiler.controls.count > count ? count : nil, hub: hub)
    }
    plan.finish(controls: compiler.controls.count)
    display = PortDisplay(plan, hub: hub)
    self.hub = hub
    index = ControlIndex(compiler.listeners)
    controls = compiler.controls
    addresses = compiler.addresses
    bytes = compiler.bytes
    arguments = compiler.arguments
    isHeld = [Bool](repeating: false, count: compiler.heldCount)
    pickups = [Pickup](repeating: Pickup(), count: compiler.pickupCount)
    absentLines = compiler.absentLines
  }

  /// Makes a port with the lines of another and hands that have not been seen, for a device that is
  /// plugged in again: nothing has to be worked out anew.
  public init(again port: MappedPort) {
    hub = port.hub
    display = PortDisplay(again: port.display)
    index = port.index
    controls = port.controls
    addresses = port.addresses
    bytes = port.bytes
    arguments = port.arguments
    isHeld = [Bool](repeating: false, count: port.isHeld.count)
    pickups = [Pickup](repeating: Pickup(), count: port.pickups.count)
    absentLines = port.absentLines
  }

  /// Appends to `batch` what an event means, which may be nothing; says whether any line listens.
  ///
  /// `now` is the event's arrival, monotonic, in nanoseconds. Perform the batch before the next
  /// event is taken.
  public func take(_ event: MIDIEvent, now: Int64, into batch: inout MessageBatch) -> Bool {
    take(
      event, at: .now(Arrival(monotonicNanoseconds: now, realtimeNanoseconds: 0)), into: &batch)
  }

  /// Appends to `batch` what an event means that takes effect at a moment.
  ///
  /// Perform the batch, at that moment, before the next event is taken.
  public func take(
    _ event: MIDIEvent, at moment: Moment, into batch: inout MessageBatch
  ) -> Bool {
    let places = index.places(of: event)
    for place in places { move(index.control(at: place), event, moment, &batch) }
    return !places.isEmpty
  }

  /// Forgets where hands are, because events were lost.
  ///
  /// What was down counts as let go, so that its next press is one. A pickup that has hold of a
  /// level keeps it; another begins anew.
  public func forgetHands() {
    for place in isHeld.indices { isHeld[place] = false }
    for place in pickups.indices { pickups[place].forgetHand() }
  }

  private func move(
    _ number: Int, _ event: MIDIEvent, _ moment: Moment, _ batch: inout MessageBatch
  ) {
    let control = controls[number]
    let channel = control.hearsAnyChannel ? Int(event.channel) - 1 : 0
    let position = control.position(event)
    let said = event.kind == .noteOff ? 0 : position
    let isDown = control.isDown(event)
    guard !display.isEcho(number, value: control.said(event), isDown: isDown, at: moment) else {
      return
    }
    let held = control.firstHeld + channel
    let wasDown = isHeld[held]
    let isPress = control.isPress(event, wasDown: wasDown)
    isHeld[held] = isDown
    display.heard(
      number, on: event.channel, position: said, isRelease: wasDown && !isDown, at: moment)
    for number in control.addresses {
      let address = addresses[number]
      switch address.action {
      case .level(let law):
        if let first = address.firstPickup {
          guard
            picksUp(
              first + channel, position, law, highest: control.highest, address.target, moment)
          else { continue }
        }
        let level = law.level(atPosition: position, of: control.highest)
        if let first = address.firstPickup { pickups[first + channel].note(level) }
        append(address, .double(level), &batch)
      case .number(let law):
        append(
          address, .double(law.value(atPosition: position, of: control.highest)), &batch)
      case .gate:
        append(address, .int32(isDown ? 1 : 0), &batch)
      case .toggle:
        if isPress { append(address, .int32(hub.isOn(address.target) ? 0 : 1), &batch) }
      case .on:
        if isPress { append(address, .int32(1), &batch) }
      case .fire:
        if isPress { append(address, nil, &batch) }
      case .send(let sent):
        guard isPress else { continue }
        append(address, nil, &batch)
        for place in sent { batch.appendArgument(arguments[place]) }
      }
    }
  }

  private func picksUp(
    _ place: Int, _ position: Int, _ law: LevelLaw, highest: Int, _ target: Target,
    _ moment: Moment
  ) -> Bool {
    let travelling = hub.travellingLevel(of: target, at: moment)
    return pickups[place].follows(
      position, place: law.position(ofLevel: travelling, of: highest),
      level: hub.level(of: target), travelling: travelling)
  }

  private func append(
    _ address: MappedControl.Address, _ argument: Argument?, _ batch: inout MessageBatch
  ) {
    bytes.withUnsafeBufferPointer {
      batch.append(address: UnsafeBufferPointer(rebasing: $0[address.bytes]))
    }
    if let argument { batch.appendArgument(argument) }
  }
}

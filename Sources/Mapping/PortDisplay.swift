import Control
import MIDI
import MatrixCore

/// What the lamps, rings and motors of a connected port show, and what they are still to be sent.
///
/// A change only notes that an indicator has news. At the port's turn the value of the moment is
/// read, and sent when the device does not show it already: because it was sent that, or because its
/// own hand said it. So the latest value is the only one that leaves, and no hand hears itself.
///
/// A button's lamp belongs to the mixer: it is sent what the switch is whenever that changes, by
/// this very button too, and again after the button was let go, because some boxes light it while
/// it is held and no longer. A fader that is being moved is left alone until it has rested.
///
/// Memory dies with the port. Nothing is allocated once it is made. Control thread only.
package final class PortDisplay {
  /// How long a control is left alone after its hand has moved it, in nanoseconds.
  package static let restNanoseconds: Int64 = 100_000_000
  /// How long what a fader says is taken for its echo of what it was sent, in nanoseconds.
  static let faderEchoNanoseconds: Int64 = 100_000_000
  /// The same of a button, which nobody presses twice in that time.
  static let buttonEchoNanoseconds: Int64 = 20_000_000

  private struct Indication {
    /// The value that the device shows; -1 where nobody knows.
    var shown: Int32 = -1
    /// The last two values that it was sent, and when the last one left, in monotonic nanoseconds.
    var sent: Int32 = -1
    var sentBefore: Int32 = -1
    var sentAt = Int64.min / 2
    /// Whether it waits for a turn.
    var isWaiting = false
    /// Until when it is left alone, in monotonic nanoseconds.
    var restsUntil = Int64.min
  }

  // The hub outlives everybody who is told of its changes.
  private unowned let hub: ControlHub
  private let plan: FeedbackPlan
  private var indications: [Indication]
  /// The channel on which each control was heard last; 0 where it was not.
  private var channels: [UInt8]
  /// The first channel on which the port was heard; 0 where it was not.
  private var portChannel: UInt8 = 0

  /// What waits, in the order in which it came, in a ring.
  private var waiting: [Int32]
  private var head = 0
  private var count = 0
  /// How much of it belongs to this turn.
  private var visits = 0
  private var due = Int64.max
  private var current = (number: 0, value: Int32(0), isTravelling: false, now: Int64(0))
  private var ignoredEchoes = 0

  /// Who moves the device's controls, as sources of changes: their hands hold back what they touch.
  package var hands: [Source] = []
  /// What `next` has found to be sent, in the order of the wire.
  package private(set) var message: [MIDIEvent] = []

  init(_ plan: FeedbackPlan, hub: ControlHub) {
    self.hub = hub
    self.plan = plan
    indications = [Indication](repeating: Indication(), count: plan.indicators.count)
    waiting = [Int32](repeating: 0, count: plan.indicators.count)
    channels = [UInt8](repeating: 0, count: plan.controlCount)
    message.reserveCapacity(4)
  }

  /// Makes the display of the same lines for a port that is plugged in again.
  convenience init(again display: PortDisplay) {
    self.init(display.plan, hub: display.hub)
  }

  /// Whether nothing is ever sent.
  package var isEmpty: Bool { plan.indicators.isEmpty }

  // MARK: News

  /// Notes that something of the mixer has changed; of a level, on any face.
  package func changed(_ target: Target) {
    plan.eachIndicator(of: target) { wait(for: $0) }
  }

  /// Notes that a hand of this device has let go of a gain: it is sent where the level is, once.
  package func released(_ gain: GainID) {
    plan.eachIndicator(of: Target(.gain, of: gain, in: hub.shape)) { number in
      indications[number].restsUntil = .min
      unsettle(number)
    }
  }

  /// Notes that nobody knows what the device shows: everything is sent once.
  package func refresh() {
    for number in indications.indices { unsettle(number) }
  }

  /// Whether a control only sends back what it was just sent, as some devices and programs do; it
  /// has not been moved, then.
  ///
  /// Else it would end a fade on its way, or turn a switch over that somebody else has turned. Of
  /// a button only a press counts: letting go is never passed over.
  func isEcho(_ control: Int, value: Int, isDown: Bool, at moment: Moment) -> Bool {
    guard !isEmpty, case .now(let arrival) = moment else { return false }
    for number in plan.indicators(of: control) where plan.indicators[number].isOwn {
      let indication = indications[number]
      let age = arrival.monotonicNanoseconds - indication.sentAt
      let limit: Int64
      switch plan.indicators[number].law {
      case .level, .number: limit = Self.faderEchoNanoseconds
      case .toggle: limit = isDown ? Self.buttonEchoNanoseconds : 0
      case .ring: continue
      }
      guard age < limit, value == indication.sent || value == indication.sentBefore else {
        continue
      }
      ignoredEchoes += 1
      return true
    }
    return false
  }

  /// How many echoes there have been since the last time.
  package func takeIgnoredEchoes() -> Int {
    defer { ignoredEchoes = 0 }
    return ignoredEchoes
  }

  /// Notes where the hand of a control is now, and that this lets go of it.
  func heard(
    _ control: Int, on channel: UInt8, position: Int, isRelease: Bool, at moment: Moment
  ) {
    guard !isEmpty, case .now(let arrival) = moment else { return }
    learn(channel, of: control)
    for number in plan.indicators(of: control) where plan.indicators[number].isOwn {
      switch plan.indicators[number].law {
      case .level, .number:
        indications[number].shown = Int32(position)
        // What comes from now on is the hand's, also where it is a value that was sent before.
        indications[number].sent = -1
        indications[number].sentBefore = -1
        indications[number].restsUntil = arrival.monotonicNanoseconds + Self.restNanoseconds
        // Where the level does not follow, the control is told so once it rests.
        wait(for: number)
      case .toggle:
        if isRelease, indications[number].shown != Int32(position) { unsettle(number) }
      case .ring:
        break
      }
    }
  }

  /// Learns on which channel a control sends, and takes what it shows there.
  private func learn(_ channel: UInt8, of control: Int) {
    guard channels[control] != channel else { return }
    let before = channels[control] > 0 ? channels[control] : max(portChannel, 1)
    channels[control] = channel
    if before != channel {
      for number in plan.indicators(of: control) where plan.indicators[number].channel == nil {
        unsettle(number)
      }
    }
    // A device has one channel as a rule, so one control tells where the others are.
    guard portChannel == 0 else { return }
    portChannel = channel
    guard channel != 1 else { return }
    for (number, indicator) in plan.indicators.enumerated() where indicator.channel == nil {
      if indicator.control < 0 || channels[indicator.control] == 0 { unsettle(number) }
    }
  }

  private func unsettle(_ number: Int) {
    indications[number].shown = -1
    wait(for: number)
  }

  private func wait(for number: Int) {
    due = .min
    guard !indications[number].isWaiting else { return }
    indications[number].isWaiting = true
    waiting[(head + count) % waiting.count] = Int32(number)
    count += 1
  }

  // MARK: Turns

  /// When there may be something to send, in monotonic nanoseconds; nothing where nothing waits.
  package var dueNanoseconds: Int64? {
    count == 0 ? nil : visits > 0 ? .min : due
  }

  /// Begins a turn, in which everything that waits now is looked at once; one that has not ended
  /// goes on.
  package func beginTurn() {
    guard visits == 0 else { return }
    visits = count
    due = .max
  }

  /// Whether a turn has begun and not ended.
  package var isInTurn: Bool { visits > 0 }

  /// Finds what is to be sent next, and puts it into `message`; false when the turn has ended.
  ///
  /// `now` is monotonic time in nanoseconds. Then say `confirm` or `giveBack`.
  package func next(now: Int64) -> Bool {
    while visits > 0 {
      visits -= 1
      let number = Int(waiting[head])
      head = (head + 1) % waiting.count
      count -= 1
      indications[number].isWaiting = false
      let indicator = plan.indicators[number]
      // Once they let go, it is sent where the level is then.
      if isTouched(indicator) { continue }
      if indications[number].restsUntil > now {
        keep(number, until: indications[number].restsUntil)
        continue
      }
      let reading = reading(of: indicator, shown: Int(indications[number].shown), now: now)
      current = (number, Int32(reading.value), reading.isTravelling, now)
      message.removeAll(keepingCapacity: true)
      if indications[number].shown != current.value {
        indicator.destination.append(
          reading.value, on: channel(of: indicator), to: &message)
        if !message.isEmpty { return true }
      }
      settle()
    }
    return false
  }

  /// Notes that `message` has left.
  package func confirm() {
    indications[current.number].sentBefore = indications[current.number].sent
    indications[current.number].sent = current.value
    indications[current.number].sentAt = current.now
    settle()
  }

  private func settle() {
    indications[current.number].shown = current.value
    if current.isTravelling { keep(current.number, until: .min) }
  }

  /// Notes that `message` could not be sent: what there is to say then is said later.
  package func giveBack() {
    // A part of it may have arrived.
    indications[current.number].shown = -1
    keep(current.number, until: .min)
  }

  private func keep(_ number: Int, until time: Int64) {
    let others = due
    wait(for: number)
    due = min(others, time)
  }

  private func isTouched(_ indicator: FeedbackPlan.Indicator) -> Bool {
    guard indicator.target.isLevel else { return false }
    for hand in hands where hub.isTouched(indicator.target, by: hand) { return true }
    return false
  }

  private func channel(of indicator: FeedbackPlan.Indicator) -> UInt8 {
    if let channel = indicator.channel { return channel }
    let heard = indicator.control >= 0 ? channels[indicator.control] : 0
    return heard > 0 ? heard : max(portChannel, 1)
  }

  private func reading(
    of indicator: FeedbackPlan.Indicator, shown: Int, now: Int64
  ) -> (value: Int, isTravelling: Bool) {
    let target = indicator.target
    switch indicator.law {
    case .level(let law, let highest):
      let (level, isTravelling) = level(of: target, now: now)
      // Several positions may mean one level, as those around unity do: where the hand is, is right.
      if shown >= 0, law.isShown(level, byPosition: shown, of: highest) {
        return (shown, isTravelling)
      }
      return (law.shownPosition(ofLevel: level, of: highest), isTravelling)
    case .ring(let law, let highest, let style):
      let (level, isTravelling) = level(of: target, now: now)
      return (style | law.shownPosition(ofLevel: level, of: highest), isTravelling)
    case .number(let law, let highest):
      let number = hub.number(of: target)
      if shown >= 0, Float(law.value(atPosition: shown, of: highest)) == Float(number) {
        return (shown, false)
      }
      return (law.shownPosition(of: number, of: highest), false)
    case .toggle(let off, let on, let blink):
      if hub.isOn(target) { return (on, false) }
      guard let blink, hub.factor(of: target.gain(in: hub.shape)) == 0 else { return (off, false) }
      return (blink, false)
    }
  }

  private func level(of target: Target, now: Int64) -> (level: Double, isTravelling: Bool) {
    let moment = Moment.now(Arrival(monotonicNanoseconds: now, realtimeNanoseconds: 0))
    return (
      hub.travellingLevel(of: target, at: moment), hub.isTravelling(target, at: moment)
    )
  }
}

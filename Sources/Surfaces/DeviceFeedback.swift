import ALSA
import Control
import MIDI
import Mapping
import MatrixCore

/// Tells MIDI devices what others do: their lamps, rings and motors show the mixer.
///
/// Each device has turns, at most 40 in a second, in which it is sent the latest value of what has
/// changed and it does not show already. A device gets no more than a MIDI cable carries, about an
/// event in a millisecond, so that a refresh of all it has cannot make it stumble.
///
/// Control thread only. Nothing is allocated for a change.
final class DeviceFeedback {
  /// The time from one turn of a device to the next, in nanoseconds: 40 in a second.
  static let turnNanoseconds: Int64 = 25_000_000
  /// After how many events of a part no further message is begun, and how long a part has: 3 bytes
  /// each at 31,250 baud take just under a millisecond.
  static let eventsPerPart = 4
  static let partNanoseconds: Int64 = 4_000_000
  /// How long a device that could not be sent anything is left alone, in nanoseconds.
  static let failureNanoseconds: Int64 = 1_000_000_000

  /// What has been counted.
  struct Counters {
    /// Events that devices have taken.
    var events: UInt64 = 0
    /// Times that a device was full; what there was to say was said later.
    var blockedTurns: UInt64 = 0
    /// Times that a device could not be sent anything.
    var failures: UInt64 = 0
  }

  private struct Outlet {
    let number: Int
    let client: UInt8
    let display: PortDisplay
    /// Where it is told; nothing while it cannot be.
    var address: SequencerAddress?
    var turnStart = Int64.min
    var nextTurn = Int64.min
  }

  private let sequencer: Sequencer
  private var outlets: [Outlet] = []
  private(set) var counters = Counters()
  /// The devices that could not be sent anything, by their numbers, with the error number of the
  /// system; whoever says so empties it.
  var troubles: [(number: Int, code: Int32)] = []

  /// Makes a desk without devices.
  init(sequencer: Sequencer) {
    self.sequencer = sequencer
  }

  // MARK: Devices

  /// Has a device told from now on, once it has an address.
  func add(_ number: Int, client: UInt8, _ display: PortDisplay) {
    outlets.append(Outlet(number: number, client: client, display: display))
    shareHands(of: client)
  }

  /// Has a device told no more.
  func remove(_ number: Int) {
    guard let place = outlets.firstIndex(where: { $0.number == number }) else { return }
    let gone = outlets.remove(at: place)
    shareHands(of: gone.client)
    for outlet in outlets where outlet.client == gone.client {
      // What its hand held back comes now.
      outlet.display.refresh()
    }
  }

  /// Whether a device has anything to show.
  func shows(_ number: Int) -> Bool {
    outlets.contains { $0.number == number && !$0.display.isEmpty }
  }

  /// Where a device is told, if it can be.
  func address(of number: Int) -> SequencerAddress? {
    outlets.first { $0.number == number }?.address
  }

  /// Has a device told at a port, everything at first; nothing ends that.
  ///
  /// - Throws: a `SequencerError` when the port is gone or does not allow it.
  func setAddress(
    _ address: SequencerAddress?, of number: Int
  ) throws(SequencerError) {
    guard let place = outlets.firstIndex(where: { $0.number == number }),
      outlets[place].address != address
    else { return }
    outlets[place].address = nil
    guard let address else { return }
    try sequencer.open(address)
    outlets[place].address = address
    outlets[place].nextTurn = .min
    outlets[place].display.refresh()
  }

  /// Notes that what devices have sent was lost, so that nobody knows what they show.
  func refresh() {
    for outlet in outlets { outlet.display.refresh() }
  }

  /// A device is what one client is, however many sections are for it.
  private func shareHands(of client: UInt8) {
    let hands = outlets.filter { $0.client == client }.map { Source.device($0.number) }
    for outlet in outlets where outlet.client == client { outlet.display.hands = hands }
  }

  // MARK: Turns

  /// Gives the devices whose turn has come what they are to be told; last in every pass.
  ///
  /// `now` is monotonic time in nanoseconds.
  func tick(now: Int64) {
    for place in outlets.indices where (deadline(of: outlets[place]) ?? .max) <= now {
      takeTurn(place, now: now)
    }
  }

  /// The monotonic time, in nanoseconds, at which `tick` has something to do, or nothing.
  var nextDeadline: Int64? {
    var deadline: Int64?
    for outlet in outlets {
      guard let own = self.deadline(of: outlet) else { continue }
      deadline = min(deadline ?? .max, own)
    }
    return deadline
  }

  private func deadline(of outlet: Outlet) -> Int64? {
    guard outlet.address != nil, let due = outlet.display.dueNanoseconds else { return nil }
    return max(outlet.nextTurn, due)
  }

  private func takeTurn(_ place: Int, now: Int64) {
    guard let address = outlets[place].address else { return }
    let display = outlets[place].display
    if !display.isInTurn { outlets[place].turnStart = now }
    display.beginTurn()
    var sent = 0
    while sent < Self.eventsPerPart, display.next(now: now) {
      for event in display.message {
        switch sequencer.send(event, to: address) {
        case .sent:
          sent += 1
          counters.events += 1
        case .full:
          counters.blockedTurns += 1
          display.giveBack()
          outlets[place].nextTurn = now + Self.turnNanoseconds
          return
        case .failed(let code):
          counters.failures += 1
          display.giveBack()
          outlets[place].nextTurn = now + Self.failureNanoseconds
          troubles.append((outlets[place].number, code))
          return
        }
      }
      display.confirm()
    }
    let rests = sent > 0 || (display.dueNanoseconds ?? .max) <= now
    let part = sent > 0 ? now + Self.partNanoseconds : now
    outlets[place].nextTurn =
      display.isInTurn || !rests
      ? part : max(part, outlets[place].turnStart + Self.turnNanoseconds)
  }
}

extension DeviceFeedback: HubObserver {
  func hubChanged(_ target: Target, by source: Source) {
    for outlet in outlets { outlet.display.changed(target) }
  }

  func hubReleased(_ gain: GainID, by source: Source) {
    for outlet in outlets where outlet.display.hands.contains(source) {
      outlet.display.released(gain)
    }
  }
}

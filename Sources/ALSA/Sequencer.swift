import CALSA

/// A client of ALSA's sequencer with one port that others can send to.
///
/// Nobody can read from the port, so two of them never meet, and nothing that comes in goes out
/// again: what is sent is addressed to one port of a device. It hears from the system which clients
/// and ports come and go. One thread at a time uses it; once open it never blocks, but for closing
/// a port, which lets the kernel write out what it has for that device.
public final class Sequencer {
  /// The most events that one call of `drain` takes from the kernel: twice what it can hold.
  public static let eventsPerDrain = 4_096
  /// The most events that the kernel can be asked to keep (SNDRV_SEQ_MAX_CLIENT_EVENTS).
  static let largestPool = 2_000
  /// The library's own buffer in bytes, which is how much one reading takes from the kernel: 16
  /// events.
  ///
  /// When the kernel's queue overflows during a reading, what it accepts until the next one is
  /// given up as well, and a sender who tries again until he is heard believes that he was: the
  /// shorter a reading, the fewer of these.
  static let bufferBytes = 16 * MemoryLayout<snd_seq_event_t>.size
  /// The client of the system, and its port that announces who comes and goes.
  static let announcer = SequencerAddress(client: 0, port: 1)

  /// The number of this client.
  public let client: UInt8
  /// The name of this client.
  public let name: String
  /// How many events the kernel keeps for this client, as it says itself; 200 is its default.
  public let inputPool: Int
  /// What to poll for reading; -1, which `poll` passes over, once the sequencer has failed.
  public private(set) var descriptor: Int32
  /// Times that events were lost, because they came faster than they were taken.
  public internal(set) var overruns: UInt64 = 0
  /// Events that were dropped because a number in them was out of its range.
  public internal(set) var malformedEvents: UInt64 = 0
  /// What the sequencer failed with, for good.
  public private(set) var failure: SequencerError?

  let handle: SequencerHandle
  let port: UInt8
  var queue = SequencerQueue()
  private var hasMore = false

  /// Becomes a client with a name that is visible to others, and hears who comes and goes.
  ///
  /// - Parameters:
  ///   - name: the name of the client, up to 63 bytes of it.
  ///   - device: the sequencer in ALSA's configuration.
  /// - Throws: a `SequencerError` when there is no sequencer, or it is not allowed.
  public init(name: String, device: String = "default") throws(SequencerError) {
    do throws(ALSAError) {
      let handle = try SequencerHandle(opening: device)
      let seat = try SequencerSeat(of: handle, name: name)
      self.handle = handle
      self.name = name
      client = seat.client
      port = seat.port
      inputPool = seat.inputPool
      descriptor = seat.descriptor
    } catch {
      throw SequencerError(opening: error)
    }
  }

  /// Whether something waits for `next`, or for another `drain`.
  public var hasWaiting: Bool { queue.count > 0 || hasMore }

  /// Takes over what the kernel keeps: call it often, because the kernel keeps little and gives
  /// all of it up when that overflows.
  public func drain() {
    hasMore = false
    guard failure == nil else { return }
    for _ in 0..<Self.eventsPerDrain {
      var event: UnsafeMutablePointer<snd_seq_event_t>?
      let code = snd_seq_event_input(handle.pointer, &event)
      switch -code {
      case EAGAIN: return
      case EINTR: continue
      case ENOSPC:
        overruns += 1
        put(.overrun)
      case ..<1:
        if let event { take(event) }
      default:
        fail(ALSAError(call: "snd_seq_event_input", code: code))
        return
      }
    }
    hasMore = true
  }

  /// What was told next, in the order of the kernel; nothing until the next `drain`.
  public func next() -> SequencerInput? { queue.takeFirst() }

  /// Adds to what waits.
  func put(_ input: SequencerInput) {
    if !queue.append(input) { overruns += 1 }
  }

  private func fail(_ error: ALSAError) {
    descriptor = -1
    failure = SequencerError(
      code: error.code, sentence: "MIDI has stopped for good: \(error.sentence).")
  }
}

import Glibc
import Synchronization

/// One run of a sender at a steady rate against a receiver.
struct Round {
  /// How many datagrams were sent.
  let sent: Int
  /// How many of them were read.
  let received: Int
  /// How long the sender took.
  let elapsedSeconds: Double
  /// The CPU time of the receiving thread.
  let receiverSeconds: Double

  /// Sends packets in turn from a thread of its own while this one receives, until none comes.
  init(of packets: [[UInt8]], rate: Int, seconds: Double, to receiver: some Receiver) throws {
    let job = Job(
      sender: try Sender(port: receiver.port), packets: packets, rate: rate,
      total: Int(Double(rate) * seconds))
    var thread = pthread_t()
    let start = Clock.threadSeconds
    guard pthread_create(&thread, nil, runJob, Unmanaged.passRetained(job).toOpaque()) == 0 else {
      throw BenchmarkError(description: "cannot start a thread")
    }
    while true {
      let isDone = job.isDone.load(ordering: .acquiring)
      if !receiver.receiveSome(), isDone { break }
    }
    receiverSeconds = Clock.threadSeconds - start
    pthread_join(thread, nil)
    sent = job.total
    received = receiver.received
    elapsedSeconds = Double(job.elapsedNanoseconds.load(ordering: .relaxed)) / 1e9
  }
}

/// What the sending thread does.
private final class Job: Sendable {
  let sender: Sender
  let packets: [[UInt8]]
  let rate: Int
  let total: Int
  let isDone = Atomic<Bool>(false)
  let elapsedNanoseconds = Atomic<Int>(0)

  init(sender: Sender, packets: [[UInt8]], rate: Int, total: Int) {
    self.sender = sender
    self.packets = packets
    self.rate = rate
    self.total = total
  }

  func run() {
    let start = Clock.monotonicSeconds
    var sent = 0
    while sent < total {
      let due = min(total, Int((Clock.monotonicSeconds - start) * Double(rate)) + 1)
      // Never more than a few at once: a sender that was held up must not turn into a burst.
      for _ in 0..<min(max(due - sent, 0), 4) {
        sender.send(packets[sent % packets.count])
        sent += 1
      }
    }
    elapsedNanoseconds.store(Int((Clock.monotonicSeconds - start) * 1e9), ordering: .relaxed)
    isDone.store(true, ordering: .releasing)
  }
}

private func runJob(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}

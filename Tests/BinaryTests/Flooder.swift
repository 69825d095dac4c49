import Glibc
import Synchronization

/// Somebody who sends the same datagrams again and again, from a thread and from sockets of its own.
final class Flooder: Sendable {
  private let port: UInt16
  private let datagrams: [[UInt8]]
  private let rate: Int
  private let sockets: Int
  private let isOver = Atomic<Bool>(false)
  private let sent = Atomic<Int>(0)
  private let thread = Mutex<pthread_t>(pthread_t())

  /// Begins to send to a port of this machine, so many datagrams in a second, from so many sockets in
  /// turn.
  init(_ datagrams: [[UInt8]], to port: UInt16, perSecond rate: Int, sockets: Int = 1) {
    self.datagrams = datagrams
    self.port = port
    self.rate = rate
    self.sockets = sockets
    var started = pthread_t()
    let code = pthread_create(
      &started, nil,
      { context in
        if let context { Unmanaged<Flooder>.fromOpaque(context).takeUnretainedValue().run() }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    precondition(code == 0, "a thread")
    let made = started
    thread.withLock { $0 = made }
  }

  /// How many datagrams have been sent.
  var count: Int { sent.load(ordering: .acquiring) }

  /// Waits until so many have been sent.
  func reach(_ count: Int) {
    while self.count < count { poll(nil, 0, 1) }
  }

  /// Ends it; to be called once.
  func stop() {
    isOver.store(true, ordering: .releasing)
    pthread_join(thread.withLock { $0 }, nil)
  }

  private func run() {
    let clients = (0..<sockets).map { _ in OSCClient(port: port) }
    let start = Self.seconds
    var number = 0
    while !isOver.load(ordering: .acquiring) {
      let due = Int((Self.seconds - start) * Double(rate))
      // Who was held up does not make up for it in one burst.
      for _ in 0..<min(max(0, due - number), 256) {
        clients[number % sockets].send(datagrams[number % datagrams.count])
        number += 1
      }
      sent.store(number, ordering: .releasing)
      poll(nil, 0, 1)
    }
  }

  private static var seconds: Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }
}

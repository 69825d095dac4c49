import Glibc

/// A value that threads take turns with, behind a lock of the C library.
///
/// For threads that may block, so never the audio thread. `Synchronization.Mutex` would do the
/// same, but the thread sanitizer cannot see into it on Linux and reports every turn as a race.
///
/// `@unchecked Sendable`: nobody reaches the value without holding the lock.
package final class Guarded<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  /// Guards a value.
  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Lets the caller have the value for as long as `body` runs.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}

import Glibc

/// A value behind a lock, for threads that may wait: never for the audio thread.
///
/// A POSIX mutex, because the thread sanitizer knows what it orders; it does not see through the
/// standard library's own.
///
/// `@unchecked Sendable`: the value is reached under the lock alone.
package final class Guarded<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Puts a value behind a lock of its own.
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

  /// Uses the value while nobody else does.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

import CPlatform

/// A thread with a name, which is waited for with a time limit.
package struct EngineThread: ~Copyable {
  private let handle: UInt

  /// Starts a thread that runs `body` once; nil when the system refuses another one.
  ///
  /// `stack` stays the caller's and must outlive the thread.
  package init?(name: String, stack: crosspoint_stack? = nil, body: @escaping @Sendable () -> Void)
  {
    let context = Unmanaged.passRetained(ThreadBody(body))
    var handle: UInt = 0
    let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
      guard let context else { return }
      Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    }
    let error: Int32
    if var stack {
      error = crosspoint_thread_start(&handle, name, &stack, run, context.toOpaque())
    } else {
      error = crosspoint_thread_start(&handle, name, nil, run, context.toOpaque())
    }
    guard error == 0 else {
      context.release()
      return nil
    }
    self.handle = handle
  }

  /// Waits for its end, at most so long; leaves it to itself after that and answers false.
  package consuming func join(milliseconds: Int64) -> Bool {
    if crosspoint_thread_join(handle, max(0, milliseconds) &* 1_000_000) != 0 { return true }
    crosspoint_thread_detach(handle)
    return false
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

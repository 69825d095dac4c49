/// What the audio thread remembers of a device that does not do as it should.
struct ALSADeviceTrouble {
  /// The last error number.
  var code: Int32 = 0
  /// Restarts since the last cycle that was read and written.
  var attempts = 0
  /// When the first of them was, in monotonic nanoseconds.
  var since: Int64 = 0
  /// Both directions have to be started before anything else.
  var needsStart = false
  /// The machine slept and the card is not back yet.
  var isSuspended = false

  @_noLocks @_noAllocation
  init() {}
}

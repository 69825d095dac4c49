/// How closely passes of the control thread follow each other.
///
/// To be woken costs the processor more than to read a datagram. Passes that come singly begin at
/// once; those that keep coming faster than they are worth begin `spacingNanoseconds` apart, and
/// each reads what has gathered. A generic cell rate algorithm (ITU-T I.371, annex A).
package struct Pace {
  /// The distance at which passes follow each other in the long run, in nanoseconds.
  ///
  /// Less than half of a period of 64 frames at 48 kHz, so that what is left to gather is not heard
  /// later; 2,000 passes a second instead of 10,000 when so many messages come singly.
  package static let spacingNanoseconds: Int64 = 500_000
  /// How many passes may follow each other at once after a rest.
  package static let freePasses: Int64 = 8

  private var planned: Int64 = .min

  package init() {}

  /// How long a pass that could begin now should rest, in nanoseconds; it is taken to do so.
  package mutating func rest(nowNanoseconds now: Int64) -> Int64 {
    let start = max(planned, now - Self.freePasses * Self.spacingNanoseconds)
    planned = start + Self.spacingNanoseconds
    return max(0, planned - now)
  }
}

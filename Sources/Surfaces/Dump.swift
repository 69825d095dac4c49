import Control
import Messages

/// The answer to a `/sync` on its way.
struct Dump: ~Copyable {
  /// What is still to be told.
  var things: ThingSet
  /// The face that the request's pattern names; nothing means the client's.
  let face: ClientFace?
  /// How many things there are in all.
  let count: Int
  /// The revision when it began.
  let revision: Int32
  /// Whether its first message has left.
  var hasBegun = false
  /// Whether its last message has left.
  var hasEnded = false
  /// Where to go on.
  var cursor = 0

  /// Begins a dump of all that a pattern meets; of everything without what means nothing now.
  init(_ match: PatternMatch, index: FeedbackIndex, hub: ControlHub) {
    var things = ThingSet(limit: index.count)
    for thing in match.things { things.insert(Int(thing)) }
    if match.isEverything {
      for range in index.unusedAtFirst {
        for thing in range where hub.isUnused(index.target(thing)) { things.remove(thing) }
      }
    }
    count = things.count
    self.things = things
    face = match.face
    revision = hub.shortRevision
  }

  /// What its first and its last message carry.
  var marks: [Argument] { [.int32(revision), .int32(Int32(count))] }

  /// What comes next, or nothing when everything has been told.
  var next: Int? { things.next(from: cursor) }

  /// Notes that something has been told.
  mutating func take(_ thing: Int) {
    things.remove(thing)
    cursor = thing + 1
  }
}

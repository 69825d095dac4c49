import Control

/// One pattern that a client wants to be told of.
struct Subscription {
  /// The pattern; empty for everything.
  var pattern: String
  /// How long it outlives the client's last message, in seconds; 0 lasts until the client leaves.
  var seconds: Int
  /// The face that the pattern itself names; nothing means the client's.
  var face: ClientFace?
  /// Its bit among those of the client, 0...31.
  var slot: Int
}

/// What a pattern means for feedback.
struct PatternMatch {
  /// The things that it meets; each once.
  var things: [Int32] = []
  /// Whether it is the pattern that means everything.
  let isEverything: Bool
  /// The face of levels that it names, when it names a single one other than the bare address.
  var face: ClientFace?

  /// Finds out what a pattern meets; an empty one meets everything.
  ///
  /// Throws a `Refusal` when nothing that it meets has feedback.
  init(_ pattern: String, hub: ControlHub, index: FeedbackIndex) throws(Refusal) {
    isEverything = pattern.isEmpty
    hub.work += index.count / 64
    guard !pattern.isEmpty else {
      things = (0..<Int32(index.count)).map { $0 }
      return
    }
    var isMet = [Bool](repeating: false, count: index.count)
    var faces: Set<Parameter> = []
    var things: [Int32] = []
    try hub.meet(pattern) { parameter, place, inputs, outputs in
      guard let first = index.firstNumber(of: parameter, at: place) else { return }
      if ClientFace.allCases.contains(where: { $0.parameter == parameter }) {
        faces.insert(parameter)
      }
      for input in inputs {
        for output in outputs {
          let target = Target(parameter, place, input: input, output: output)
          let thing = first + place.index(of: target, in: hub.shape)
          guard !isMet[thing] else { continue }
          isMet[thing] = true
          things.append(Int32(thing))
        }
      }
    }
    self.things = things
    guard !things.isEmpty else {
      throw Refusal(.address, "nothing that the pattern meets can be set and asked")
    }
    if faces.count == 1, let only = faces.first {
      face = ClientFace.allCases.first { $0 != .bare && $0.parameter == only }
    }
  }
}

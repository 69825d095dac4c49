import Handoff
import MatrixCore

/// The gains that have changed and are not in the ring yet.
///
/// Each gain stands in it once, whatever happened to it: what goes into the ring is its level,
/// factor and running fade at that moment. So a transaction never holds a gain twice, and what
/// did not fit, or came while audio stood still, is simply sent later, merged with what has been
/// added since.
///
/// A gain that several fades move at once goes in pieces (see `MixState.Course`): it is listed
/// again on the frame on which a piece ends. Control thread only.
final class Outbox {
  private let ring: CommandRing
  private let board: EngineBoard
  private let gains: UnsafeMutablePointer<GainID>
  /// Every gain, in the order in which the audio thread takes over many of them fastest.
  private let order: [GainID]
  private let isListed: UnsafeMutablePointer<Bool>
  private let places: UnsafeMutablePointer<Int32>
  private let commands: UnsafeMutablePointer<GainCommand>
  private let capacity: Int
  private(set) var count = 0
  /// Whether what is listed has missed its frame, because audio stood still or the ring was full.
  private(set) var isOverdue = false
  /// The frame of what is listed, and the last of the ring: none that follows may be earlier.
  private(set) var frame: Int64 = 0
  private(set) var resends = 0
  private var waypoints = Waypoints()
  /// How many transactions have been published.
  private(set) var transactions = 0
  /// How many of them were published after their frame had begun to be rendered.
  private(set) var lateTransactions = 0

  init(shape: MatrixShape, ring: CommandRing, board: EngineBoard) {
    precondition(ring.capacity >= 2 * shape.gainCount, "a ring for two of the largest transactions")
    self.ring = ring
    self.board = board
    capacity = shape.gainCount
    order = shape.gainsInMemoryOrder
    gains = .allocate(capacity: capacity)
    isListed = .allocate(capacity: capacity)
    places = .allocate(capacity: capacity)
    commands = .allocate(capacity: capacity)
    gains.initialize(repeating: GainID(index: 0), count: capacity)
    isListed.initialize(repeating: false, count: capacity)
    places.initialize(repeating: 0, count: capacity)
    commands.initialize(
      repeating: GainCommand(
        frame: 0, gain: GainID(index: 0), endsTransaction: true, factor: 0, fade: Fade(steady: 0)),
      count: capacity)
  }

  deinit {
    gains.deallocate()
    isListed.deallocate()
    places.deallocate()
    commands.deallocate()
  }

  /// Moves on to a frame, or to the last one where the wanted one is earlier, and says which.
  ///
  /// What is listed for an earlier frame goes into the ring first, and so do the pieces of courses
  /// that begin before it or on it.
  func open(atFrame wanted: Int64, _ state: MixState) -> Int64 {
    // What was overdue may leave for a later frame than the one that is wanted.
    while wanted > frame {
      flush(state)
      frame = max(frame, min(wanted, waypoints.first ?? wanted))
      sendDue(state)
    }
    sendDue(state)
    return frame
  }

  /// Sends the pieces that begin on this frame, as a transaction of their own.
  ///
  /// They leave early, and a change may come on their frame after them or before: a glide that is
  /// aimed once or twice differs in its last bits, so it is always twice.
  private func sendDue(_ state: MixState) {
    guard let due = waypoints.first, due <= frame else { return }
    while let gain = waypoints.takeDue(at: frame) { add(gain) }
    flush(state)
  }

  /// The frame on which the next piece of a course begins, or nothing.
  var nextWaypoint: Int64? { waypoints.first }

  /// Lists a gain.
  @inline(__always)
  func add(_ gain: GainID) {
    let place = Int(gain.index)
    precondition(place >= 0 && place < capacity, "a gain of this matrix")
    guard !isListed[place] else { return }
    isListed[place] = true
    gains[count] = gain
    count += 1
  }

  /// Puts what is listed into the ring as one transaction; what does not fit stays listed.
  func flush(_ state: MixState) {
    guard count > 0 else { return }
    guard board.isRunning, count <= ring.freeSlots else {
      isOverdue = true
      return
    }
    if isOverdue {
      frame = max(frame, board.nextFrame)
      resends += 1
      lateTransactions += 1
    }
    publish(state)
  }

  /// Empties the ring and puts the listed gains into it on the first frame of a stream.
  func restart(atFrame start: Int64, _ state: MixState) {
    ring.empty()
    frame = start
    waypoints.removeAll()
    if count > 0 { publish(state) }
  }

  /// A transaction of so many gains, and of more than this part of all, is sorted: looking through
  /// all of them costs little beside sending it then.
  private static let fewestSorted = 256
  private static let sortedPart = 16

  private func publish(_ state: MixState) {
    let isSorted = count >= max(Self.fewestSorted, capacity / Self.sortedPart)
    if isSorted { findPlaces() }
    // In the order in which they were listed, which is mostly the one in which the state is kept.
    for number in 0..<count {
      let gain = gains[number]
      isListed[Int(gain.index)] = false
      let course = state.course(of: gain, from: frame)
      commands[isSorted ? Int(places[Int(gain.index)]) : number] = GainCommand(
        frame: frame, gain: gain, endsTransaction: false, factor: course.factor, fade: course.fade)
      if let next = course.nextFrame { waypoints.insert(next, gain) }
    }
    commands[count - 1].endsTransaction = true
    let isPublished = ring.publish(UnsafeBufferPointer(start: commands, count: count))
    precondition(isPublished, "room was made sure of")
    transactions += 1
    if board.nextFrame > frame { lateTransactions += 1 }
    count = 0
    isOverdue = false
  }

  /// Finds the place of everything listed in the order of `order`.
  private func findPlaces() {
    var place: Int32 = 0
    for gain in order where isListed[Int(gain.index)] {
      places[Int(gain.index)] = place
      place += 1
    }
  }
}

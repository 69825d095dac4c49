import MatrixCore

/// What hands have done, gesture by gesture, so that it can be taken back.
///
/// A gesture is what one source changes without a pause. Gestures of several hands may go on at the
/// same time as long as they are about different gains: who changes a gain of another's gesture
/// ends that one. So the gestures of a gain follow each other, and taking back the latest of all,
/// again and again, goes back the way that the mixer came. Control thread only.
struct UndoHistory {
  /// How a gain was.
  struct Entry {
    var level: Double
    var gain: GainID
    var switches: UInt8
  }

  /// What is taken back at once.
  struct Step {
    var entries: [Entry] = []
    /// The scene that was current, if the gesture changed that.
    var scene: SceneBefore?
    fileprivate var number: UInt64 = 0
    fileprivate var source = Source.nobody
    fileprivate var lastFrame: Int64 = 0
    fileprivate var lastChange: UInt64 = 0
  }

  /// The scene that was current, if there was one.
  struct SceneBefore {
    var number: Int?
  }

  /// The most gestures that can be taken back.
  static let mostSteps = 200
  /// The most gains in all of them; the oldest gestures go first.
  static let mostEntries = 524_288
  /// The most gains for which the memory of a forgotten gesture is kept.
  private static let largestSpareList = 4_096

  private let pauseFrames: Double
  /// Gestures that go on, the one that last changed anything at the end.
  private var open: [Step] = []
  /// Gestures that have ended, the latest change at the end.
  private var done: [Step] = []
  private var undone: [Step] = []
  /// The gesture that last changed each gain.
  private var owners: [UInt64]
  private var entryCount = 0
  /// Lists of gestures that have been forgotten, for those to come: hands in motion allocate nothing.
  private var spareLists: [[Entry]] = []
  private var lastNumber: UInt64 = 0
  private var changeCount: UInt64 = 0
  /// Whether changes are taken down; off while something is taken back.
  var isRecording = true

  init(shape: MatrixShape, pauseFrames: Double) {
    self.pauseFrames = pauseFrames
    owners = [UInt64](repeating: 0, count: shape.levelCount)
  }

  /// How many gestures can be taken back, and brought back.
  var counts: (done: Int, undone: Int) { (open.count + done.count, undone.count) }

  // MARK: Taking down

  /// Takes down how a gain was before a change.
  mutating func note(
    _ gain: GainID, level: Double, switches: UInt8, atFrame frame: Int64, by source: Source
  ) {
    guard isRecording else { return }
    let place = Int(gain.index)
    takeUp(source, atFrame: frame)
    let owner = owners[place]
    let last = open.count - 1
    guard owner != open[last].number else { return }
    if let other = open.firstIndex(where: { $0.number == owner }) { end(other) }
    owners[place] = open[open.count - 1].number
    open[open.count - 1].entries.append(Entry(level: level, gain: gain, switches: switches))
    entryCount += 1
    trim()
  }

  /// Takes down which scene was current before the gesture that a source is making.
  mutating func note(scene number: Int?, by source: Source) {
    guard isRecording, let last = open.indices.last, open[last].source == source.code,
      open[last].scene == nil
    else { return }
    open[last].scene = SceneBefore(number: number)
  }

  /// Ends a source's gesture: what it does next is another one.
  mutating func endGesture(of source: Source) {
    if let index = open.firstIndex(where: { $0.source == source.code }) { end(index) }
  }

  /// Forgets everything.
  mutating func removeAll() {
    open = []
    done = []
    undone = []
    entryCount = 0
  }

  /// Brings a source's gesture to the end of the open ones, a new one if it has paused.
  private mutating func takeUp(_ source: Source, atFrame frame: Int64) {
    changeCount += 1
    var index = open.count - 1
    while index >= 0, open[index].source != source.code { index -= 1 }
    if index >= 0, Double(frame - open[index].lastFrame) >= pauseFrames {
      end(index)
      index = -1
    }
    if index < 0 {
      begin(source)
    } else if index < open.count - 1 {
      open.append(open.remove(at: index))
    }
    open[open.count - 1].lastFrame = frame
    open[open.count - 1].lastChange = changeCount
  }

  private mutating func begin(_ source: Source) {
    while let step = undone.popLast() { forget(step) }
    lastNumber += 1
    open.append(
      Step(entries: spareLists.popLast() ?? [], number: lastNumber, source: source.code))
    while open.count + done.count > Self.mostSteps { dropOldest() }
  }

  /// Moves a gesture to those that have ended, by the time of its last change.
  private mutating func end(_ index: Int) {
    let step = open.remove(at: index)
    var place = done.count
    while place > 0, done[place - 1].lastChange > step.lastChange { place -= 1 }
    done.insert(step, at: place)
  }

  private mutating func trim() {
    while entryCount > Self.mostEntries { dropOldest() }
  }

  private mutating func dropOldest() {
    if done.isEmpty { end(0) }
    forget(done.removeFirst())
  }

  /// Forgets a gesture and keeps the memory of its list, unless that is large.
  private mutating func forget(_ step: consuming Step) {
    entryCount -= step.entries.count
    var list: [Entry] = []
    swap(&list, &step.entries)
    guard list.capacity <= Self.largestSpareList, spareLists.count < Self.mostSteps else {
      return
    }
    list.removeAll(keepingCapacity: true)
    spareLists.append(list)
  }

  // MARK: Taking back

  /// Takes out the latest gesture, or the one that was taken back last.
  mutating func take(undone isUndone: Bool) -> Step? {
    while !open.isEmpty { end(open.count - 1) }
    guard let step = isUndone ? undone.popLast() : done.popLast() else { return nil }
    entryCount -= step.entries.count
    return step
  }

  /// Puts back a gesture with how things were before it was taken back, or brought back.
  mutating func put(_ step: Step, undone isUndone: Bool) {
    entryCount += step.entries.count
    if isUndone {
      undone.append(step)
    } else {
      changeCount += 1
      done.append(step)
      done[done.count - 1].lastChange = changeCount
    }
    trim()
  }
}

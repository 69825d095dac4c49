import MatrixCore

/// Frames on which gains are to be sent again, because what moves them is more than one fade.
///
/// A binary heap by frame; each gain has one frame that counts. Control thread only.
struct Waypoints {
  private struct Entry {
    var frame: Int64
    var gain: GainID
  }

  private var heap: [Entry] = []
  private var frames: [GainID: Int64] = [:]

  /// The earliest frame.
  var first: Int64? { heap.first?.frame }

  /// Forgets all.
  mutating func removeAll() {
    heap.removeAll()
    frames.removeAll()
  }

  /// Notes a frame for a gain, unless it has an earlier one already.
  mutating func insert(_ frame: Int64, _ gain: GainID) {
    if let known = frames[gain], known <= frame { return }
    frames[gain] = frame
    heap.append(Entry(frame: frame, gain: gain))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].frame < heap[parent].frame else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes a gain out whose frame has come, or nothing.
  mutating func takeDue(at frame: Int64) -> GainID? {
    while let due = heap.first, due.frame <= frame {
      removeFirst()
      guard frames[due.gain] == due.frame else { continue }
      frames[due.gain] = nil
      return due.gain
    }
    return nil
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var earliest = parent
      for child in 2 * parent + 1...2 * parent + 2 where child < heap.count {
        if heap[child].frame < heap[earliest].frame { earliest = child }
      }
      guard earliest != parent else { return }
      heap.swapAt(parent, earliest)
      parent = earliest
    }
  }
}

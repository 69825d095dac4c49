import Handoff
import MatrixCore
import Testing

private func command(_ frame: Int64, ends: Bool = true) -> GainCommand {
  GainCommand(
    frame: frame, gain: GainID(index: Int32(truncatingIfNeeded: frame % 1000)),
    endsTransaction: ends, factor: Double(frame), fade: Fade(steady: Double(frame) * 2))
}

extension CommandRing {
  fileprivate func publish(_ commands: [GainCommand]) -> Bool {
    commands.withUnsafeBufferPointer { publish($0) }
  }
}

struct CommandRingTests {
  @Test("What goes in comes out whole and in order, as often as the ring wraps around")
  func keepsOrder() {
    let ring = CommandRing(minimumCapacity: 5)
    #expect(ring.capacity == 8)
    var next: Int64 = 0
    for round in 0..<1000 {
      let length = 1 + round % 8
      let first = next
      let sent = (0..<length).map { command(first + Int64($0), ends: $0 == length - 1) }
      #expect(ring.publish(sent))
      for expected in sent {
        #expect(ring.peek()?.pointee == expected)
        ring.advance(by: 1)
      }
      #expect(ring.peek() == nil)
      next += Int64(length)
    }
  }

  @Test("A transaction that does not fit changes nothing")
  func refusesWhole() {
    let ring = CommandRing(minimumCapacity: 4)
    #expect(ring.publish([command(1), command(2), command(3)]))
    #expect(!ring.publish([command(4), command(5)]))
    #expect(ring.freeSlots == 1)
    #expect(ring.publish([command(6)]))
    #expect(ring.freeSlots == 0)
    for frame: Int64 in [1, 2, 3, 6] {
      #expect(ring.peek()?.pointee.frame == frame)
      ring.advance(by: 1)
    }
    #expect(ring.peek() == nil)
  }

  @Test("What is published after the end was read lies behind it")
  func stopsAtItsEnd() {
    let ring = CommandRing(minimumCapacity: 8)
    #expect(ring.publish([command(1)]))
    let end = ring.end
    #expect(ring.publish([command(2)]))
    #expect(ring.peek(before: end)?.pointee.frame == 1)
    ring.advance(by: 1)
    #expect(ring.peek(before: end) == nil)
    #expect(ring.peek()?.pointee.frame == 2)
  }

  @Test("Commands that lie side by side are read and given back together, up to the ring's end")
  func readsTogether() {
    let ring = CommandRing(minimumCapacity: 8)
    #expect(ring.peekAll(before: ring.end).count == 0)
    #expect(ring.publish((1...5).map { command($0, ends: $0 == 5) }))
    #expect(ring.peekAll(before: ring.end).count == 5)
    ring.advance(by: 4)
    #expect(ring.freeSlots == 7)
    // Two commands go round the end of eight slots.
    #expect(ring.publish((6...10).map { command($0, ends: $0 == 10) }))
    let (first, count) = ring.peekAll(before: ring.end)
    #expect((0..<count).map { first[$0].frame } == [5, 6, 7, 8])
    ring.advance(by: count)
    let rest = ring.peekAll(before: ring.end)
    #expect((0..<rest.count).map { rest.first[$0].frame } == [9, 10])
    ring.advance(by: 2)
    #expect(ring.peek() == nil)
    #expect(ring.freeSlots == 8)
  }

  @Test("Every command has a cache line to itself")
  func lines() {
    #expect(MemoryLayout<GainCommand>.size == 64)
    let ring = CommandRing(minimumCapacity: 4)
    #expect(UInt(bitPattern: ring.peekAll(before: ring.end).first) % 64 == 0)
  }

  @Test("An emptied ring is as good as a new one")
  func empties() {
    let ring = CommandRing(minimumCapacity: 4)
    #expect(ring.publish([command(1), command(2), command(3)]))
    ring.empty()
    #expect(ring.freeSlots == 4)
    #expect(ring.peek() == nil)
    #expect(ring.publish([command(4), command(5), command(6), command(7)]))
    #expect(ring.peek()?.pointee.frame == 4)
  }

  @Test(
    "Between two threads no command is lost, doubled or torn, and no transaction is seen in part")
  func crossesThreads() async {
    let ring = CommandRing(minimumCapacity: 64)
    let total: Int64 = 200_000
    let writer = Task.detached {
      var next: Int64 = 0
      while next < total {
        let first = next
        let length = min(1 + first % 17, total - first)
        let sent = (0..<length).map { command(first + $0, ends: $0 == length - 1) }
        while !ring.publish(sent) { await Task.yield() }
        next += length
      }
    }
    let reader = Task.detached { () -> Int in
      var wrong = 0
      var next: Int64 = 0
      while next < total {
        let end = ring.end
        var isInside = false
        while let seen = ring.peek(before: end) {
          let length = min(1 + next % 17, total - next)
          for offset in 0..<length {
            let expected = command(next + offset, ends: offset == length - 1)
            if ring.peek(before: end)?.pointee != expected { wrong += 1 }
            isInside = ring.peek(before: end)?.pointee.endsTransaction != true
            ring.advance(by: 1)
          }
          _ = seen
          next += length
        }
        if isInside { wrong += 1 }
        await Task.yield()
      }
      return wrong
    }
    await writer.value
    #expect(await reader.value == 0)
    #expect(ring.freeSlots == 64)
  }
}

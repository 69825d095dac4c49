import Control
import Glibc
import Handoff
import MIDI
import Mapping
import MatrixCore
import Messages
import TextLines

/// Prints what a controller's event costs, from its arrival to the ring of the audio thread.
///
/// `midi-benchmark [EVENTS]`: figures for people, and no test, because other work on the machine
/// shows in them. The time is the CPU time of the thread: port, hub and the end of the pass, with
/// every event in a pass of its own, which is the dearest way. Beside it stands how much more memory
/// the program has at the end.
@main
enum MIDIBenchmark {
  /// What is measured: a name, the size of the matrix, and a line.
  private struct Case {
    var name: String
    var channels: Int
    var address: String
    var change: (inout MappingOptions) -> Void = { _ in }
  }

  private static var cases: [Case] {
    [
      Case(name: "fader, jump", channels: 8, address: "/matrix/in/0/fader"),
      Case(name: "fader, pickup", channels: 8, address: "/matrix/in/0/fader") {
        $0.takeover = .pickup
      },
      Case(name: "crosspoint", channels: 256, address: "/matrix/in/200/out/200"),
      Case(name: "db with a range", channels: 8, address: "/matrix/out/1/db") {
        $0.range = MappingRange(low: -60, high: 10)
      },
      Case(name: "mute, gate", channels: 8, address: "/matrix/in/0/mute") { $0.button = .gate },
      Case(name: "solo of 64, gate", channels: 64, address: "/matrix/in/0/solo") {
        $0.button = .gate
      },
      Case(name: "pattern of 64", channels: 64, address: "/matrix/in/*/fader"),
    ]
  }

  static func main() {
    let arguments = CommandLine.arguments
    let events = arguments.count > 1 ? max(1_000, Int(arguments[1]) ?? 900_000) : 900_000
    for one in cases { measure(one, events: one.address.contains("*") ? events / 20 : events) }
  }

  private static func measure(_ one: Case, events: Int) {
    guard let shape = MatrixShape(inputs: one.channels, outputs: one.channels) else { return }
    let ring = CommandRing(shape: shape)
    let board = EngineBoard(rate: 48_000)
    let hub = ControlHub(HubConfiguration(shape: shape), ring: ring, board: board)
    hub.prepareStream(startFrame: 0)
    board.setRunning(true)
    ring.empty()
    var options = MappingOptions()
    one.change(&options)
    let position = TextPosition(line: 1, column: 1)
    let line = MappingLine(
      file: "benchmark", position: position, channel: nil, source: .controller(7),
      addresses: [MappingLine.Address(text: one.address, position: position)], options: options)
    let port = MappedPort(
      Mapping.Section(device: DeviceSelector(client: "*"), lines: [line]), hub: hub)
    var batch = MessageBatch()
    var slowest = 0.0

    func play(_ count: Int) -> Double {
      let start = threadSeconds
      for number in 0..<count {
        // From end to end and back, and the ends of a switch.
        let step = number % 254
        let value = UInt16(step < 128 ? step : 254 - step)
        let now = Int64(number) * 1_000_000
        batch.removeAll()
        _ = port.take(
          MIDIEvent(.controller, channel: 1, number: 7, value: value), now: now, into: &batch)
        if !batch.isEmpty {
          hub.perform(
            batch, at: .now(Arrival(monotonicNanoseconds: now, realtimeNanoseconds: now)),
            from: .device(0))
        }
        hub.tick(now: now)
        ring.empty()
      }
      return threadSeconds - start
    }

    _ = play(1_000)
    let memory = residentBytes
    var seconds = 0.0
    // In parts, because the slowest of them tells more than the sum.
    for _ in 0..<100 {
      let part = play(max(1, events / 100))
      slowest = max(slowest, part / Double(max(1, events / 100)))
      seconds += part
    }
    let each = seconds / Double(max(1, events / 100) * 100)
    print(
      "\(one.name): \(microseconds(each)) us of CPU an event, \(microseconds(slowest)) in the slowest",
      "of 100 parts; \(events) events, memory grew by \(residentBytes - memory) bytes,",
      "\(hub.revision) changes")
  }

  /// The CPU time of the calling thread, its part of the kernel included, in seconds.
  private static var threadSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The memory of the program that the machine really gives it.
  private static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    guard fgets(&text, Int32(text.count), file) != nil else { return 0 }
    let words = text.prefix { $0 != 0 }.split(separator: CChar(UInt8(ascii: " ")))
    guard words.count > 1,
      let pages = Int(String(decoding: words[1].map(UInt8.init), as: UTF8.self))
    else { return 0 }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  private static func microseconds(_ seconds: Double) -> String {
    "\((seconds * 1e8).rounded() / 100)"
  }
}

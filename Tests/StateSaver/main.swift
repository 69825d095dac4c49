import Control
import Glibc
import Memory

// For tests alone: saves a state again and again, as fast as the disk allows, until it is killed.
// In each state all crosspoints have one level, so that a mixture of two would show. A line on
// standard output says how many microseconds the first one took.

func microseconds() -> Int {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return now.tv_sec * 1_000_000 + now.tv_nsec / 1_000
}

guard CommandLine.arguments.count == 2 else { exit(2) }
do {
  let file = try StateFile(CommandLine.arguments[1])
  _ = file.load()
  var round = 0
  while true {
    round += 1
    let start = microseconds()
    var snapshot = MixerSnapshot(inputs: 16, outputs: 16)
    for input in 0..<16 {
      for output in 0..<16 { snapshot[input, output].level = Double(round % 1_000) / 1_000 }
    }
    try file.save(StateText.bytes(of: snapshot))
    if round == 1 {
      let line = Array("\(microseconds() - start)\n".utf8)
      _ = write(STDOUT_FILENO, line, line.count)
    }
  }
} catch {
  print(error.sentence)
  exit(4)
}

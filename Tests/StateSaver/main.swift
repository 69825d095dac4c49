import Control
import Glibc
import Memory

// For tests alone: saves a state again and again, as fast as the disk allows, until it is killed.
// In each state all crosspoints have one level, so that a mixture of two would show. A line on
// standard output says that it has begun.

guard CommandLine.arguments.count == 2 else { exit(2) }
do {
  let file = try StateFile(CommandLine.arguments[1])
  _ = file.load()
  var round = 0
  while true {
    round += 1
    var snapshot = MixerSnapshot(inputs: 16, outputs: 16)
    for input in 0..<16 {
      for output in 0..<16 { snapshot[input, output].level = Double(round % 1_000) / 1_000 }
    }
    try file.save(StateText.bytes(of: snapshot))
    if round == 1 { _ = write(STDOUT_FILENO, "saving\n", 7) }
  }
} catch {
  print(error.sentence)
  exit(4)
}

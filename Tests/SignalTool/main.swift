// Makes and measures raw audio for the end-to-end tests: interleaved S32_LE at 48 kHz.
//
//   signal-tool tones CHANNELS SECONDS         on stdout, channel c carries 997 + 100·c Hz at 0.5
//   signal-tool level FILE CHANNELS CHANNEL HZ the amplitude of a tone, where it stands clean
//   signal-tool peak FILE CHANNELS CHANNEL     the greatest absolute sample
//   signal-tool edges FILE CHANNELS CHANNEL    a line for each stretch of sound: its start, its end,
//                                              how long it takes from nothing to 90 % of its peak,
//                                              and from there back to nothing, in milliseconds
import Glibc

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "tones" where arguments.count == 3:
  guard let channels = Int(arguments[2]), let seconds = Double(arguments[3]) else { fallthrough }
  Tones(channels: channels, seconds: seconds).write()
case "level" where arguments.count == 5:
  guard let recording = Recording(arguments), let frequency = Double(arguments[5]) else {
    fallthrough
  }
  print(recording.level(of: frequency))
case "peak" where arguments.count == 4:
  guard let recording = Recording(arguments) else { fallthrough }
  print(recording.peak)
case "edges" where arguments.count == 4:
  guard let recording = Recording(arguments) else { fallthrough }
  for stretch in recording.stretches() { print(stretch.description) }
default:
  print("signal-tool: the head of its source says how to call it")
  exit(2)
}

/// The one table of options: parsing, usage text and configurations all follow it.
package enum OptionTable {
  /// All options, in the order in which the usage text shows them.
  package static let entries: [OptionEntry] = [
    OptionEntry(
      name: .config, placeholder: "FILE", kind: .text("the name of a configuration file"),
      commands: [.run, .render], isInConfiguration: false,
      help: "read options and address lines from a file; the command line replaces its options"),
    OptionEntry(
      name: .capture, placeholder: "PCM", kind: .text("the name of an ALSA device, such as hw:1"),
      commands: [.run], help: "the ALSA device that the inputs come from"),
    OptionEntry(
      name: .playback, placeholder: "PCM", kind: .text("the name of an ALSA device, such as hw:1"),
      commands: [.run], help: "the ALSA device that the outputs go to"),
    OptionEntry(
      name: .virtual, placeholder: "", kind: .flag, commands: [.run],
      help: "no card: a clock, test tones in, nothing out"),
    OptionEntry(
      name: .inputs, placeholder: "N", kind: .whole(1...512, "inputs"), commands: [.run],
      help: "inputs of the matrix, 1 to 512; else as many as the device has"),
    OptionEntry(
      name: .outputs, placeholder: "M", kind: .whole(1...512, "outputs"),
      commands: [.run, .render],
      help:
        "outputs of the matrix, 1 to 512; else as many as the device has, or in render as inputs"),
    OptionEntry(
      name: .rate, placeholder: "HZ", kind: .whole(8000...384_000, "Hz"), commands: [.run],
      help: "sample rate, 8000 to 384000 Hz; 48000 unless told"),
    OptionEntry(
      name: .period, placeholder: "FRAMES", kind: .whole(1...4096, "frames"),
      commands: [.run, .render],
      help: "frames between two turns of the audio, 1 to 4096; 64 unless told"),
    OptionEntry(
      name: .periods, placeholder: "K", kind: .whole(2...32, "periods"), commands: [.run],
      help: "periods in the card's buffer, 2 to 32; 3 unless told"),
    OptionEntry(
      name: .noWait, placeholder: "", kind: .flag, commands: [.run],
      help: "end with exit code 4 when the card is missing, instead of waiting for it"),
    OptionEntry(
      name: .host, placeholder: "ADDRESS", kind: .networkAddress, commands: [.monitor],
      isInConfiguration: false,
      help: "the router's address; this machine unless told"),
    OptionEntry(
      name: .oscPort, placeholder: "N", kind: .whole(0...65_535, ""), commands: [.run, .monitor],
      help: "UDP port for OSC; 9000 unless told; a router takes any free one for 0"),
    OptionEntry(
      name: .listen, placeholder: "ADDRESS",
      kind: .networkAddress, commands: [.run],
      help:
        "listen on this address, 0.0.0.0 for all of IPv4 or :: for all of IPv6; only on this machine's own loopback unless told"
    ),
    OptionEntry(
      name: .allow, placeholder: "CIDR",
      kind: .networkRange, commands: [.run],
      repeats: true, help: "hear only senders of this range; may be repeated"),
    OptionEntry(
      name: .map, placeholder: "NAME|FILE", kind: .mapping, commands: [.run, .render],
      repeats: true,
      help: "let a MIDI controller move gains as a mapping says; may be repeated"),
    OptionEntry(
      name: .client, placeholder: "\"NAME ADDRESS:PORT\"", kind: .client, commands: [.run],
      repeats: true,
      help:
        "tell an app that cannot subscribe of changes; hz N, face F, pattern P may follow; repeats"),
    OptionEntry(
      name: .set, placeholder: "\"ADDRESS ARGS\"", kind: .message, commands: [.run, .render],
      repeats: true, isInConfiguration: false,
      help: "apply this at the start, after address lines and the saved state; may be repeated"),
    OptionEntry(
      name: .glide, placeholder: "MS", kind: .decimal(1...40, "ms"), commands: [.run, .render],
      help: "time constant of every change of gain, 1 to 40 ms; 5 unless told"),
    OptionEntry(
      name: .name, placeholder: "NAME", kind: .text("a name"), commands: [.run],
      help: "the name under which others see this router; Crosspoint unless told"),
    OptionEntry(
      name: .log, placeholder: "LEVEL", kind: .choice(LogLevel.allCases.map(\.rawValue)),
      commands: [.run], help: "error, warning, info or debug; info unless told"),
    OptionEntry(
      name: .state, placeholder: "FILE", kind: .text("the name of a file"), commands: [.run],
      help: "keep the state in this file; else NAME.json in $XDG_STATE_HOME/crosspoint"),
    OptionEntry(
      name: .noState, placeholder: "", kind: .flag, commands: [.run],
      help: "keep no state, and start from the address lines alone"),
    OptionEntry(
      name: .record, placeholder: "FILE", kind: .text("the name of a file"), commands: [.run],
      help: "write every change to an event file, which render plays again sample for sample"),
    OptionEntry(
      name: .meters, placeholder: "", kind: .flag, commands: [.run],
      help: "print a line of levels every second"),
    OptionEntry(
      name: .events, placeholder: "FILE", kind: .text("the name of an event file"),
      commands: [.render], isInConfiguration: false,
      help:
        "lines of SECONDS ADDRESS ARGS or SECONDS midi \"CLIENT NAME\" BYTES, each on its sample"),
    OptionEntry(
      name: .json, placeholder: "", kind: .flag, commands: [.bench], isInConfiguration: false,
      help: "print one JSON object a line"),
    OptionEntry(
      name: .markdown, placeholder: "", kind: .flag, commands: [.help], isInConfiguration: false,
      help: "print the table of OSC addresses as Markdown"),
  ]

  /// The options that a command takes.
  package static func entries(of command: CommandName) -> [OptionEntry] {
    entries.filter { $0.commands.contains(command) }
  }

  /// The options that a configuration may contain.
  package static let configurable = entries.filter(\.isInConfiguration)
}

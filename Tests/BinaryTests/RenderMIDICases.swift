import TestSupport
import Testing

@Suite("Rendering what controllers do")
struct RenderMIDICases {
  /// A mapping of the project's own folder.
  private static let nanoKONTROL2 =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/") + "/mappings/nanokontrol2.map"

  /// A second of a steady quarter, rendered with events.
  private func render(
    _ events: String, _ more: [String]
  ) -> (code: Int32, output: String, errors: String, samples: [Float]) {
    let folder = TemporaryFolder()
    folder.write(RenderCases.constant(0.25, frames: 48_000, channels: 1), to: "in.wav")
    folder.write(Array(events.utf8), to: "events")
    let result = RunningRouter.run(
      [
        "render", "\(folder.path)/in.wav", "\(folder.path)/out.wav", "--events",
        "\(folder.path)/events",
      ] + more)
    return (
      result.code, result.output, result.errors, RenderCases.samples(folder.read("out.wav"))
    )
  }

  @Test("A slider takes the sound to off and to the top, to the sample as OSC does")
  func slider() {
    let midi = render(
      """
      0    /matrix/in/0/out/0 1
      0.2  midi "nanoKONTROL2" B0 00 7F
      0.2  midi "nanoKONTROL2" 00 00
      0.5  midi "NANOKONTROL2 " B0 00 40
      0.6  midi "nanoKONTROL2" 00 5F F8
      0.75 midi "nanoKONTROL2" 00 7F
      """, ["--map", Self.nanoKONTROL2])
    #expect(midi.code == 0)
    // A name that is written otherwise is another device, whose hand has not been seen before; the
    // other knobs' lines are for inputs that one channel does not have.
    #expect(midi.output.contains("0 of 5 MIDI events met no line."))
    #expect(midi.errors.contains("lines of") && midi.errors.contains("this matrix does not have."))
    let osc = render(
      """
      0    /matrix/in/0/out/0 1
      0.2  /matrix/in/0/fader 0
      0.6  /matrix/in/0/gain 1
      0.75 /matrix/in/0/fader 1
      """, [])
    #expect(midi.samples == osc.samples)
    #expect(midi.samples.count == 48_000)
    #expect(midi.samples[9_599] == 0.25)
    #expect(midi.samples[9_600] < 0.25)
    #expect(midi.samples[28_799] == 0)
    #expect(midi.samples[35_999] == 0.25)
    #expect(abs((midi.samples.last ?? 0) - 0.25 * 3.162_277_7) < 1e-7)
  }

  @Test("Without a mapping for the device nothing moves, and the summary says so")
  func unheard() {
    let result = render("0.2 midi \"nanoKONTROL2\" B0 00 7F 00 00 01\n", [])
    #expect(result.code == 0)
    #expect(result.output.contains("2 of 2 MIDI events met no line, 1 byte no message."))
    let other = render(
      "0.2 midi \"nanoPAD2\" B0 00 7F\n", ["--map", Self.nanoKONTROL2, "--outputs", "1"])
    #expect(other.output.contains("1 of 1 MIDI events met no line."))
    #expect(other.samples.allSatisfy { $0 == 0 })
  }

  @Test("A mistake of a midi line is named with its place")
  func mistakes() {
    for (line, place) in [
      ("0 midi", ":1:7:"), ("0 midi B0 00 40", ":1:8:"), ("0 midi \"x\" B0 0 40", ":1:15:"),
      ("0 midi \"x\"", ":1:11:"), ("0 mdi \"x\" B0", ":1:3:"),
    ] {
      let result = render(line, [])
      #expect(result.code == 2)
      #expect(result.errors.contains("events\(place)"), "\(line): \(result.errors)")
      #expect(result.errors.filter { $0 == "\n" }.count == 1)
    }
  }
}

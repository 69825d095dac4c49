import Control
import JSON

/// A snapshot as the text of a state file: JSON with a row of crosspoints for each input.
///
/// Version 1: `format`, `version`, `master`, `dim` (dB), `inputs`, `outputs`, `crosspoints` (linear
/// gains, a row per input), `mutedCrosspoints` and `invertedCrosspoints` as pairs of input and
/// output, and what `StateText+Groups` and `StateText+Scenes` say. Members that are not known are
/// passed over.
public enum StateText {
  /// What `format` says in every state file.
  static let format = "crosspoint state"
  /// The version of the text that is written; a newer one is not read.
  static let version = 1.0

  /// The text of a snapshot.
  public static func bytes(of snapshot: MixerSnapshot) -> [UInt8] {
    JSONWriter.bytes(
      of: .object(
        [
          JSONValue.Member("format", .string(format)),
          JSONValue.Member("version", .number(version)),
          JSONValue.Member(
            "master",
            .object([
              JSONValue.Member("level", .number(snapshot.master.level)),
              JSONValue.Member("mute", .bool(snapshot.master.isMuted)),
            ])),
          JSONValue.Member("dim", .number(snapshot.dimDB)),
          JSONValue.Member("inputs", .array(snapshot.inputs.map(value(of:)))),
          JSONValue.Member("outputs", .array(snapshot.outputs.map(value(of:)))),
          JSONValue.Member("crosspoints", levels(of: snapshot)),
          JSONValue.Member("mutedCrosspoints", pairs(of: snapshot) { $0.isMuted }),
          JSONValue.Member("invertedCrosspoints", pairs(of: snapshot) { $0.isInverted }),
        ] + members(of: snapshot.groups) + members(of: snapshot.scenes)))
  }

  /// Reads the text of a state file; `file` is its name in errors.
  ///
  /// - Throws: a `StateError` when the text is not JSON, not of this version, or holds anything that
  ///   no mixer can have.
  public static func snapshot(_ bytes: [UInt8], file: String) throws(StateError) -> MixerSnapshot {
    let value: JSONValue
    do {
      value = try JSONReader.read(bytes, file: file)
    } catch {
      throw StateError(error.description)
    }
    return try StateReader(file: file).snapshot(value)
  }

  // MARK: Writing

  private static func value(of input: MixerSnapshot.Input) -> JSONValue {
    .object([
      JSONValue.Member("name", .string(input.name)),
      JSONValue.Member("level", .number(input.level)),
      JSONValue.Member("mute", .bool(input.isMuted)),
      JSONValue.Member("phase", .bool(input.isInverted)),
      JSONValue.Member("solosafe", .bool(input.isSoloSafe)),
    ])
  }

  private static func value(of output: MixerSnapshot.Output) -> JSONValue {
    .object([
      JSONValue.Member("name", .string(output.name)),
      JSONValue.Member("level", .number(output.level)),
      JSONValue.Member("mute", .bool(output.isMuted)),
      JSONValue.Member("phase", .bool(output.isInverted)),
    ])
  }

  private static func levels(of snapshot: MixerSnapshot) -> JSONValue {
    .array(
      snapshot.inputs.indices.map { input in
        .array(
          snapshot.outputs.indices.map { .number(snapshot[input, $0].level) })
      })
  }

  private static func pairs(
    of snapshot: MixerSnapshot, where isListed: (MixerSnapshot.Crosspoint) -> Bool
  ) -> JSONValue {
    let outputs = snapshot.outputs.count
    return .array(
      snapshot.crosspoints.indices.filter { isListed(snapshot.crosspoints[$0]) }.map {
        .array([.number(Double($0 / outputs)), .number(Double($0 % outputs))])
      })
  }
}

import Control
import Mapping
import Messages
import TextLines

/// Lines for every controller, key, program, bend and pressure, with every option that moves things
/// or shows them.
enum BroadMapping {
  static let lines: [MappingLine] = (controllers + keys + others).enumerated().map { number, line in
    var line = line
    line.options.feedback = feedback[number % feedback.count]
    return line
  }

  private static let feedback: [[MappingOptions.Feedback]] = [
    [], [.init(.same)], [.init(.none)],
    [.init(.source(.controller(9)), channel: 16), .init(.source(.note(8)), values: [12, 15, 11])],
    [.init(.source(.bend))], [.init(.source(.pressure)), .init(.same, values: [1, 0])],
    [.init(.source(.pairedController(high: 40, low: 7)))], [.init(.source(.nonRegistered(16_383)))],
    [.init(.source(.registered(0)))], [.init(.source(.program(127)))],
    [.init(.source(.controller(48)), ring: .spread), .init(.same, ring: .fan)],
  ]

  private static let stems = [
    "/matrix/in/0", "/matrix/in/1", "/matrix/in/2", "/matrix/out/0", "/matrix/master",
    "/matrix/in/0/out/0", "/matrix/in/1/out/0", "/matrix/in/*/out/0", "/matrix/in/[0-1]",
    "/matrix/{in,out}/0", "/matrix/in/7", "/matrix/out/15",
  ]
  private static let ranges: [MappingRange?] = [
    nil, MappingRange(low: 0, high: 1), MappingRange(low: 1, high: 0),
    MappingRange(low: 0.25, high: 0.25), MappingRange(low: -60, high: 10),
    MappingRange(low: 10, high: -120), MappingRange(low: 0.5, high: 3),
  ]
  private static let tapers: [Taper?] = [nil] + Taper.allCases
  private static let takeovers: [MappingOptions.Takeover?] = [nil, .pickup, .pickup, .scale]
  private static let maxima: [Int?] = [nil, nil, 100, 1]
  private static let switches = ["mute", "solo", "phase", "dim", "touch", "solosafe"]

  private static func line(
    _ source: MappingSource, _ addresses: [String], channel: UInt8? = nil,
    _ options: MappingOptions
  ) -> MappingLine {
    let position = TextPosition(line: 1, column: 1)
    return MappingLine(
      file: "f", position: position, channel: channel, source: source,
      addresses: addresses.map { MappingLine.Address(text: $0, position: position) },
      options: options)
  }

  /// The lower ones are levels in every way, the upper ones buttons.
  private static var controllers: [MappingLine] {
    (0..<128).map { number in
      var options = MappingOptions()
      options.maximum = maxima[number % maxima.count]
      let stem = stems[number % stems.count]
      guard number >= 64 else {
        let face = ["fader", "gain", "db"][number % 3]
        options.range = ranges[number % ranges.count]
        options.taper = tapers[number % tapers.count]
        options.takeover = takeovers[number / 2 % takeovers.count]
        let addresses = [stem + "/" + face, stems[number / 3 % stems.count] + "/fader"]
        return line(
          .controller(UInt8(number)), number % 4 == 0 ? addresses : [addresses[0]],
          channel: number % 8 == 7 ? UInt8(number % 16 + 1) : nil, options)
      }
      options.button = [nil, .gate, .toggle, .push][number / 2 % 4]
      return line(
        .controller(UInt8(number)), [stem + "/" + switches[number % switches.count]], options)
    }
  }

  private static var keys: [MappingLine] {
    (0..<128).map { number in
      var options = MappingOptions()
      switch number % 6 {
      case 0: return line(.note(UInt8(number)), ["/matrix/identity"], options)
      case 1:
        return line(.note(UInt8(number)), ["/matrix/in/*/stop", "/matrix/solo/clear"], options)
      case 2:
        options.arguments = [.double(-6), .int32(Int32(number)), .string("s")]
        return line(.note(UInt8(number)), [stems[number % stems.count] + "/db"], options)
      case 3:
        options.arguments = [.string("key \(number)")]
        return line(.note(UInt8(number)), ["/matrix/in/[0-2]/name"], options)
      case 4: return line(.note(UInt8(number)), ["/engine/panic", "/engine/resume"], options)
      default:
        options.button = [nil, .gate, .toggle, .push][number % 4]
        return line(.note(UInt8(number)), ["/matrix/in/*/phase", "/matrix/out/0/mute"], options)
      }
    }
  }

  private static var others: [MappingLine] {
    var lines: [MappingLine] = []
    for channel in UInt8(1)...16 {
      var options = MappingOptions()
      options.takeover = takeovers[Int(channel) % takeovers.count]
      options.maximum = channel % 3 == 0 ? 15_999 : nil
      lines.append(
        line(.bend, ["/matrix/in/*/fader", "/matrix/in/0/out/*"], channel: channel, options))
      options.maximum = nil
      options.range = MappingRange(low: -30, high: 0)
      lines.append(line(.pressure, ["/config/dim"], channel: channel, options))
    }
    for number in UInt8(0)..<128 {
      var options = MappingOptions()
      options.arguments = [.int32(0), .int32(0), .double(Double(number) / 127)]
      lines.append(
        number % 2 == 0
          ? line(.program(number), ["/matrix/set"], options)
          : line(.program(number), ["/matrix/in/0/mute"], MappingOptions()))
    }
    return lines
  }
}

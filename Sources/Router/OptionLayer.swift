import Surfaces
import TextLines

/// The options that came from one place: the command line, or a configuration.
package struct OptionLayer: Equatable, Sendable {
  private var values: [OptionName: [OptionValue]] = [:]
  /// The configuration's address lines for the start, in order.
  package var addressLines: [TextMessage] = []
  /// What `--set` says, in order.
  package var settings: [TextMessage] = []

  /// No options.
  package init() {}

  /// Whether an option was given.
  package func contains(_ name: OptionName) -> Bool { values[name] != nil }

  /// Adds a value of an option.
  package mutating func add(_ value: OptionValue, to name: OptionName) {
    values[name, default: []].append(value)
  }

  /// These options where they say something, else those of `lower`; `lower`'s address lines first.
  ///
  /// Whoever names a device of either kind means it instead of the other kind, and likewise a
  /// state file or none.
  package func over(_ lower: OptionLayer) -> OptionLayer {
    var result = lower
    if contains(.virtual) {
      result.values[.capture] = nil
      result.values[.playback] = nil
    }
    if contains(.capture) || contains(.playback) { result.values[.virtual] = nil }
    if contains(.noState) { result.values[.state] = nil }
    if contains(.state) { result.values[.noState] = nil }
    for (name, own) in values { result.values[name] = own }
    result.addressLines += addressLines
    result.settings += settings
    return result
  }

  /// Everything for the start, in order.
  package var messages: [TextMessage] { addressLines + settings }

  /// The first text of an option.
  package func text(_ name: OptionName) -> String? { texts(name).first }

  /// All texts of an option.
  package func texts(_ name: OptionName) -> [String] {
    (values[name] ?? []).compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  /// The mappings that were asked for.
  package var mappings: [MappingChoice] {
    (values[.map] ?? []).compactMap { if case .mapping(let choice) = $0 { choice } else { nil } }
  }

  /// The whole number of an option.
  package func whole(_ name: OptionName) -> Int? {
    if case .whole(let number)? = values[name]?.first { number } else { nil }
  }

  /// All clients of an option.
  package func clients(_ name: OptionName) -> [FixedClient] {
    (values[name] ?? []).compactMap { if case .client(let client) = $0 { client } else { nil } }
  }

  /// The number of an option.
  package func decimal(_ name: OptionName) -> Double? {
    if case .decimal(let number)? = values[name]?.first { number } else { nil }
  }
}

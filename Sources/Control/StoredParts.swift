import MatrixCore

/// What a scene keeps of a gain: its level and those of its switches that belong to the mix.
///
/// Solo and dim are for listening and are in no scene. The switches have the bits that they have in
/// `Scene.switches`.
package struct StoredParts: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let mute = StoredParts(rawValue: 1)
  package static let phase = StoredParts(rawValue: 2)
  package static let soloSafe = StoredParts(rawValue: 8)
  package static let level = StoredParts(rawValue: 128)
  package static let switches: StoredParts = [.mute, .phase, .soloSafe]
  package static let all: StoredParts = [.level, .mute, .phase, .soloSafe]

  /// What there is of a gain: each stage has switches of its own.
  package static func all(of gain: GainID, in shape: MatrixShape) -> StoredParts {
    all(at: Target(.gain, of: gain, in: shape).place)
  }

  /// What there is of a gain at a place.
  package static func all(at place: Place) -> StoredParts {
    switch place {
    case .input: .all
    case .crosspoint, .output: [.level, .mute, .phase]
    case .master, .group: [.level, .mute]
    case .mixer, .scene: []
    }
  }

  /// The switches with the parameters that set them.
  package static let switchParameters: [(part: StoredParts, parameter: Parameter)] = [
    (.mute, .mute), (.phase, .phase), (.soloSafe, .soloSafe),
  ]

  /// What of a gain a parameter sets; nothing when scenes do not keep it.
  package init(_ parameter: Parameter) {
    switch parameter {
    case .crosspoint: self = .all
    case .gain, .decibels, .fader: self = .level
    case .mute: self = .mute
    case .phase: self = .phase
    case .soloSafe: self = .soloSafe
    default: self = []
    }
  }
}

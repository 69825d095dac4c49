// swift-tools-version: 6.2
import PackageDescription

// Imports go downward only, in the order below; scripts/check holds the sources to this list,
// because SwiftPM lets a target import what it reaches through another one.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

let strictC: [CSetting] = [
  .enableWarning("all"),
  .enableWarning("extra"),
  .treatAllWarnings(as: .error),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "crosspoint",
  products: [
    .executable(name: "crosspoint", targets: ["crosspoint"]),
    .library(name: "MatrixMixerKit", targets: ["MatrixMixerKit"]),
  ],
  targets: [
    // C: the inner loops, and the doors to the two libraries.
    .target(name: "CMatrixKernel", cSettings: strictC),
    .target(name: "CPlatform", cSettings: strictC),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CLibLO", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),

    // The sound: arithmetic alone, then the only memory that two threads share.
    module("MatrixCore", ["CMatrixKernel"]),
    module("Handoff", ["MatrixCore"]),

    // The word: an address and its arguments, whatever carries them.
    module("Messages"),
    module("TextLines", ["Messages"]),
    module("OSC", ["CLibLO", "CPlatform", "Messages"]),
    module("ALSA", ["CALSA"]),

    // What can be controlled, and the one place where a change is checked and applied.
    module("Control", ["Messages", "MatrixCore", "Handoff"]),
    module("Surfaces", ["Control", "Messages", "OSC"]),
    module("Engine", ["ALSA", "CPlatform", "Handoff", "MatrixCore"]),

    // Everything together.
    module(
      "Router",
      [
        "Control", "CPlatform", "Engine", "Handoff", "MatrixCore", "Messages", "OSC", "Surfaces",
        "TextLines",
      ]),
    module("MatrixMixerKit", ["Control", "Engine", "Handoff", "MatrixCore", "Messages"]),
    .executableTarget(name: "crosspoint", dependencies: ["Router"], swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["MatrixCore"], path: "Tests/TestSupport",
      swiftSettings: strict),
    tests("MatrixCoreTests", ["MatrixCore", "TestSupport"]),
    tests("HandoffTests", ["Handoff", "MatrixCore"]),
    tests("MessagesTests", ["Messages"]),
    tests("TextLinesTests", ["TextLines", "Messages"]),
    tests("OSCTests", ["OSC", "Messages"]),
    tests("ControlTests", ["Control", "Handoff", "MatrixCore", "Messages"]),
    tests("EngineTests", ["CPlatform", "Engine", "Handoff", "MatrixCore", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

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
    // For tests alone: loaded before alsa-lib, it makes a sound card fail.
    .library(name: "FaultCard", type: .dynamic, targets: ["FaultCard"]),
  ],
  targets: [
    // C: the inner loops, and the doors to the two libraries.
    .target(name: "CMatrixKernel", cSettings: strictC),
    .target(name: "CPlatform", cSettings: strictC),
    .target(name: "CSocket", cSettings: strictC),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CLibLO", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),

    // Files that are whole at any moment, and what stands under a path.
    module("Files"),

    // The sound: arithmetic alone, then the only memory that two threads share.
    module("MatrixCore", ["CMatrixKernel"]),
    module("Handoff", ["MatrixCore"]),

    // The word: an address and its arguments, whatever carries them.
    module("Messages"),
    module("TextLines", ["Messages"]),
    module("JSON", ["TextLines"]),
    module("OSC", ["CLibLO", "CSocket", "Messages"]),
    module("MIDI"),
    module("ALSA", ["CALSA", "MIDI"]),

    // What can be controlled, and the one place where a change is checked and applied.
    module("Control", ["Handoff", "MatrixCore", "Messages", "TextLines"]),
    // What survives the program.
    module("Memory", ["Control", "Files", "JSON", "MatrixCore", "TextLines"]),
    module("Mapping", ["Control", "MIDI", "MatrixCore", "Messages", "TextLines"]),
    module(
      "Surfaces",
      ["ALSA", "CPlatform", "Control", "MIDI", "Mapping", "MatrixCore", "Messages", "OSC"]),
    module("Engine", ["ALSA", "CPlatform", "Files", "Handoff", "MatrixCore"]),

    module("Bench", ["CMatrixKernel", "Engine", "Handoff", "MatrixCore"]),

    // Everything together.
    module(
      "Router",
      [
        "ALSA", "Bench", "Control", "CPlatform", "Engine", "Files", "Handoff", "MIDI", "Mapping",
        "MatrixCore", "Memory", "Messages", "OSC", "Surfaces", "TextLines",
      ]),
    module("MatrixMixerKit", ["Control", "Engine", "Handoff", "MatrixCore", "Messages"]),
    // The Swift library inside, so that the program starts fast and runs where there is no Swift. A
    // setting of the link alone, unlike --static-swift-stdlib, lets program and tests share objects.
    .executableTarget(
      name: "crosspoint", dependencies: ["Router"], swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(configuration: .release))]),

    .executableTarget(
      name: "osc-benchmark",
      dependencies: ["CLibLO", "Control", "Handoff", "MatrixCore", "Messages", "OSC", "Surfaces"],
      path: "Tests/Benchmarks/OSC", swiftSettings: strict),
    .executableTarget(
      name: "midi-benchmark",
      dependencies: [
        "Control", "Handoff", "MIDI", "Mapping", "MatrixCore", "Messages", "TextLines",
      ],
      path: "Tests/Benchmarks/MIDI", swiftSettings: strict),
    // What scripts/fuzz runs; libraries, because libFuzzer brings the main function.
    .target(
      name: "FuzzOSC", dependencies: ["OSC", "Messages"], path: "Tests/Fuzz/OSC",
      exclude: ["words.dict"], swiftSettings: strict),
    .target(
      name: "FuzzHub",
      dependencies: ["Control", "Handoff", "MatrixCore", "Messages", "OSC", "TextLines"],
      path: "Tests/Fuzz/Hub", exclude: ["words.dict"], swiftSettings: strict),
    .target(
      name: "FuzzMapping",
      dependencies: ["Control", "Handoff", "Mapping", "MatrixCore", "Messages", "TextLines"],
      path: "Tests/Fuzz/Mapping", exclude: ["words.dict"], swiftSettings: strict),
    .target(
      name: "FuzzText", dependencies: ["Messages", "Router", "TextLines"], path: "Tests/Fuzz/Text",
      exclude: ["words.dict"], swiftSettings: strict),
    .target(
      name: "FuzzMIDI",
      dependencies: [
        "Control", "Handoff", "MIDI", "Mapping", "MatrixCore", "Messages", "TextLines",
      ],
      path: "Tests/Fuzz/MIDI", exclude: ["words.dict"], swiftSettings: strict),
    .target(
      name: "FuzzJSON", dependencies: ["JSON", "TextLines"], path: "Tests/Fuzz/JSON",
      exclude: ["words.dict"], swiftSettings: strict),
    .target(
      name: "FuzzPattern", dependencies: ["Messages"], path: "Tests/Fuzz/Pattern",
      exclude: ["words.dict"], swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["CTestSupport", "Engine", "MatrixCore"],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(name: "CTestSupport", path: "Tests/CTestSupport", cSettings: strictC),
    .target(
      name: "FaultCard", path: "Tests/FaultCard", cSettings: strictC,
      linkerSettings: [.linkedLibrary("asound")]),
    .executableTarget(name: "signal-tool", path: "Tests/SignalTool", swiftSettings: strict),
    .executableTarget(
      name: "sequencer-tool", path: "Tests/SequencerTool", cSettings: strictC,
      linkerSettings: [.linkedLibrary("asound")]),
    tests(
      "ALSATests", ["ALSA", "CPlatform", "Engine", "FaultCard", "Handoff", "MIDI", "TestSupport"]),
    tests("MatrixCoreTests", ["MatrixCore", "TestSupport"]),
    tests("HandoffTests", ["Handoff", "MatrixCore"]),
    tests("MessagesTests", ["Messages"]),
    tests("TextLinesTests", ["TextLines", "Messages"]),
    tests("JSONTests", ["JSON", "TextLines"]),
    tests("OSCTests", ["OSC", "Messages"]),
    tests(
      "ControlTests",
      ["Control", "Engine", "Handoff", "MatrixCore", "Messages", "TestSupport"]),
    tests(
      "MemoryTests",
      ["Control", "Engine", "Handoff", "MatrixCore", "Memory", "Messages", "TestSupport"]),
    tests("MIDITests", ["MIDI"]),
    tests(
      "MappingTests",
      [
        "CTestSupport", "Control", "Handoff", "MIDI", "Mapping", "MatrixCore", "Messages", "Router",
        "TextLines",
      ]),
    tests(
      "SurfacesTests",
      [
        "ALSA", "CPlatform", "CTestSupport", "Control", "FaultCard", "Handoff", "MIDI", "Mapping",
        "MatrixCore", "Messages", "OSC", "Surfaces", "TextLines",
      ]),
    tests(
      "RouterTests",
      [
        "ALSA", "CPlatform", "CTestSupport", "Control", "Engine", "Handoff", "Mapping",
        "MatrixCore", "Memory", "Messages", "Router", "TestSupport", "TextLines",
      ]),
    tests(
      "EngineTests",
      [
        "CPlatform", "CTestSupport", "Control", "Engine", "Handoff", "MatrixCore", "Messages",
        "TestSupport",
      ]),
    tests("MatrixMixerKitTests", ["MatrixMixerKit"]),
    .executableTarget(
      name: "state-saver", dependencies: ["Control", "Memory"], path: "Tests/StateSaver",
      swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(configuration: .release))]),
    tests("BinaryTests", ["Control", "Memory", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

import MatrixCore
import TestSupport
import Testing

@Suite("Many commands at once")
struct HandOverTests {
  private static let rounds = 12
  private static let roundFrames = 333

  /// One transaction for each round: some of all gains on courses of every kind.
  private static func transactions(_ shape: MatrixShape, seed: UInt64) -> [[GainCommand]] {
    var random = SeededGenerator(seed: seed)
    return (0..<rounds).map { round in
      let frame = Int64(round * roundFrames)
      // What most gains of the transaction share, as those of a scene do.
      let shared = course(from: frame, &random)
      var commands: [GainCommand] = []
      for gain in shape.gainsInMemoryOrder where Int.random(in: 0..<12, using: &random) > 0 {
        let isOwn = Int.random(in: 0..<9, using: &random) == 0
        var fade = isOwn ? course(from: frame, &random) : shared
        fade.end =
          Int.random(in: 0..<6, using: &random) == 0 ? 0 : .random(in: 0...1, using: &random)
        fade.start = .random(in: 0...1, using: &random)
        let factor = [1, 1, 1, -1, 0.5, 0][Int.random(in: 0..<6, using: &random)]
        commands.append(
          GainCommand(
            frame: frame, gain: gain, endsTransaction: false, factor: factor, fade: fade))
      }
      commands[commands.count - 1].endsTransaction = true
      return commands
    }
  }

  private static func course(from frame: Int64, _ random: inout SeededGenerator) -> Fade {
    let curve = FadeCurve.allCases[Int.random(in: 0..<3, using: &random)]
    let durations = [0, 0, 1, 40, 64, 300.5, 2_000, 9_000]
    return Fade(
      startFrame: frame - Int64.random(in: -3...400, using: &random), start: 0, end: 0,
      durationFrames: durations[Int.random(in: 0..<durations.count, using: &random)], curve: curve)
  }

  /// Renders with a transaction at the beginning of each round, in calls of 64 frames and less.
  private static func render(
    _ shape: MatrixShape, _ set: InstructionSet, _ transactions: [[GainCommand]],
    take: (Renderer, [GainCommand]) -> Void
  ) -> [[UInt32]] {
    let renderer = Renderer(
      shape: shape, rate: 48_000, tauSeconds: 0.002, maximumFrames: 64, instructionSet: set)
    var bits = [[UInt32]](repeating: [], count: shape.outputs)
    for transaction in transactions + [[]] {
      // The last round is long enough for everything to come to rest.
      var left = transaction.isEmpty ? 13_000 : roundFrames
      var isFirst = !transaction.isEmpty
      while left > 0 {
        let frames = min(left, 64)
        for input in 0..<shape.inputs {
          for frame in 0..<frames { renderer.inputRow(input)[frame] = noise(input, left - frame) }
        }
        renderer.begin(frames: frames)
        if isFirst { take(renderer, transaction) }
        isFirst = false
        renderer.advance(frames: frames)
        renderer.finish()
        for output in 0..<shape.outputs {
          for frame in 0..<frames {
            bits[output].append(renderer.outputRow(output)[frame].bitPattern)
          }
        }
        left -= frames
      }
    }
    return bits
  }

  private static func takeTogether(_ renderer: Renderer, _ commands: [GainCommand]) {
    commands.withUnsafeBufferPointer { commands in
      guard let first = commands.baseAddress else { return }
      #expect(renderer.apply(first, count: commands.count) == commands.count)
    }
  }

  @Test(
    "Taken over together they sound, bit for bit, as one by one in any order",
    arguments: [shape(1, 1), shape(3, 5), shape(16, 8), shape(5, 13), shape(40, 4)])
  func order(shape: MatrixShape) {
    let transactions = Self.transactions(shape, seed: 3)
    for set in InstructionSet.supported {
      let together = Self.render(shape, set, transactions, take: Self.takeTogether)
      var random = SeededGenerator(seed: 9)
      let shuffled = Self.render(shape, set, transactions) { renderer, commands in
        for command in commands.shuffled(using: &random) { renderer.apply(command) }
      }
      let isSameOneByOne = together == shuffled
      #expect(isSameOneByOne)
      let sideBySide = Self.render(shape, set, transactions) { renderer, commands in
        var commands = commands.shuffled(using: &random)
        for place in commands.indices {
          commands[place].endsTransaction = place == commands.count - 1
        }
        Self.takeTogether(renderer, commands)
      }
      let isSameShuffled = together == sideBySide
      #expect(isSameShuffled)
      #expect(together[0].contains { $0 != 0 })
    }
  }

  @Test("One call takes one transaction, and says how many commands that was")
  func oneTransaction() {
    let matrix = shape(2, 4)
    let renderer = Renderer(
      shape: matrix, rate: 48_000, tauSeconds: 0.005, maximumFrames: 64)
    var commands = matrix.gainsInMemoryOrder.map { gain in
      GainCommand(
        frame: 0, gain: gain, endsTransaction: false, factor: 1, fade: Fade(steady: 0.5))
    }
    commands[2].endsTransaction = true
    commands[8].endsTransaction = true
    commands.withUnsafeBufferPointer { commands in
      guard let first = commands.baseAddress else { return }
      #expect(renderer.apply(first, count: commands.count) == 3)
      #expect(renderer.apply(first + 3, count: commands.count - 3) == 6)
      // The rest of one that goes on elsewhere.
      #expect(renderer.apply(first + 9, count: 4) == 4)
    }
  }

  @Test(
    "The order in memory has every gain once, and neighbours of four outputs together",
    arguments: [shape(1, 1), shape(3, 5), shape(128, 128)])
  func memoryOrder(shape: MatrixShape) {
    let gains = shape.gainsInMemoryOrder
    #expect(gains.count == shape.gainCount)
    #expect(Set(gains).count == shape.gainCount)
    #expect(gains.last == shape.master)
    let lanes = min(4, shape.outputs)
    #expect(
      gains.prefix(lanes) == (0..<lanes).map { shape.crosspoint(input: 0, output: $0) }[...])
    if shape.inputs > 1 {
      #expect(gains[lanes] == shape.crosspoint(input: 1, output: 0))
    }
  }

  @Test("What is not a number, or no gain at all, counts as 0 and leaves others alone")
  func nonsense() {
    let matrix = shape(1, 4)
    for curve in FadeCurve.allCases {
      for wrong in [Double.nan, .infinity, -.infinity, 1e300] {
        for place in 0..<3 {
          var playback = Playback(frames: 9_000) { _, _ in 1 }
          playback.set(matrix.crosspoint(input: 0, output: 1), to: 0.5, at: 0)
          playback.fade(
            matrix.crosspoint(input: 0, output: 0), from: place == 0 ? wrong : 0.1,
            to: place == 1 ? wrong : 0.2, over: 1_000, curve, factor: place == 2 ? wrong : 1,
            at: 100)
          let renderer = Renderer(
            shape: matrix, rate: 48_000, tauSeconds: 0.005, maximumFrames: 64)
          let output = playback.render(renderer, period: 64)
          #expect(output.joined().allSatisfy { $0.isFinite && abs($0) <= 0.5 })
          #expect(output[1].last == 0.5)
          #expect(output[0].last == (place == 0 ? 0.2 : 0))
        }
      }
    }
  }
}

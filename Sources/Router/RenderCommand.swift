import Control
import Engine
import Handoff
import MatrixCore
import Messages

/// `crosspoint render`: a file through the matrix into a file, with changes on exact frames.
struct RenderCommand {
  private let options: RenderOptions
  private let input: WAVReader
  private let output: WAVWriter
  private let shape: MatrixShape
  private let ring: CommandRing
  private let hub: ControlHub
  private let board: EngineBoard
  private let offline: OfflineRender
  private let devices: RenderDevices
  private let clamped: ClampedValues
  /// Whether the sound goes where the program writes its words to.
  let writesToStandardOutput: Bool

  /// Opens both files and applies the messages of the start.
  ///
  /// - Throws: a `StartError` that names the file, the option or the line.
  init(_ options: RenderOptions) throws(StartError) {
    self.options = options
    do {
      input = try WAVReader(path: options.inputPath)
    } catch {
      throw StartError(code: .usage, sentence: error.sentence)
    }
    try NamedFiles.check(options)
    writesToStandardOutput = WAVWriter.isStandardOutput(options.outputPath)
    let inputs = options.inputs ?? input.channels
    let outputs = options.outputs ?? inputs
    guard let shape = MatrixShape(inputs: inputs, outputs: outputs) else {
      throw StartError(
        code: .usage,
        sentence: "\(inputs) inputs by \(outputs) outputs are no matrix: a side has 1 to "
          + "\(MatrixShape.maximumChannels) channels, and both together at most "
          + "\(MatrixShape.maximumCrosspoints) crosspoints.")
    }
    let rate = Double(input.rate)
    let tau = options.glideMilliseconds / 1_000
    self.shape = shape
    // A record may have as many transactions on one frame as a running router's ring holds, beside
    // the largest one more.
    ring = CommandRing(minimumCapacity: 4 * shape.gainCount)
    board = EngineBoard(rate: rate)
    hub = ControlHub(
      HubConfiguration(
        shape: shape, rate: rate, tauSeconds: tau, periodFrames: options.periodFrames,
        version: Version.number),
      ring: ring, board: board)
    let renderer = Renderer(
      shape: shape, rate: rate, tauSeconds: tau, maximumFrames: options.periodFrames)
    offline = OfflineRender(
      cycle: RenderCycle(
        renderer: renderer, ring: ring, board: board, meters: MeterBoard(shape: shape)),
      board: board, periodFrames: options.periodFrames)
    clamped = try StartMessages.apply(options.startMessages, to: hub, at: .frame(0))
    devices = RenderDevices(options.events, mappings: options.mappings, hub: hub)
    do {
      output = try WAVWriter(
        path: options.outputPath, channels: outputs, rate: input.rate,
        frameCount: input.frameCount)
    } catch {
      throw StartError(code: .usage, sentence: error.sentence)
    }
  }

  /// What the user should know of the mappings before they are used.
  var notes: [String] { devices.notes }

  /// Renders, and says in a sentence what came of it.
  func run() throws(StartError) -> String {
    var renderEvents = RenderEvents(
      options.events, devices: devices, rateHz: Double(input.rate), ring: ring, shape: shape)
    board.setRunning(true)
    hub.prepareStream(startFrame: 0)
    do {
      try offline.render(from: input, to: output) { renderEvents.apply(within: $0, to: hub) }
    } catch {
      throw StartError(code: .usage, sentence: error.sentence)
    }
    if let refusal = renderEvents.refusal { throw refusal }
    var summary =
      "\(options.outputPath): \(CommandLineTool.counted(Int(input.frameCount), "frame")), "
      + "\(CommandLineTool.counted(output.channels, "channel")), "
      + "\(input.rate) Hz; \(offline.counts.clipped) samples saturated, "
      + "\(offline.counts.nonFinite) were not finite"
    if let events = options.events, events.midiLines > 0 {
      summary += "; \(renderEvents.unheardEvents) of \(events.midiEvents) MIDI events met no line"
      if events.strayBytes > 0 {
        summary += ", \(CommandLineTool.counted(events.strayBytes, "byte")) no message"
      }
    }
    let unused = input.channels - shape.inputs
    if unused > 0 {
      summary +=
        "; \(CommandLineTool.counted(unused, "channel")) of \(options.inputPath) beyond the "
        + "\(CommandLineTool.counted(shape.inputs, "input")) left out"
    }
    let missed = renderEvents.waitingEvents
    if missed > 0 {
      summary +=
        "; \(CommandLineTool.counted(missed, "event")) \(missed == 1 ? "lies" : "lie") "
        + "behind the end of \(options.inputPath) and \(missed == 1 ? "was" : "were") not applied"
    }
    var clamped = clamped
    clamped += renderEvents.clamped
    if let words = clamped.words { summary += "; \(words)" }
    return summary + "."
  }
}

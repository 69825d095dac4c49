import MatrixCore
import Messages

/// A batch on its way from messages to operations.
///
/// Reading changes nothing but the draft, so a batch that turns out to be wrong leaves no trace.
/// One draft is used again and again; its memory stays. Control thread only.
struct Draft {
  /// The operations of one time in a batch.
  struct Group {
    var time: TimeTag
    var end: Int
    var deadline: Int64 = 0
    var isFuture = false
  }

  /// The most bytes of a pattern, so that none keeps the control thread for more than some
  /// milliseconds.
  static let longestPatternBytes = 4_096

  let tree: AddressTree
  let shape: MatrixShape
  let taper: Taper
  let rate: Double
  let maximumOperations: Int

  /// What the batch does.
  var transaction = Transaction()
  /// When it does it: consecutive operations of one time are one group.
  var groups: [Group] = []
  /// Gains that a number in a wrong unit was meant for.
  var offended: [GainID] = []
  /// The message that is being read.
  private(set) var messageNumber = 0

  var clamped = 0
  var foreignMessages = 0
  var ignoredAnswers = 0
  var ignoredReleases = 0

  /// The first address that the one being read means.
  var firstHit = Target(.ping, .mixer)
  /// All that it means when it is a pattern, else nothing.
  var hits: [Target] = []

  init(configuration: HubConfiguration, tree: AddressTree, maximumOperations: Int) {
    self.tree = tree
    shape = configuration.shape
    taper = configuration.taper
    rate = configuration.rate
    self.maximumOperations = maximumOperations
  }

  /// Reads a batch; what an earlier one left is forgotten first.
  mutating func read(_ batch: MessageBatch) throws(Refusal) {
    if !transaction.isEmpty { transaction.removeAll() }
    if !groups.isEmpty { groups.removeAll(keepingCapacity: true) }
    if !offended.isEmpty { offended.removeAll(keepingCapacity: true) }
    try batch.addressBytes.withUnsafeBufferPointer { bytes throws(Refusal) in
      try batch.arguments.withUnsafeBufferPointer { arguments throws(Refusal) in
        for number in batch.messages.indices {
          messageNumber = number
          let message = batch.messages[number]
          try read(
            UnsafeBufferPointer(rebasing: bytes[message.address]),
            UnsafeBufferPointer(rebasing: arguments[message.arguments]),
            isAlone: batch.messages.count == 1)
          note(time: message.time)
        }
      }
    }
  }

  private mutating func read(
    _ address: UnsafeBufferPointer<UInt8>, _ arguments: UnsafeBufferPointer<Argument>,
    isAlone: Bool
  ) throws(Refusal) {
    guard try find(address, isAlone: isAlone) else { return }
    try stage(arguments, of: address)
    guard transaction.operations.count <= maximumOperations else {
      throw Refusal(.size, "this changes too much in one datagram")
    }
  }

  private mutating func note(time: TimeTag) {
    let end = transaction.operations.count
    if let last = groups.indices.last, groups[last].time == time {
      groups[last].end = end
    } else {
      groups.append(Group(time: time, end: end))
    }
  }

  /// Leaves in `firstHit` and `hits` what an address means; false when it is to be passed over.
  private mutating func find(
    _ address: UnsafeBufferPointer<UInt8>, isAlone: Bool
  ) throws(Refusal) -> Bool {
    if !hits.isEmpty { hits.removeAll(keepingCapacity: true) }
    let finding = tree.find(address)
    if case .target(let target) = finding {
      firstHit = target
      return true
    }
    if spells(address, "/error") || spells(address, "/pong") {
      ignoredAnswers += 1
      return false
    }
    if !isAlone, !tree.owns(address) {
      foreignMessages += 1
      return false
    }
    guard AddressPattern.isPattern(address) else { throw unknown(finding, address) }
    guard address.count <= Self.longestPatternBytes else {
      throw Refusal(.size, "a pattern may have \(Self.longestPatternBytes) bytes at most")
    }
    do {
      try tree.collect(
        address, limit: maximumOperations - transaction.operations.count, into: &hits)
    } catch {
      switch error {
      case .meetsNothing:
        throw Refusal(.address, "the pattern meets nothing that can be reached by a pattern")
      case .mixed:
        throw Refusal(.address, "the pattern meets things of different kinds")
      case .tooMany:
        throw Refusal(.size, "this changes too much in one datagram")
      }
    }
    firstHit = hits[0]
    return true
  }

  /// How many addresses were hit.
  var hitCount: Int { hits.isEmpty ? 1 : hits.count }

  /// An address that was hit.
  func hit(_ number: Int) -> Target { hits.isEmpty ? firstHit : hits[number] }

  /// Stages the same for all that was hit; only the first address is corrected.
  mutating func stageForEachHit(_ operation: Operation) {
    transaction.operations.append(operation)
    guard hits.count > 1 else { return }
    var operation = operation
    operation.corrects = false
    for hit in hits.dropFirst() {
      operation.target = hit
      transaction.operations.append(operation)
    }
  }

  private func unknown(
    _ finding: AddressTree.Finding, _ address: UnsafeBufferPointer<UInt8>
  ) -> Refusal {
    switch finding {
    case .badIndex(true):
      Refusal(.index, "inputs have the numbers 0 to \(shape.inputs - 1)")
    case .badIndex(false):
      Refusal(.index, "outputs have the numbers 0 to \(shape.outputs - 1)")
    case .nothing, .target:
      Refusal(.address, "there is no such address\(tree.hint(for: address))")
    }
  }

  private func spells(_ address: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    address.count == text.utf8CodeUnitCount
      && text.withUTF8Buffer { $0.elementsEqual(address) }
  }

  /// Checks the arguments for what was hit and stages the operations.
  private mutating func stage(
    _ arguments: UnsafeBufferPointer<Argument>, of address: UnsafeBufferPointer<UInt8>
  ) throws(Refusal) {
    let parameter = firstHit.parameter
    switch parameter {
    case .crosspoint, .gain, .decibels, .fader:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageLevel(arguments, parameter.face ?? .gain)
    case .nudge:
      try stageNudge(arguments)
    case .mute, .solo, .soloSafe, .dim, .phase:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageSwitch(arguments, .toggle)
    case .touch:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageSwitch(arguments, .touch)
    case .now, .dimensions, .levels, .info, .status, .taper, .glide:
      guard arguments.isEmpty else { throw Refusal(.count, "this can only be asked: no arguments") }
      try stageAnswers(address)
    case .stop:
      guard try acts(arguments) else { return }
      stageForEachHit(Operation(verb: .stop, target: firstHit))
    case .name:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageName(arguments)
    case .set:
      try stageTriples(arguments)
    case .row, .column, .all:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageValues(arguments)
    case .clear, .identity, .clearSolo, .panic, .resume, .reload:
      guard try acts(arguments) else { return }
      var operation = Operation(verb: .trigger, target: firstHit)
      if let first = arguments.first { operation.durationFrames = try duration(first) }
      transaction.operations.append(operation)
    case .ping:
      try stageEcho(arguments)
    case .dimLevel:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageSetting(arguments)
    }
  }
}

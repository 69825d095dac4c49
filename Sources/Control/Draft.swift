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
  let state: MixState
  let shape: MatrixShape
  let taper: Taper
  let rate: Double
  let maximumOperations: Int
  /// The most bytes of what a datagram asks for: eight of the largest datagrams.
  static let mostAnswerBytes = 8 * ControlHub.largestDatagramBytes
  /// What a name costs beside its operation: it is looked at, given, and taken back until then.
  private static let strainOfName = 8
  /// The bytes of a pattern that cost nothing to speak of.
  private static let cheapPatternBytes = 64
  let groupTable: GroupTable
  let pairs: ChannelPairs

  /// What the batch does.
  var transaction = Transaction()
  /// When it does it: consecutive operations of one time are one group.
  var groups: [Group] = []
  /// Gains that a number in a wrong unit was meant for.
  var offended: [GainID] = []
  /// The message that is being read.
  private(set) var messageNumber = 0
  /// What reading the batch costs beside its operations, in about as many operations.
  var strain = 0
  /// The bytes of what the batch asks for.
  var answerBytes = 0

  var clamped = 0
  var foreignMessages = 0
  var ignoredAnswers = 0
  var ignoredReleases = 0

  /// The first address that the one being read means.
  var firstHit = Target(.ping, .mixer)
  /// All that it means when it is a pattern, else nothing.
  var hits: [Target] = []
  /// Whether the message that is being read is the only one of its batch.
  private(set) var isAlone = true
  /// The scenes as they will be once the messages before are applied, if those change them.
  var outlook: SceneStore?

  /// Names and pairs of the batch, with what they replace: they hold while it is read.
  private var paired: [(number: Int, side: Place)] = []
  private var renamed: [(number: Int, side: Place, before: String)] = []

  init(
    configuration: HubConfiguration, tree: AddressTree, state: MixState, maximumOperations: Int,
    groupTable: GroupTable? = nil, pairs: ChannelPairs? = nil
  ) {
    self.tree = tree
    self.state = state
    shape = configuration.shape
    taper = configuration.taper
    rate = configuration.rate
    self.maximumOperations = maximumOperations
    self.groupTable = groupTable ?? GroupTable(shape: configuration.shape)
    self.pairs = pairs ?? ChannelPairs(shape: configuration.shape)
  }

  /// Reads a batch; what an earlier one left is forgotten first.
  mutating func read(_ batch: MessageBatch) throws(Refusal) {
    if !transaction.isEmpty { transaction.removeAll() }
    if !groups.isEmpty { groups.removeAll(keepingCapacity: true) }
    if !offended.isEmpty { offended.removeAll(keepingCapacity: true) }
    outlook = nil
    strain = 0
    answerBytes = 0
    isAlone = batch.messages.count == 1
    defer { takeBack() }
    try batch.addressBytes.withUnsafeBufferPointer { bytes throws(Refusal) in
      try batch.arguments.withUnsafeBufferPointer { arguments throws(Refusal) in
        for number in batch.messages.indices {
          messageNumber = number
          let message = batch.messages[number]
          try read(
            UnsafeBufferPointer(rebasing: bytes[message.address]),
            UnsafeBufferPointer(rebasing: arguments[message.arguments]))
          note(time: message.time)
        }
      }
    }
  }

  private mutating func read(
    _ address: UnsafeBufferPointer<UInt8>, _ arguments: UnsafeBufferPointer<Argument>
  ) throws(Refusal) {
    guard try find(address) else { return }
    let start = transaction.operations.count
    try stage(arguments, of: address)
    if hits.isEmpty, !tree.names.isEmpty { keep(address, forRepliesFrom: start) }
    if firstHit.place == .group, transaction.operations.count > start { strainByMembers() }
    try checkStrain()
  }

  /// Refuses what would keep the control thread from everybody else for long.
  func checkStrain() throws(Refusal) {
    guard transaction.weight + strain <= maximumOperations else {
      throw Refusal(.size, "this changes too much in one datagram")
    }
    guard answerBytes <= Self.mostAnswerBytes else {
      throw Refusal(
        .size,
        "the answers would have more than \(Self.mostAnswerBytes / 1_000) kB; ask for less "
          + "in one datagram")
    }
  }

  /// A change of a group is one of each of its members.
  private mutating func strainByMembers() {
    switch firstHit.parameter {
    case .gain, .decibels, .fader, .nudge, .mute, .stop:
      guard transaction.operations.last?.verb != .answer else { return }
      for number in 0..<hitCount {
        strain += groupTable.members(of: hit(number).input).count
      }
    default: break
    }
  }

  /// Notes that a pattern has to be compared with the numbers of channels.
  mutating func strain(byPatternOf bytes: Int) {
    let numbers = max(shape.inputs, shape.outputs, GroupTable.count)
    strain += max(0, bytes - Self.cheapPatternBytes) * numbers / 64
  }

  /// Gives a channel or group a name for the rest of the batch, so that the messages behind know it.
  mutating func rename(_ target: Target, to name: String) throws(Refusal) {
    if let refusal = tree.names.refusal(of: name, for: target.channel, of: target.place) {
      throw refusal
    }
    strain += Self.strainOfName
    let before = tree.names.set(name, for: target.channel, of: target.place)
    renamed.append((target.channel, target.place, before))
  }

  /// Makes a pair or takes it apart for the rest of the batch.
  mutating func pair(_ target: Target, _ on: Bool) throws(Refusal) {
    if on, let refusal = pairs.refusal(ofPairing: target.channel, target.place) { throw refusal }
    guard pairs.set(on, target.channel, of: target.place) else { return }
    paired.append((target.channel, target.place))
  }

  private mutating func takeBack() {
    while let last = renamed.popLast() {
      tree.names.set(last.before, for: last.number, of: last.side)
    }
    while let last = paired.popLast() {
      pairs.set(!pairs.isLeft(last.number, of: last.side), last.number, of: last.side)
    }
  }

  /// Keeps an address that has a name in it for what is answered or corrected.
  private mutating func keep(_ address: UnsafeBufferPointer<UInt8>, forRepliesFrom start: Int) {
    for number in start..<transaction.operations.count {
      let operation = transaction.operations[number]
      guard operation.corrects || operation.verb == .answer, operation.payload.isEmpty,
        operation.target == firstHit,
        !ParameterTable.address(of: firstHit).utf8.elementsEqual(address)
      else { continue }
      let place = transaction.payload.count
      transaction.payload.append(.string(String(decoding: address, as: UTF8.self)))
      transaction.operations[number].payload = place..<place + 1
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
  private mutating func find(_ address: UnsafeBufferPointer<UInt8>) throws(Refusal) -> Bool {
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
    strain(byPatternOf: address.count)
    do {
      try tree.collect(
        address, limit: maximumOperations - transaction.operations.count, into: &hits)
    } catch {
      switch error {
      case .meetsNothing:
        throw Refusal(
          .address,
          AddressPattern.isOpen(address)
            ? "a bracket or brace of the pattern is not closed"
            : "the pattern meets nothing that can be reached by a pattern")
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
    // As other programs write it.
    if address.contains(UInt8(ascii: "=")) {
      return Refusal(.address, "a value stands behind a space and not behind a =")
    }
    return switch finding {
    case .badIndex(.scene):
      Refusal(.index, "scenes have the numbers 0 to \(SceneStore.most - 1)")
    case .badIndex(let side):
      Refusal(.index, tree.badIndex(side, in: address))
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
    case .sceneList:
      guard arguments.isEmpty else { throw Refusal(.count, "this can only be asked: no arguments") }
      stageLongAnswer(weight: max(1, state.scenes.numbers.count))
    case .sceneInfo, .sceneCurrent, .engineState:
      if arguments.isEmpty { return try stageAnswers(address) }
      try passOver(arguments, toldOf: parameter)
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
    case .clear, .identity, .clearSolo, .panic, .resume, .reload, .identify:
      guard try acts(arguments) else { return }
      var operation = Operation(verb: .trigger, target: firstHit)
      if let first = arguments.first { operation.durationFrames = try duration(first) }
      let isWide = parameter == .clear || parameter == .identity
      transaction.append(operation, weight: isWide ? shape.crosspointCount : 1)
    case .ping:
      try stageEcho(arguments)
    case .dimLevel:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageSetting(arguments)
    case .members:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageMembers(arguments)
    case .pair:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stagePair(arguments)
    case .pan:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stagePan(arguments)
    case .sceneStore, .sceneRecall, .sceneRename, .sceneDelete, .undo, .redo:
      try stageScene(arguments)
    case .sceneSafe:
      if arguments.isEmpty { return stageLongAnswer(weight: shape.gainCount) }
      try stageSafe(arguments)
    case .hello, .subscribe, .unsubscribe, .bye, .sync, .xremote:
      try stageClientRequest(arguments)
    case .clientRate, .clientFace, .clientEcho:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageClientSetting(arguments)
    case .meterSubscribe, .meterUnsubscribe, .meterReset:
      try stageMeterRequest(arguments)
    case .meterFormat, .meterHold:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageMeterSetting(arguments)
    case .clientList, .meterPre, .meterPost, .meter:
      guard arguments.isEmpty else { throw Refusal(.count, "this can only be asked: no arguments") }
      try stageAnswers(address)
    }
  }
}

import Messages

/// Requests about meters.
extension Draft {
  mutating func stageMeterRequest(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    let isSubscription = firstHit.parameter == .meterSubscribe
    guard arguments.count <= (isSubscription ? 3 : 1) else {
      throw Refusal(
        .count,
        isSubscription
          ? "a subscription of meters takes a pattern, a rate in Hz and a time in seconds"
          : "this takes one pattern at most")
    }
    if !isPattern(arguments), try !acts(arguments) { return }
    var rest = arguments[...]
    var payload: [Argument] = []
    if firstHit.parameter != .meterUnsubscribe || !arguments.isEmpty {
      payload.append(.string(try takePattern(&rest)))
    }
    if isSubscription {
      payload.append(try takeRate(&rest, in: MeterRequest.rates))
      payload.append(try takeSeconds(&rest))
    }
    stageRequest(payload)
  }

  mutating func stageMeterSetting(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    guard arguments.count == 1 else { throw Refusal(.count, "this takes one value") }
    guard firstHit.parameter == .meterHold else {
      guard case .string(let word) = arguments[0] else {
        throw Refusal(.type, "a format is one of the words floats and blob")
      }
      guard MeterFormat(rawValue: word) != nil else {
        throw Refusal(.value, "a format is one of the words floats and blob")
      }
      return stageRequest([arguments[0]])
    }
    let range = MeterRequest.holds
    let wanted = try number(arguments[0])
    guard abs(wanted) <= range.upperBound * Level.wrongUnitFactor else {
      throw Refusal(
        .range, "\(Self.words(wanted)) looks like another unit: a hold is 0 to 60 seconds")
    }
    let taken = min(max(wanted, range.lowerBound), range.upperBound)
    if taken != wanted { clamped += 1 }
    stageRequest([.double(taken)], corrects: taken != wanted)
  }
}

extension MeterRequest {
  /// Reads what `Draft` has staged.
  init?(_ parameter: Parameter, _ payload: ArraySlice<Argument>) {
    let values = Array(payload)
    var word = ""
    if case .string(let text)? = values.first { word = text }
    func number(_ place: Int) -> Int? {
      guard values.indices.contains(place), case .int32(let number) = values[place] else {
        return nil
      }
      return Int(number)
    }
    switch parameter {
    case .meterSubscribe:
      self = .subscribe(
        set: word, hz: number(1), seconds: number(2) ?? ClientRequest.usualSeconds)
    case .meterUnsubscribe:
      self = .unsubscribe(set: values.isEmpty ? nil : word)
    case .meterFormat:
      self = .setFormat(MeterFormat(rawValue: word) ?? .floats)
    case .meterHold:
      self = .setHold(seconds: values.first?.number ?? Self.usualHoldSeconds)
    case .meterReset:
      self = .reset(set: word)
    default:
      return nil
    }
  }
}

import Messages

/// Requests of clients: their arguments become a payload that `ClientRequest` reads again.
extension Draft {
  mutating func stageClientRequest(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    var rest = arguments[...]
    var payload: [Argument] = []
    switch firstHit.parameter {
    case .hello:
      guard arguments.count <= 2 else {
        throw Refusal(.count, "a hello takes a name and the port to answer to")
      }
      // A button sends 1 when it is pressed and 0 when it is let go; no port is as low as that.
      if arguments.count == 1, let number = arguments[0].number, number <= 1 {
        guard try acts(arguments) else { return }
        rest = rest.dropFirst()
      }
      payload.append(.string(try takeName(&rest)))
      payload.append(try takePort(&rest))
    case .subscribe, .xremote:
      guard arguments.count <= (firstHit.parameter == .xremote ? 1 : 4) else {
        throw Refusal(
          .count,
          firstHit.parameter == .xremote
            ? "this takes one number at most"
            : "a subscription takes a pattern, a rate in Hz, a time in seconds and a port")
      }
      if !isPattern(arguments), try !acts(arguments) { return }
      payload.append(.string(try takePattern(&rest)))
      payload.append(try takeRate(&rest))
      payload.append(try takeSeconds(&rest))
      payload.append(try takePort(&rest))
    case .unsubscribe, .sync:
      guard arguments.count <= 1 else { throw Refusal(.count, "this takes one pattern at most") }
      if !isPattern(arguments), try !acts(arguments) { return }
      if firstHit.parameter == .sync || !arguments.isEmpty {
        payload.append(.string(try takePattern(&rest)))
      }
    case .bye:
      guard try acts(arguments) else { return }
    default:
      preconditionFailure("a request of a client")
    }
    stageRequest(payload)
  }

  mutating func stageClientSetting(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    guard arguments.count == 1 else { throw Refusal(.count, "this takes one value") }
    if firstHit.parameter == .clientFace {
      let words = "bare, gain, db and fader"
      guard case .string(let word) = arguments[0] else {
        throw Refusal(.type, "a face is one of the words \(words)")
      }
      guard ClientFace(rawValue: word) != nil else {
        throw Refusal(.value, "a face is one of the words \(words)")
      }
      return stageRequest([arguments[0]])
    }
    let range = firstHit.parameter == .clientRate ? ClientRequest.rates : 0...2
    let wanted = try number(arguments[0])
    guard abs(wanted) <= Double(range.upperBound) * Level.wrongUnitFactor else {
      throw Refusal(
        .range,
        "\(Float(wanted)) is out of range: this takes \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    let taken = min(max(Int(wanted.rounded()), range.lowerBound), range.upperBound)
    let isClamped = Double(taken) != wanted.rounded()
    if isClamped { clamped += 1 }
    stageRequest([.int32(Int32(taken))], corrects: isClamped)
  }

  /// Stages a request with what it is made of.
  mutating func stageRequest(_ payload: [Argument], corrects: Bool = false) {
    let start = transaction.payload.count
    transaction.payload.append(contentsOf: payload)
    transaction.operations.append(
      Operation(
        verb: .client, target: firstHit, corrects: corrects,
        payload: start..<transaction.payload.count))
  }

  // MARK: Arguments

  /// Whether arguments begin with a pattern, and are not those of a button.
  func isPattern(_ arguments: UnsafeBufferPointer<Argument>) -> Bool {
    if arguments.count > 1 { return true }
    if case .string? = arguments.first { return true }
    return false
  }

  private func takeName(
    _ rest: inout Slice<UnsafeBufferPointer<Argument>>
  ) throws(Refusal) -> String {
    guard case .string(let name)? = rest.first else { return "" }
    rest.removeFirst()
    guard name.utf8.count <= Level.longestNameBytes else {
      throw Refusal(.size, "a name has at most \(Level.longestNameBytes) bytes")
    }
    guard
      name.unicodeScalars.allSatisfy({
        $0 != "\u{FFFD}" && $0.properties.generalCategory != .control
      })
    else {
      throw Refusal(.value, "a name is written in UTF-8 and has no control characters")
    }
    return name
  }

  /// Takes a pattern; an empty one where none is given.
  func takePattern(
    _ rest: inout Slice<UnsafeBufferPointer<Argument>>
  ) throws(Refusal) -> String {
    guard let first = rest.popFirst() else { return "" }
    // What pressed a button has said nothing about a pattern.
    if first.number != nil, rest.isEmpty { return "" }
    if first == .impulse { return "" }
    guard case .string(let pattern) = first else {
      throw Refusal(.type, "a pattern is a text, and an empty one means everything")
    }
    guard pattern.isEmpty || pattern.utf8.first == UInt8(ascii: "/") else {
      throw Refusal(.address, "a pattern begins with a slash; an empty one means everything")
    }
    guard pattern.utf8.count <= ClientRequest.longestPatternBytes else {
      throw Refusal(
        .size, "this pattern may have \(ClientRequest.longestPatternBytes) bytes at most")
    }
    return pattern
  }

  /// Takes a rate in Hz within a range; nothing where none is given.
  func takeRate(
    _ rest: inout Slice<UnsafeBufferPointer<Argument>>,
    in range: ClosedRange<Int> = ClientRequest.rates
  ) throws(Refusal) -> Argument {
    guard let first = rest.popFirst() else { return .null }
    let hz = try number(first)
    guard hz > 0, hz <= Double(range.upperBound) * Level.wrongUnitFactor else {
      throw Refusal(
        .range, "\(Float(hz)) is no rate: this takes \(range.lowerBound) to \(range.upperBound) Hz")
    }
    return .int32(Int32(min(max(hz.rounded(), 1), Double(range.upperBound))))
  }

  /// Takes a time that a subscription outlives the last message, in seconds.
  func takeSeconds(
    _ rest: inout Slice<UnsafeBufferPointer<Argument>>
  ) throws(Refusal) -> Argument {
    let isShort = firstHit.parameter == .xremote
    guard let first = rest.popFirst() else {
      return .int32(Int32(isShort ? ClientRequest.xremoteSeconds : ClientRequest.usualSeconds))
    }
    let seconds = try number(first)
    guard seconds >= 0 else {
      throw Refusal(.range, "a time is 0 seconds, which lasts until /bye, or more")
    }
    return .int32(Int32(min(seconds.rounded(.up), Double(ClientRequest.longestSeconds))))
  }

  private func takePort(
    _ rest: inout Slice<UnsafeBufferPointer<Argument>>
  ) throws(Refusal) -> Argument {
    guard let first = rest.popFirst() else { return .null }
    let port = try number(first)
    guard (1...65_535).contains(port), port == port.rounded() else {
      throw Refusal(.range, "a port is a whole number from 1 to 65535")
    }
    return .int32(Int32(port))
  }
}

extension ClientRequest {
  /// Reads what `Draft` has staged.
  init?(_ parameter: Parameter, _ payload: ArraySlice<Argument>) {
    let values = Array(payload)
    func text(_ place: Int) -> String {
      guard values.indices.contains(place), case .string(let text) = values[place] else {
        return ""
      }
      return text
    }
    func number(_ place: Int) -> Int? {
      guard values.indices.contains(place), case .int32(let number) = values[place] else {
        return nil
      }
      return Int(number)
    }
    func port(_ place: Int) -> UInt16? { number(place).flatMap { UInt16(exactly: $0) } }
    switch parameter {
    case .hello:
      self = .hello(name: text(0), replyPort: port(1))
    case .subscribe, .xremote:
      self = .subscribe(
        pattern: text(0), hz: number(1), seconds: number(2) ?? Self.usualSeconds,
        replyPort: port(3))
    case .unsubscribe:
      self = .unsubscribe(pattern: values.isEmpty ? nil : text(0))
    case .bye:
      self = .bye
    case .sync:
      self = .sync(pattern: text(0))
    case .clientRate:
      self = .setRate(hz: number(0) ?? Self.usualRate)
    case .clientFace:
      self = .setFace(ClientFace(rawValue: text(0)) ?? .bare)
    case .clientEcho:
      self = .setEcho(number(0).flatMap(ClientEcho.init) ?? .corrections)
    default:
      guard let request = MeterRequest(parameter, payload) else { return nil }
      self = .meters(request)
    }
  }
}

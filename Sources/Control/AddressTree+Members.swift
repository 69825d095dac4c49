import MatrixCore
import Messages

/// What the members of a group are written as.
extension AddressTree {
  /// The gains that an address or a pattern names, by numbers alone.
  ///
  /// A stage is named with or without the last word of its level, `/matrix/in/0` or
  /// `/matrix/in/0/fader`. Where the matrix has nothing like it, there are none.
  func memberGains(of word: String) -> [GainID] {
    (try? members(of: word, useNames: false).map { $0.gain(in: shape) }) ?? []
  }

  /// The words that members are remembered as: names become numbers, because names change.
  ///
  /// A pattern that meets the same by numbers alone stays as it is, another one becomes the
  /// addresses that it meets. Says too how many gains it names.
  func memberWords(of word: String) throws(Refusal) -> (words: [String], gainCount: Int) {
    let targets = try members(of: word, useNames: true)
    if Self.isPattern(word), memberGains(of: word) == targets.map({ $0.gain(in: shape) }) {
      return ([word], targets.count)
    }
    guard targets.count <= GroupTable.mostWords else { throw Self.tooManyWords }
    let words = targets.map { target in
      let address = ParameterTable.address(
        of: Target(.gain, target.place, input: target.input, output: target.output))
      return String(address.dropLast("/gain".utf8.count))
    }
    return (words, targets.count)
  }

  static var tooManyWords: Refusal {
    Refusal(
      .size,
      "a group's members are written with \(GroupTable.mostWords) addresses at most; a pattern of "
        + "numbers stands for many")
  }

  private func members(of word: String, useNames: Bool) throws(Refusal) -> [Target] {
    guard word.utf8.count <= GroupTable.longestWordBytes else {
      throw Refusal(
        .size, "an address of a member has at most \(GroupTable.longestWordBytes) bytes")
    }
    var whole: Refusal?
    for text in [word + "/gain", word] {
      do throws(Refusal) {
        let targets = try gains(of: Array(text.utf8), useNames: useNames)
        guard targets.allSatisfy({ $0.place != .group }) else {
          throw Refusal(.value, "\(word): a group cannot be a member of a group")
        }
        return targets
      } catch {
        if error.code == .value { throw error }
        whole = whole.map { $0.code == .index ? $0 : error } ?? error
      }
    }
    throw whole ?? Refusal(.address, "\(word) has no level")
  }

  private func gains(of bytes: [UInt8], useNames: Bool) throws(Refusal) -> [Target] {
    let text = String(decoding: bytes, as: UTF8.self)
    var targets: [Target] = []
    var fault: Refusal?
    bytes.withUnsafeBufferPointer { bytes in
      switch find(bytes) {
      case .target(let target): targets = [target]
      case .badIndex(let side) where !AddressPattern.isPattern(bytes):
        fault = Refusal(.index, badIndex(side, in: bytes))
      case .badIndex, .nothing:
        do throws(PatternFault) {
          guard AddressPattern.isPattern(bytes) else { return }
          try collect(
            bytes, limit: shape.gainCount + GroupTable.count, useNames: useNames, into: &targets)
        } catch {
          targets.removeAll()
        }
      }
    }
    if let fault { throw fault }
    guard let first = targets.first, first.parameter.face != nil else {
      throw Refusal(
        .address, "\(text): members are inputs, outputs, crosspoints or the master")
    }
    return targets
  }

  private static func isPattern(_ word: String) -> Bool {
    Array(word.utf8).withUnsafeBufferPointer { AddressPattern.isPattern($0) }
  }
}

/// The candidate that a mistyped word most probably means, if one comes close.
///
/// Close is at most one slip for every three bytes of the word (at least one), a slip being a
/// byte left out, added, changed, or swapped with its neighbour. A word of three bytes or more that
/// begins exactly one candidate means that one, unless another is only one slip away. Letter case
/// does not count.
public func nearest(to word: String, among candidates: [String]) -> String? {
  let bytes = Array(word.utf8.map(lowercased))
  // Nobody mistypes a word this long; without a limit a hostile text would cost its square.
  guard !bytes.isEmpty, bytes.count <= 64 else { return nil }
  var best: (distance: Int, candidate: String)?
  for candidate in candidates {
    let other = Array(candidate.utf8.map(lowercased))
    guard abs(other.count - bytes.count) <= allowedSlips(bytes.count) else { continue }
    let distance = slips(from: bytes, to: other)
    if distance <= allowedSlips(bytes.count), distance < best?.distance ?? .max {
      best = (distance, candidate)
    }
  }
  if let best, best.distance <= 1 || bytes.count < 3 { return best.candidate }
  guard bytes.count >= 3 else { return nil }
  let continued = candidates.filter { $0.utf8.map(lowercased).starts(with: bytes) }
  return continued.count == 1 ? continued.first : best?.candidate
}

private func allowedSlips(_ count: Int) -> Int { max(1, count / 3) }

private func lowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

/// The restricted Damerau-Levenshtein distance (optimal string alignment).
private func slips(from word: [UInt8], to other: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...other.count)
  for row in word.indices {
    var current = [row + 1]
    for column in other.indices {
      var least = min(
        last[column + 1] + 1, current[column] + 1,
        last[column] + (word[row] == other[column] ? 0 : 1))
      if row > 0, column > 0, word[row] == other[column - 1], word[row - 1] == other[column] {
        least = min(least, beforeLast[column - 1] + 1)
      }
      current.append(least)
    }
    beforeLast = last
    last = current
  }
  return last[other.count]
}

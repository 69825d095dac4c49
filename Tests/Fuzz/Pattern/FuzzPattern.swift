import Messages

/// What libFuzzer calls: a pattern and a text, held against a slow matcher of another design.
///
/// The first byte says how much of the rest is text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let textCount = min(Int(start[0]), count - 1)
  let text = UnsafeBufferPointer(start: start + 1, count: textCount)
  let pattern = UnsafeBufferPointer(start: start + 1 + textCount, count: count - 1 - textCount)
  let isMatch = AddressPattern.matches(pattern: pattern, text: text)
  if textCount > AddressPattern.longestText {
    precondition(!isMatch, "what is too long matches nothing")
    return 0
  }
  if !AddressPattern.isPattern(pattern) {
    precondition(isMatch == pattern.elementsEqual(text), "a plain name matches itself alone")
  }
  precondition(
    isMatch == ReferenceMatcher.matches(pattern: Array(pattern), text: Array(text)),
    "two matchers agree")
  if let number = canonicalNumber(text) {
    precondition(
      isMatch == AddressPattern.matches(pattern: pattern, number: number),
      "a number matches as its digits do")
  }
  return 0
}

private func canonicalNumber(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
  guard let number = Int(String(decoding: text, as: UTF8.self)), number >= 0,
    String(number).utf8.elementsEqual(text)
  else { return nil }
  return number
}

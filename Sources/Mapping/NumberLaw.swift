/// The law between the position of a control and a number that is no level, with both ends exact.
///
/// A position is a whole number of steps, 0 up to the highest that the control sends.
struct NumberLaw: Equatable, Sendable {
  /// The number at position 0.
  var low: Double
  /// The number at the highest position, another one than `low`.
  var high: Double
  /// Whether the positions next to the middle are the middle.
  ///
  /// No position of a knob is its middle, where a pan is wanted most: both next to it are.
  var restsInMiddle = false

  /// The number at a position of a control whose highest is `highest`, at least 1.
  func value(atPosition position: Int, of highest: Int) -> Double {
    var part = Double(position) / Double(highest)
    if restsInMiddle, abs(2 * position - highest) < 2 { part = 0.5 }
    return part < 1 ? low + (high - low) * part : high
  }

  /// The position that shows a number, on a control whose highest is `highest`, at least 1.
  ///
  /// Either end only for a number that reads as that end in 32 bits, or lies beyond it.
  func shownPosition(of value: Double, of highest: Int) -> Int {
    guard low != high else { return 0 }
    let part = (value - low) / (high - low)
    if Float(value) == Float(low) || part <= 0 { return 0 }
    if Float(value) == Float(high) || part >= 1 { return highest }
    return between(part * Double(highest), highest)
  }
}

/// The whole position next to one that is at neither end.
func between(_ position: Double, _ highest: Int) -> Int {
  let nearest = Int(position.rounded())
  return highest > 1 ? min(max(nearest, 1), highest - 1) : nearest
}

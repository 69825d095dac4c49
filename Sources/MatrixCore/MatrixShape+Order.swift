extension MatrixShape {
  /// Every gain once, in the order in which the renderer keeps them in memory.
  ///
  /// Many commands are taken over many times faster in this order than in the flat numbering.
  public var gainsInMemoryOrder: [GainID] {
    let layout = GainLayout(shape: self)
    var gains: [GainID] = []
    gains.reserveCapacity(gainCount)
    for group in 0..<layout.crosspointGroups {
      let lanes = 4 * group..<min(4 * group + 4, outputs)
      for input in 0..<inputs {
        for output in lanes { gains.append(crosspoint(input: input, output: output)) }
      }
    }
    for index in crosspointCount..<gainCount { gains.append(GainID(index: Int32(index))) }
    return gains
  }
}

import Messages

extension ControlHub {
  /// Passes on the wish that the configuration be read again.
  func requestReload(_ source: Source) {
    guard let reloads else {
      return refuse(
        ParameterTable.row(.reload, .mixer).address, .value, "there is no configuration here",
        to: source)
    }
    reloads(source)
  }

  /// Tells a source that something which it asked for could not be done after all.
  public func refuse(_ address: String, _ code: Refusal.Code, _ text: String, to source: Source) {
    if let cause = Refusal.Code.allCases.firstIndex(of: code) { tally.refused[cause] += 1 }
    send(source, Reply.errorAddress, [.string(address), .string(code.rawValue), .string(text)])
  }
}

import ALSA

/// Which devices are told, and where.
extension MIDISurface {
  /// Opens the ports at which devices are told, as far as they have any.
  func openFeedback(_ ports: [SequencerPort]) {
    for device in devices where feedback.shows(device.number) {
      let address = DeviceChoice.output(for: device.connection.address, ports)
      if address == nil { sayOnce(device, "has no port that can be written to") }
      do {
        try feedback.setAddress(address, of: device.number)
      } catch {
        // It was pulled out in the meantime, and that is told separately.
        if !error.isAbsence { sayOnce(device, "refuses it: \(error.sentence.dropLast())") }
      }
    }
  }

  /// Says which devices could not be sent anything.
  func sayTroubles() {
    guard !feedback.troubles.isEmpty else { return }
    for (number, code) in feedback.troubles {
      guard let device = devices.first(where: { $0.number == number }) else { continue }
      let reason = ALSAError(call: "snd_seq_event_output_direct", code: code).reason
      sayOnce(device, "takes nothing (\(reason)); it is tried again every second")
    }
    feedback.troubles.removeAll(keepingCapacity: true)
  }

  private func sayOnce(_ device: Device, _ reason: String) {
    guard saidUntold.insert(device.number).inserted else { return }
    say(
      "MIDI: \"\(device.connection.clientName)\" (port \(device.connection.address)) is not told "
        + "what changes: it \(reason).", .device)
  }
}

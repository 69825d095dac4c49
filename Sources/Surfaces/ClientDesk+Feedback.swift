import Control
import MatrixCore

/// From changes to what each client has to be told.
extension ClientDesk: HubObserver {
  func hubChanged(_ target: Target, by source: Source) {
    guard !clients.subscribers.isEmpty, let thing = index.number(of: target) else { return }
    let isSaid = hub.isSaid(target)
    let isFading = hub.isFading(target, atFrame: hub.presentFrame(now: nowNanoseconds))
    if isFading {
      noteTravel(of: thing, owner: isSaid ? number(of: source) : -1)
    } else {
      noteArrival(of: thing)
    }
    for client in clients.subscribers where client.wants(thing) {
      let isSource = client.isSource(source)
      // What it has been told is overtaken by what it says.
      if isSource { client.told.forget(thing) }
      // What travels is told on its way, and where it has arrived.
      if isFading || (isSource && isSaid && client.echo != .always) {
        client.marked.remove(thing)
      } else {
        client.marked.insert(thing)
      }
    }
  }

  func hubConfirmed(_ target: Target, by source: Source) {
    // Who says what is so already knows it, as who changes something does.
    guard let client = clients.subscribers.first(where: { $0.isSource(source) }),
      client.echo != .always, let thing = index.number(of: target), client.wants(thing)
    else { return }
    client.marked.remove(thing)
  }

  func hubReleased(_ gain: GainID, by source: Source) {
    guard let client = clients.subscribers.first(where: { $0.isSource(source) }),
      let thing = index.number(of: Target(.gain, of: gain, in: hub.state.shape)),
      client.wants(thing)
    else { return }
    client.marked.insert(thing)
  }

  private func number(of source: Source) -> Int {
    guard case .client = source else { return -1 }
    return clients.subscribers.first { $0.isSource(source) }?.number ?? -1
  }
}

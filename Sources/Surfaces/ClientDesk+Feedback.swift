import Control
import MatrixCore

/// From changes to what each client has to be told.
extension ClientDesk: HubObserver {
  func hubChanged(_ target: Target, by source: Source) {
    guard !clients.subscribers.isEmpty, let thing = index.number(of: target) else { return }
    let isSaid = hub.isSaid(target)
    if hub.isFading(target, atFrame: hub.presentFrame(now: nowNanoseconds)) || travels(thing) {
      noteTravel(of: thing, owner: isSaid ? number(of: source) : -1)
    }
    for client in clients.subscribers where client.wants(thing) {
      guard client.isSource(source) else {
        client.marked.insert(thing)
        continue
      }
      // What it has been told is overtaken by what it says.
      client.told.forget(thing)
      if isSaid, client.echo != .always {
        client.marked.remove(thing)
      } else {
        client.marked.insert(thing)
      }
    }
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

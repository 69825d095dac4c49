import ALSA
import Mapping

/// Which of the ports that are there the mappings ask for.
///
/// Devices are known by name alone; their numbers may be others tomorrow. Sections of one mapping
/// with the same glob and `nth` go together: they are for the same devices, perhaps for different
/// ports of them.
package struct DeviceChoice {
  /// What is to be connected, and what the user should know about it.
  package struct Decision: Equatable {
    /// All connections that should stand.
    package var connections: [DeviceConnection] = []
    /// One sentence for each name that could mean several devices.
    package var doubts: [String] = []
  }

  /// The name of the kernel's client that sends everything back to whoever sent it.
  static let through = "midi through"

  private struct Slot {
    let mapping: Int
    let file: String
    let glob: String
    let device: DeviceSelector
    var sections: [Int]
  }

  private struct Client {
    let number: UInt8
    let name: String
    let card: Int
    var ports: [SequencerPort]
  }

  /// The sections of all mappings, in their order.
  package let sections: [(file: String, section: Mapping.Section)]
  private let slots: [Slot]

  /// Takes the sections of mappings.
  package init(_ mappings: [Mapping]) {
    sections = mappings.flatMap { mapping in mapping.sections.map { (mapping.file, $0) } }
    var slots: [Slot] = []
    var section = 0
    for (number, mapping) in mappings.enumerated() {
      for device in mapping.sections.map(\.device) {
        let glob = SequencerPort.trimmed(device.client).lowercased()
        let place = slots.firstIndex {
          $0.mapping == number && $0.glob == glob && $0.device.nth == device.nth
        }
        if let place {
          slots[place].sections.append(section)
        } else {
          slots.append(
            Slot(
              mapping: number, file: mapping.file, glob: glob, device: device, sections: [section]))
        }
        section += 1
      }
    }
    // Who says which of several comes before who takes the one that is left.
    self.slots =
      slots.filter { $0.device.nth != nil }.sorted { ($0.device.nth ?? 0) < ($1.device.nth ?? 0) }
      + slots.filter { $0.device.nth == nil }
  }

  /// Decides anew, from what is there and what is connected.
  ///
  /// - Parameters:
  ///   - ports: every port of the system.
  ///   - connected: what is connected now; it stays if it still fits.
  ///   - byHand: ports that somebody else has connected to ours, which ends a doubt.
  ///   - released: ports that somebody else has disconnected from ours, which are left alone.
  /// - Returns: the connections that should stand, and the doubts.
  package func decide(
    ports: [SequencerPort], connected: [DeviceConnection] = [],
    byHand: Set<SequencerAddress> = [], released: Set<SequencerAddress> = []
  ) -> Decision {
    let clients = Self.clients(of: ports)
    var decision = Decision()
    var owned = slots.map { slot in
      Set(
        clients.filter { client in
          connected.contains {
            slot.sections.contains($0.section) && $0.address.client == client.number
              && $0.clientName == client.name
          }
        }.map(\.number))
    }
    for (place, slot) in slots.enumerated() {
      let meant = clients.filter { client in
        slot.device.matches(client: client.name)
          && slot.sections.contains { !chosenPorts(of: client, section: $0, []).isEmpty }
      }
      owned[place].formIntersection(meant.map(\.number))
      for name in Self.names(of: meant) {
        let twins = meant.filter { $0.name == name }
        let taken = takes(
          of: twins, slot: place, owned: owned, byHand: byHand, doubts: &decision.doubts)
        owned[place].formUnion(taken)
      }
      for section in slot.sections {
        for client in meant where owned[place].contains(client.number) {
          decision.connections += chosenPorts(of: client, section: section, connected)
            .filter { !released.contains($0.address) }
            .map { port in
              DeviceConnection(
                address: port.address, section: section, clientName: client.name,
                portName: port.trimmedName)
            }
        }
      }
    }
    return decision
  }

  /// The ports that a mapping may be connected to: those that send and are nobody's echo.
  package static func eligible(_ ports: [SequencerPort]) -> [SequencerPort] {
    ports.filter { port in
      port.isReadable && port.trimmedClientName.lowercased() != through
    }
  }

  /// Where a device is told that is heard at a port: there, if that can be written to.
  ///
  /// Where it cannot, a device of ports for one way each is told at the one that stands in the same
  /// place among those that can only be written to.
  package static func output(
    for address: SequencerAddress, _ ports: [SequencerPort]
  ) -> SequencerAddress? {
    let own = ports.filter { $0.address.client == address.client }
      .sorted { $0.address.port < $1.address.port }
    guard let heard = own.first(where: { $0.address == address }) else { return nil }
    if heard.isWritable { return address }
    let sending = own.filter { $0.isReadable && !$0.isWritable }
    let taking = own.filter { $0.isWritable && !$0.isReadable }
    guard let place = sending.firstIndex(of: heard), taking.indices.contains(place) else {
      return nil
    }
    return taking[place].address
  }

  // MARK: Twins

  /// The numbers of the clients of one name that a slot gets.
  private func takes(
    of twins: [Client], slot place: Int, owned: [Set<UInt8>], byHand: Set<SequencerAddress>,
    doubts: inout [String]
  ) -> [UInt8] {
    let slot = slots[place]
    let rivals = slots.indices.filter {
      $0 != place && slots[$0].mapping == slot.mapping && slots[$0].glob == slot.glob
    }
    let free = twins.filter { twin in !rivals.contains { owned[$0].contains(twin.number) } }
    let kept = twins.map(\.number).filter(owned[place].contains)
    if let nth = slot.device.nth {
      guard kept.isEmpty, twins.count >= nth else { return kept }
      let before = rivals.count { rival in
        guard let other = slots[rival].device.nth, other < nth else { return false }
        return twins.contains { owned[rival].contains($0.number) }
      }
      let rank = nth - 1 - before
      return free.indices.contains(rank) ? [free[rank].number] : []
    }
    let chosen = free.filter { twin in twin.ports.contains { byHand.contains($0.address) } }
    let sure = Set(kept + chosen.map(\.number))
    guard sure.isEmpty, free.count == 1 else {
      if free.count > max(1, sure.count) { doubts.append(doubt(free, sure, slot)) }
      return Array(sure)
    }
    return [free[0].number]
  }

  private func doubt(_ twins: [Client], _ connected: Set<UInt8>, _ slot: Slot) -> String {
    let list = twins.map { twin in
      let card = twin.card == .max ? "" : ", card \(twin.card)"
      return "client \(twin.number)\(card)" + (connected.contains(twin.number) ? ", connected" : "")
    }
    let choices = (1...twins.count).map { "nth \($0)" }
    return
      "\(twins.count) devices are named \"\(twins[0].name)\" (\(list.joined(separator: "; "))):"
      + " add \(choices.joined(separator: " or ")) behind \"\(slot.device.client)\" in \(slot.file)"
      + " to say which."
  }

  // MARK: Clients and ports

  /// The clients with eligible ports, those of cards first, in the order of their numbers.
  private static func clients(of ports: [SequencerPort]) -> [Client] {
    var clients: [Client] = []
    for port in eligible(ports).sorted(by: { $0.address.port < $1.address.port }) {
      if let place = clients.firstIndex(where: { $0.number == port.address.client }) {
        clients[place].ports.append(port)
      } else {
        clients.append(
          Client(
            number: port.address.client, name: port.trimmedClientName,
            card: port.card ?? .max, ports: [port]))
      }
    }
    return clients.sorted { ($0.card, $0.number) < ($1.card, $1.number) }
  }

  private static func names(of clients: [Client]) -> [String] {
    var names: [String] = []
    for client in clients where !names.contains(client.name) { names.append(client.name) }
    return names
  }

  private func chosenPorts(
    of client: Client, section: Int, _ connected: [DeviceConnection]
  ) -> [SequencerPort] {
    let device = sections[section].section.device
    // What is connected stays the first, should one come before it.
    let first =
      client.ports.first { port in
        connected.contains {
          $0.section == section && $0.address == port.address && $0.clientName == client.name
        }
      } ?? client.ports.first
    return client.ports.filter { port in
      device.matches(port: port.portName, isFirst: port.address == first?.address)
    }
  }
}

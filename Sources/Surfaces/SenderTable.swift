import OSC

/// The senders that were heard lately: as many as fit, whoever was silent longest makes room.
struct SenderTable {
  /// The most senders that are remembered.
  static let capacity = 1_024

  private var senders: [Sender] = []
  private var places: [Peer: Int] = [:]
  private var numbers: [Int: Int] = [:]
  private var nextNumber = 0
  // Who speaks once mostly goes on speaking, and comparing is cheaper than looking up.
  private var lastPlace = 0

  /// The place of a sender, who is remembered from now on.
  mutating func place(of peer: Peer, socket: Int, nowNanoseconds: Int64) -> Int {
    let place: Int
    if lastPlace < senders.count, senders[lastPlace].peer == peer {
      place = lastPlace
    } else {
      place = places[peer] ?? add(peer, socket: socket, nowNanoseconds: nowNanoseconds)
      lastPlace = place
    }
    senders[place].socket = socket
    senders[place].lastHeardNanoseconds = nowNanoseconds
    return place
  }

  /// The place of the sender with a number, unless it has been forgotten.
  func place(ofNumber number: Int) -> Int? { numbers[number] }

  subscript(place: Int) -> Sender {
    get { senders[place] }
    set { senders[place] = newValue }
  }

  private mutating func add(_ peer: Peer, socket: Int, nowNanoseconds: Int64) -> Int {
    let sender = Sender(
      number: nextNumber, peer: peer, socket: socket, nowNanoseconds: nowNanoseconds)
    nextNumber += 1
    let place: Int
    if senders.count < Self.capacity {
      place = senders.count
      senders.append(sender)
    } else {
      place =
        senders.indices.min {
          senders[$0].lastHeardNanoseconds < senders[$1].lastHeardNanoseconds
        } ?? 0
      places[senders[place].peer] = nil
      numbers[senders[place].number] = nil
      senders[place] = sender
    }
    places[peer] = place
    numbers[sender.number] = place
    return place
  }
}

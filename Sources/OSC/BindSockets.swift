import Glibc

/// Opens a socket for each address of the options, all on the same port.
func bindSockets(_ options: OSCServerOptions) throws(OSCError) -> [UDPSocket] {
  let isDefault = options.listenAddresses.isEmpty
  var addresses: [Peer] = []
  for text in isDefault ? ["127.0.0.1", "::1"] : options.listenAddresses {
    let address = try Peer(address: text, port: options.port)
    if !addresses.contains(address) { addresses.append(address) }
  }
  // All interfaces of a family are its single addresses too, which could not be had again.
  let wildcards = addresses.filter(\.isUnspecified)
  addresses.removeAll { address in
    !address.isUnspecified && wildcards.contains { $0.isIPv6 == address.isIPv6 }
  }
  // A port that the kernel chose for the first address may be taken on the next one.
  var attempts = options.port == 0 ? 20 : 1
  while true {
    attempts -= 1
    do {
      return try bind(addresses, mayLackIPv6: isDefault)
    } catch {
      guard attempts > 0, error.number.number == EADDRINUSE else {
        throw sentence(for: error)
      }
    }
  }
}

private struct BindFailure: Error {
  let peer: Peer
  let number: Errno
}

private func bind(
  _ addresses: [Peer], mayLackIPv6: Bool
) throws(BindFailure) -> [UDPSocket] {
  var sockets: [UDPSocket] = []
  for address in addresses {
    var wanted = address
    if wanted.port == 0, let first = sockets.first { wanted = wanted.with(port: first.bound.port) }
    switch UDPSocket.open(wanted) {
    case .success(let socket):
      sockets.append(socket)
    case .failure(let number):
      let isLacking = [EAFNOSUPPORT, EADDRNOTAVAIL].contains(number.number)
      if mayLackIPv6, wanted.isIPv6, isLacking { continue }
      throw BindFailure(peer: wanted, number: number)
    }
  }
  return sockets
}

private func sentence(for failure: BindFailure) -> OSCError {
  let port = failure.peer.port
  let address = failure.peer.address
  switch failure.number.number {
  case EADDRINUSE:
    return OSCError(
      "UDP port \(port) on \(address) is in use by another program, which "
        + "`ss -ulpn` names; stop that program or choose another port (--osc-port)")
  case EACCES:
    return OSCError(
      "UDP port \(port) on \(address) is reserved for the system; choose a port above 1023")
  case EADDRNOTAVAIL:
    return OSCError(
      "cannot listen on \(address): no interface of this machine has that address; "
        + "`ip address` lists those it has")
  default:
    return OSCError(
      "cannot listen on \(address) port \(port): \(failure.number.text); choose another address")
  }
}

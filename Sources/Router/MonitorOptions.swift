import OSC

/// Which router `crosspoint monitor` looks at.
package struct MonitorOptions: Equatable, Sendable {
  /// Where it is, with its port.
  package var router: Peer

  /// Collects the options; without any it is the router on this machine at port 9000.
  ///
  /// - Throws: an `OptionError` when no router can be there.
  package init(_ layer: OptionLayer = OptionLayer()) throws(OptionError) {
    let port = layer.whole(.oscPort) ?? 9000
    guard port > 0 else {
      throw OptionError("--osc-port: no router is at port 0; its first line says at which it is.")
    }
    let host = layer.text(.host) ?? "127.0.0.1"
    guard let peer = try? Peer(address: host, port: UInt16(port)), !peer.isUnspecified else {
      throw OptionError(
        "--host: found \(host), expected the address of one machine, such as 192.168.1.20.")
    }
    router = peer
  }
}

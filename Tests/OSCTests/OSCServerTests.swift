import Glibc
import Messages
import OSC
import Testing

@Suite struct OSCServerTests {
  /// A server on a free port.
  private func makeServer(
    listen: [String] = [], allowed: [String] = [],
    _ change: (inout OSCServerOptions) -> Void = { _ in }
  ) throws -> OSCServer {
    var options = OSCServerOptions()
    options.port = 0
    options.listenAddresses = listen
    options.allowedRanges = try allowed.map { try AddressRange($0) }
    change(&options)
    return try OSCServer(options)
  }

  private func readings(of server: OSCServer, limit: Int = 1000) -> [Reading] {
    var readings: [Reading] = []
    _ = server.receive(limit: limit) {
      readings.append(Reading($0.batch, fault: $0.fault))
    }
    return readings
  }

  private let half = Reading([.init(address: "/matrix/in/0/out/1", arguments: [.float(0.5)])])

  @Test("TR-04: a port that is taken is named, with the way out")
  func portInUse() throws {
    let first = try makeServer()
    let port = first.boundAddresses[0].port
    do {
      _ = try makeServer { $0.port = port }
      Issue.record("two servers have one port")
    } catch let error as OSCError {
      #expect(
        error.description
          == "UDP port \(port) on 127.0.0.1 is in use by another program, which "
          + "`ss -ulpn` names; stop that program or choose another port (--osc-port)")
    }
  }

  @Test("TR-04: a port that is taken on the second address alone leaves nothing half open")
  func portInUseOnIPv6() throws {
    let holder = try Client(isIPv6: true)
    let error = #expect(throws: OSCError.self) {
      _ = try makeServer { $0.port = holder.port }
    }
    #expect(error?.description.contains("\(holder.port) on ::1") == true)
    let server = try makeServer(listen: ["127.0.0.1"]) { $0.port = holder.port }
    #expect(server.boundAddresses.map(\.description) == ["127.0.0.1:\(holder.port)"])
  }

  @Test("TR-04: an address that this machine does not have is named")
  func foreignAddress() {
    let error = #expect(throws: OSCError.self) { _ = try makeServer(listen: ["192.0.2.77"]) }
    #expect(error?.description.hasPrefix("cannot listen on 192.0.2.77") == true)
    #expect(throws: OSCError.self) { _ = try makeServer(listen: ["localhost"]) }
    #expect(throws: OSCError.self) { _ = try makeServer(listen: [""]) }
  }

  @Test("TR-05: both loopback addresses are heard on one port and named")
  func bothFamilies() throws {
    let server = try makeServer()
    let port = server.boundAddresses[0].port
    #expect(
      server.boundAddresses.map(\.description) == ["127.0.0.1:\(port)", "[::1]:\(port)"])
    #expect(server.descriptors.count == 2)
    for (index, client) in [try Client(), try Client(isIPv6: true)].enumerated() {
      client.send(Bytes.base, to: port)
      var peers: [Peer] = []
      let count = server.receive(limit: 10) { peers.append($0.peer) }
      #expect(count == 1)
      #expect(peers.map(\.port) == [client.port])
      #expect(peers.first?.isLoopback == true)
      #expect(peers.first?.isIPv6 == (index == 1))
    }
  }

  @Test("TR-05: every interface of both families can be had at once")
  func everyInterface() throws {
    let server = try makeServer(listen: ["0.0.0.0", "::"])
    let port = server.boundAddresses[0].port
    #expect(server.boundAddresses.map(\.description) == ["0.0.0.0:\(port)", "[::]:\(port)"])
    try Client().send(Bytes.base, to: port)
    try Client(isIPv6: true).send(Bytes.base, to: port)
    #expect(readings(of: server) == [half, half])
  }

  @Test("TR-05: an address that is named twice, or is part of another one, is bound once")
  func overlappingAddresses() throws {
    let twice = try makeServer(listen: ["127.0.0.1", "127.0.0.1"])
    #expect(twice.boundAddresses.map(\.address) == ["127.0.0.1"])
    let inside = try makeServer(listen: ["127.0.0.1", "0.0.0.0", "::1"])
    #expect(inside.boundAddresses.map(\.address) == ["0.0.0.0", "::1"])
  }

  @Test("TR-05: a server takes its port on its own addresses and leaves it free on others")
  func ownAddressesOnly() throws {
    let server = try makeServer(listen: ["127.0.0.1"])
    let port = server.boundAddresses[0].port
    let neighbour = try makeServer(listen: ["127.0.0.2"]) { $0.port = port }
    #expect(neighbour.boundAddresses.map(\.description) == ["127.0.0.2:\(port)"])
  }

  @Test("TR-07: an answer leaves from the port that was asked")
  func answers() throws {
    let server = try makeServer()
    let port = server.boundAddresses[0].port
    for client in [try Client(), try Client(isIPv6: true)] {
      client.send(Bytes.text("/matrix/in/0/out/1"), to: port)
      _ = server.receive(limit: 10) { datagram in
        server.send(
          address: "/matrix/in/0/out/1", arguments: [.float(0.5)], to: datagram.peer,
          from: datagram.socket)
        server.send(address: "/matrix/in/0/out/1", arguments: [.float(0.5)], to: datagram.peer)
      }
      for _ in 0..<2 {
        let answer = try #require(client.receive())
        #expect(answer.bytes == Bytes.base)
        #expect(answer.port == port)
      }
    }
    #expect(server.counters.sent == 4)
    #expect(server.counters.sendFailures == 0)
  }

  @Test("TR-07: another port of the same peer can be spoken to")
  func otherPort() throws {
    let server = try makeServer()
    let speaker = try Client()
    let listener = try Client()
    speaker.send(Bytes.base, to: server.boundAddresses[0].port)
    _ = server.receive(limit: 1) {
      server.send(address: "/a", to: $0.peer.with(port: listener.port))
    }
    #expect(listener.receive()?.bytes == Bytes.message("/a", ","))
  }

  @Test("TR-08: a peer that is not there harms nobody")
  func deadPeers() throws {
    let server = try makeServer()
    let port = server.boundAddresses[0].port
    let gone = try Peer(address: "127.0.0.1", port: try Client().port)
    let client = try Client()
    for _ in 0..<50 {
      server.send(address: "/a", arguments: [.int32(1)], to: gone)
      client.send(Bytes.base, to: port)
      #expect(readings(of: server) == [half])
      _ = server.receive(limit: 0) { _ in }
      server.send(address: "/b", to: try Peer(address: "127.0.0.1", port: client.port))
      #expect(client.receive()?.bytes == Bytes.message("/b", ","))
    }
  }

  @Test("TR-08: what cannot be sent is counted and nothing else")
  func failures() throws {
    let server = try makeServer(listen: ["127.0.0.1"])
    let local = try Peer(address: "127.0.0.1", port: 9)
    #expect(!server.send(address: "/a", to: try Peer(address: "::1", port: 9)))
    let long = Array(repeating: Argument.double(0), count: 8200)
    #expect(!server.send(address: "/a", arguments: long, to: local))
    #expect(!server.send(address: "/a", to: local, from: 7))
    #expect(!server.send(address: "/a", to: try Peer(address: "127.0.0.1", port: 0)))
    #expect(server.counters.sendFailures == 4)
    #expect(server.counters.sent == 0)
  }

  @Test("TR-08: a reader that never reads does not hold the sender up")
  func deafPeer() throws {
    let server = try makeServer()
    let deaf = try Client()
    let peer = try Peer(address: "127.0.0.1", port: deaf.port)
    let text = Argument.string(String(repeating: "x", count: 60_000))
    for _ in 0..<500 { server.send(address: "/a", arguments: [text], to: peer) }
    let counters = server.counters
    #expect(counters.sent + counters.sendFailures == 500)
  }

  @Test("Every kind of argument goes out as it came in")
  func roundTrip() throws {
    let server = try makeServer()
    let client = try Client()
    let arguments: [Argument] = [
      .int32(-7), .int64(1 << 40), .float(0.1), .double(0.1), .string("vox \u{FC}ber"), .bool(true),
      .bool(false), .null, .impulse, .string(""),
    ]
    let peer = try Peer(address: "127.0.0.1", port: client.port)
    server.send(address: "/matrix/in/0/name", arguments: arguments, to: peer)
    let bytes = try #require(client.receive()).bytes
    client.send(bytes, to: server.boundAddresses[0].port)
    #expect(
      readings(of: server) == [Reading([.init(address: "/matrix/in/0/name", arguments: arguments)])]
    )
    server.send(address: "/a", arguments: [.other(UInt8(ascii: "b")), .int32(1)], to: peer)
    #expect(client.receive()?.bytes == Bytes.message("/a", ",Ni", [0, 0, 0, 1]))
  }

  @Test("MF-01: junk is counted, handed over with its reason, and the next packet works")
  func junk() throws {
    let server = try makeServer()
    let port = server.boundAddresses[0].port
    let client = try Client()
    var junk: [[UInt8]] = [Array("hello".utf8), [], Array(repeating: 0xFF, count: 28)]
    for length in 1..<28 where length != 20 { junk.append(Array(Bytes.base.prefix(length))) }
    for bytes in junk { client.send(bytes, to: port) }
    client.send(Bytes.base, to: port)
    let readings = readings(of: server)
    #expect(readings.count == junk.count + 1)
    #expect(readings.dropLast().allSatisfy { $0.fault != nil && $0.messages.isEmpty })
    #expect(readings.last == half)
    let counters = server.counters
    #expect(counters.malformed == UInt64(junk.count))
    #expect(counters.datagrams == UInt64(junk.count + 1))
    #expect(counters.messages == 1)
  }

  @Test("MF-05: the largest datagram that UDP carries arrives whole")
  func largestDatagram() throws {
    let server = try makeServer()
    let client = try Client()
    let elements = Array(repeating: Bytes.base, count: 2046)
    let bytes = Bytes.bundle(elements)
    #expect(bytes.count > 65_000)
    client.send(bytes, to: server.boundAddresses[0].port)
    client.send(Bytes.base, to: server.boundAddresses[0].port)
    let readings = readings(of: server)
    #expect(readings.map(\.messages.count) == [2046, 1])
    #expect(server.counters.bundles == 1)
  }

  @Test("FL-03: a call reads no more than its limit, and the rest stays in order")
  func boundedWork() throws {
    let server = try makeServer()
    let client = try Client()
    for index in 0..<200 {
      client.send(
        Bytes.message("/a", ",i", Bytes.number(Int32(index))), to: server.boundAddresses[0].port)
    }
    var seen: [Argument] = []
    for limit in [1, 0, 31, 32, 33, 64, 1000] {
      let before = seen.count
      let count = server.receive(limit: limit) {
        seen.append(contentsOf: $0.batch.arguments)
      }
      #expect(count == seen.count - before)
      #expect(count == min(limit, 200 - before))
    }
    #expect(seen == (0..<200).map { .int32($0) })
    #expect(server.receive(limit: 10) { _ in } == 0)
  }

  @Test("A datagram carries the time at which the kernel got it")
  func arrival() throws {
    func now() -> Int64 {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    let server = try makeServer()
    let client = try Client()
    // The kernel begins to stamp some time after the first socket has asked for it; until then a
    // datagram has the time at which it was read. So they are sent until one waits with its stamp.
    let limit = now() + 60_000_000_000
    var isStamped = false
    while !isStamped, now() < limit {
      let before = now()
      client.send(Bytes.base, to: server.boundAddresses[0].port)
      let behind = now()
      var arrivals: [Int64] = []
      _ = server.receive(limit: 1) { arrivals.append($0.arrivalNanoseconds) }
      #expect(arrivals.count == 1)
      #expect(arrivals.allSatisfy { (before...now()).contains($0) })
      isStamped = arrivals.allSatisfy { $0 <= behind }
    }
    #expect(isStamped)
  }

  @Test("What comes on two sockets is read in the order in which it came")
  func order() throws {
    let server = try makeServer()
    let port = server.boundAddresses[0].port
    let clients = [try Client(), try Client(isIPv6: true)]
    var generator = SystemRandomNumberGenerator()
    for round in 0..<20 {
      let sent = (0..<100).map { _ in Int.random(in: 0...1, using: &generator) }
      for number in sent { clients[number].send(Bytes.base, to: port) }
      var read: [Int] = []
      // A bounded reading goes on where it was.
      let limit = round % 2 == 0 ? 1_000 : 33
      while server.receive(limit: limit, { read.append($0.peer.isIPv6 ? 1 : 0) }) > 0 {}
      #expect(read.count == sent.count)
      if limit > sent.count { #expect(read == sent) }
    }
  }

  @Test("Who is not allowed is not read, and is counted")
  func allowList() throws {
    let server = try makeServer(allowed: ["10.0.0.0/8", "::1"])
    let port = server.boundAddresses[0].port
    try Client().send(Bytes.base, to: port)
    try Client().send(Array("junk".utf8), to: port)
    try Client(isIPv6: true).send(Bytes.base, to: port)
    #expect(readings(of: server) == [half])
    #expect(server.counters.notAllowed == 2)
    #expect(server.counters.malformed == 0)
    #expect(server.counters.datagrams == 3)
    // Told once of each machine, and again after the ranges have changed.
    #expect(server.takeStranger()?.isLoopback == true)
    try Client().send(Bytes.base, to: port)
    #expect(readings(of: server) == [])
    #expect(server.takeStranger() == nil)
    server.allowedRanges = [try AddressRange("10.0.0.0/8")]
    try Client().send(Bytes.base, to: port)
    #expect(readings(of: server) == [])
    #expect(server.takeStranger() != nil)
  }

  @Test("The granted receive buffer is read back, and less than asked for comes with advice")
  func receiveBuffer() throws {
    let modest = try makeServer { $0.receiveBufferBytes = 65_536 }
    #expect(modest.grantedReceiveBufferBytes == 65_536)
    #expect(modest.receiveBufferAdvice == nil)
    let greedy = try makeServer { $0.receiveBufferBytes = .max }
    let isShort = greedy.grantedReceiveBufferBytes < greedy.wantedReceiveBufferBytes
    #expect((greedy.receiveBufferAdvice != nil) == isShort)
    #expect(greedy.receiveBufferAdvice?.contains("net.core.rmem_max") != false)
  }

  @Test("What the kernel drops is counted, the end of a burst too")
  func kernelDrops() throws {
    let server = try makeServer { $0.receiveBufferBytes = 4096 }
    let client = try Client()
    #expect(server.counters.kernelDropped == 0)
    for _ in 0..<500 { client.send(Bytes.base, to: server.boundAddresses[0].port) }
    let read = server.receive(limit: 1000) { _ in }
    #expect(read < 500)
    #expect(server.counters.kernelDropped == UInt64(500 - read))
  }
}

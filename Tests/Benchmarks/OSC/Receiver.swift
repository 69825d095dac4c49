import CLibLO
import Glibc
import Messages
import OSC

/// Something that receives datagrams on the calling thread.
protocol Receiver: AnyObject {
  /// Where it listens.
  var port: UInt16 { get }
  /// How many datagrams have been read.
  var received: Int { get }
  /// Waits for datagrams, a tenth of a second at most, and reads some; false when none came.
  func receiveSome() -> Bool
}

/// The library's own path: poll, then read what waits.
final class ShippedReceiver: Receiver {
  let server: OSCServer
  private let consume: (borrowing Datagram) -> Void
  private var polled: [pollfd]
  private(set) var received = 0

  init(consume: @escaping (borrowing Datagram) -> Void) throws {
    var options = OSCServerOptions()
    options.port = 0
    server = try OSCServer(options)
    self.consume = consume
    polled = server.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  }

  var port: UInt16 { server.boundAddresses[0].port }

  func receiveSome() -> Bool {
    guard poll(&polled, nfds_t(polled.count), 100) > 0 else { return false }
    received += server.receive(limit: 256, consume)
    return true
  }
}

/// What a program without this library would do: liblo's own loop and an empty catch-all.
final class BareReceiver: Receiver {
  private let server: lo_server
  private let count: UnsafeMutablePointer<Int>

  init() throws {
    guard let server = lo_server_new("0", nil) else {
      throw BenchmarkError(description: "liblo cannot make a server")
    }
    self.server = server
    count = .allocate(capacity: 1)
    count.initialize(to: 0)
    lo_server_add_method(server, nil, nil, countMessage, count)
  }

  deinit {
    lo_server_free(server)
    count.deallocate()
  }

  var received: Int { count.pointee }

  var port: UInt16 {
    var name = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &name) {
      _ = getsockname(
        lo_server_get_socket_fd(server), $0.assumingMemoryBound(to: sockaddr.self).baseAddress,
        &length)
    }
    return UInt16(bigEndian: name.sin_port)
  }

  func receiveSome() -> Bool {
    lo_server_recv_noblock(server, 100) > 0
  }
}

private func countMessage(
  path: UnsafePointer<CChar>?, types: UnsafePointer<CChar>?,
  arguments: UnsafeMutablePointer<UnsafeMutablePointer<lo_arg>?>?, count: Int32,
  message: lo_message?, context: UnsafeMutableRawPointer?
) -> Int32 {
  context?.assumingMemoryBound(to: Int.self).pointee += 1
  return 0
}

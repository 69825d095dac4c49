import CPlatform
import Glibc
import Messages
import OSC

/// A running monitor: a client of a router that shows what it is told.
///
/// One thread. In a terminal the picture is drawn anew in its place; into a pipe goes a line for
/// each change and one of levels a second.
final class MonitorSession {
  private static let drawNanoseconds: Int64 = 100_000_000
  private static let lineNanoseconds: Int64 = 1_000_000_000
  /// How often everything is asked for again, so that a router that was started anew knows us soon.
  private static let askNanoseconds: Int64 = 1_000_000_000
  /// After so long without a word the router is taken to be gone.
  private static let silenceNanoseconds: Int64 = 5_000_000_000
  private static let leaseSeconds: Int32 = 30
  private static let hz: Int32 = 10

  private let router: Peer
  private let server: OSCServer
  private let signals: Int32
  private let isTerminal: Bool
  private var model = MonitorModel()
  private var heardNanoseconds: Int64

  /// Opens a socket of its own.
  ///
  /// - Throws: a `StartError` when the system has none.
  init(_ options: MonitorOptions) throws(StartError) {
    router = options.router
    signals = crosspoint_signals_open()
    guard signals >= 0 else {
      throw StartError(
        code: .socket,
        sentence: "The system has no file descriptor left for signals; raise the limit (ulimit -n)."
      )
    }
    var server = OSCServerOptions()
    server.port = 0
    server.listenAddresses = [
      router.isLoopback ? router.address : router.isIPv6 ? "::" : "0.0.0.0"
    ]
    do {
      server.allowedRanges = [try AddressRange(router.address)]
      self.server = try OSCServer(server)
    } catch {
      throw StartError(code: .socket, sentence: ended(error.description))
    }
    isTerminal = isatty(STDOUT_FILENO) == 1
    heardNanoseconds = crosspoint_monotonic_ns()
  }

  /// Shows the router until a signal comes, nobody reads any more, or the router is gone.
  func run() -> ExitCode {
    if isTerminal { CommandLineFiles.print("\u{1B}[?1049h\u{1B}[?25l") }
    let code = watch()
    server.send(address: "/bye", to: router)
    if isTerminal { CommandLineFiles.print("\u{1B}[?25h\u{1B}[?1049l") }
    if code == .socket {
      CommandLineFiles.complain(
        "The router at \(router) does not answer; see that it runs there, listens on that "
          + "address (run --listen) and hears this machine (run --allow).")
    }
    return code
  }

  private func watch() -> ExitCode {
    var descriptors = [
      pollfd(fd: server.descriptors[0], events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      // Asks for nothing, and is told all the same when nobody reads the pipe any more.
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
    ]
    let interval = isTerminal ? Self.drawNanoseconds : Self.lineNanoseconds
    var show = heardNanoseconds + interval
    var ask = heardNanoseconds
    while true {
      let now = crosspoint_monotonic_ns()
      if now - heardNanoseconds >= Self.silenceNanoseconds { return .socket }
      if now >= ask {
        subscribe()
        server.send(address: "/ping", to: router)
        server.send(address: "/client/list", to: router)
        ask = now + Self.askNanoseconds
      }
      if now >= show {
        present()
        show = max(show + interval, now)
      }
      let next = min(show, ask, heardNanoseconds + Self.silenceNanoseconds)
      _ = poll(&descriptors, nfds_t(descriptors.count), Int32(max(0, next - now) / 1_000_000 + 1))
      if descriptors[0].revents != 0 { receive() }
      if descriptors[1].revents != 0, crosspoint_signals_take(signals) != 0 { return .success }
      if descriptors[2].revents & Int16(POLLERR | POLLNVAL) != 0 { return .success }
    }
  }

  private func subscribe() {
    // Two monitors of one machine are two clients.
    server.send(
      address: "/hello", arguments: [.string("monitor \(getpid())")], to: router)
    server.send(
      address: "/subscribe",
      arguments: [.string(""), .int32(Self.hz), .int32(Self.leaseSeconds)], to: router)
    server.send(
      address: "/meter/subscribe",
      arguments: [.string(""), .int32(Self.hz), .int32(Self.leaseSeconds)], to: router)
  }

  private func receive() {
    _ = server.receive(limit: 1_024) { datagram in
      guard datagram.peer.port == router.port else { return }
      heardNanoseconds = crosspoint_monotonic_ns()
      for message in datagram.batch.messages {
        take(
          datagram.batch.addressText(of: message),
          Array(datagram.batch.arguments[message.arguments]))
      }
    }
  }

  private func take(_ address: String, _ arguments: [Argument]) {
    let line = model.take(address, arguments)
    if address == "/welcome", line != nil { sync() }
    if let line, !isTerminal { CommandLineFiles.print(line + "\n") }
  }

  /// Asks for what the picture shows of channels: of crosspoints only changes are told.
  private func sync() {
    for pattern in [
      "/engine/state", "/matrix/{in,out}/*/{gain,mute,name}", "/matrix/master/{gain,mute}",
    ] {
      server.send(address: "/sync", arguments: [.string(pattern)], to: router)
    }
  }

  private func present() {
    guard isTerminal else {
      if let line = model.levelsLine() { CommandLineFiles.print(line + "\n") }
      return
    }
    let lines = MonitorScreen().lines(of: model)
    CommandLineFiles.print(
      "\u{1B}[H" + lines.map { $0 + "\u{1B}[K\r\n" }.joined() + "\u{1B}[J")
  }
}

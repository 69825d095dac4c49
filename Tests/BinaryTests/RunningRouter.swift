import Glibc
import Synchronization

/// The shipped binary, running, with its lines at hand.
final class RunningRouter {
  let process: pid_t
  let port: UInt16
  private let output: Int32
  private let errors: Int32
  private(set) var firstLine = ""
  private var isReaped = false

  /// Where the binary is: `CROSSPOINT_BINARY`, else the release build beside the tests.
  static var binary: String {
    if let path = getenv("CROSSPOINT_BINARY") { return String(cString: path) }
    return ".build/release/crosspoint"
  }

  /// Starts `crosspoint run` with arguments on a free port, or on one that the test has chosen, and
  /// waits for its first line.
  ///
  /// `errorBytes` is how much standard error takes that nobody reads.
  init(
    _ arguments: [String], environment: [String] = [], prefix: [String] = [], port: UInt16? = nil,
    errorBytes: Int32? = nil
  ) {
    self.port = port ?? Self.freePort()
    // Tests run side by side, and none finds what another one has left.
    let state = arguments.contains("--state") ? [] : ["--no-state"]
    let all = prefix + [Self.binary, "run", "--osc-port", "\(self.port)"] + state + arguments
    let started = Self.spawn(all, environment: environment)
    process = started.process
    output = started.output
    errors = started.errors
    if let errorBytes {
      // F_SETPIPE_SZ, which the C library's module leaves out.
      precondition(fcntl(errors, 1_031, errorBytes) >= 0, "a smaller pipe")
    }
    firstLine = Self.line(from: output)
  }

  private init(process: pid_t, output: Int32, errors: Int32) {
    port = 0
    self.process = process
    self.output = output
    self.errors = errors
  }

  /// Starts any command and waits for nothing.
  static func start(_ arguments: [String]) -> RunningRouter {
    let started = spawn(arguments, environment: [])
    return RunningRouter(
      process: started.process, output: started.output, errors: started.errors)
  }

  deinit {
    if !isReaped {
      kill(process, SIGKILL)
      var status: Int32 = 0
      waitpid(process, &status, 0)
    }
    close(output)
    close(errors)
  }

  var client: OSCClient { OSCClient(port: port) }

  /// Sends a signal and gives the exit code, or nothing when it has not stopped within a second.
  func stop(_ signal: Int32 = SIGTERM, milliseconds: Int = 1_000) -> Int32? {
    kill(process, signal)
    return exitCode(milliseconds: milliseconds)
  }

  func exitCode(milliseconds: Int) -> Int32? {
    var status: Int32 = 0
    for _ in 0..<max(1, milliseconds / 5) {
      if waitpid(process, &status, WNOHANG) == process {
        isReaped = true
        return (status & 0x7f) == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
      }
      poll(nil, 0, 5)
    }
    return nil
  }

  /// The next line on standard output, at most 5 s away.
  func nextLine() -> String { Self.line(from: output) }

  /// How many bytes on standard error nobody has read.
  var waitingErrorBytes: Int {
    var count: Int32 = 0
    return ioctl(errors, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// The memory that it has, in bytes.
  var residentBytes: Int {
    let descriptor = open("/proc/\(process)/statm", O_RDONLY)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = read(descriptor, &buffer, buffer.count)
    let words = buffer.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
    guard words.count > 1 else { return 0 }
    return (Int(String(decoding: words[1], as: UTF8.self)) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Everything on standard error so far; whole once the process has stopped.
  func errorText() -> String { Self.text(from: errors) }

  /// Runs the binary to its end.
  static func run(
    _ arguments: [String], environment: [String] = []
  ) -> (code: Int32, output: String, errors: String) {
    let started = spawn([binary] + arguments, environment: environment)
    let output = text(from: started.output, untilEnd: true)
    let errors = text(from: started.errors, untilEnd: true)
    var status: Int32 = 0
    waitpid(started.process, &status, 0)
    close(started.output)
    close(started.errors)
    return ((status & 0x7f) == 0 ? (status >> 8) & 0xff : -(status & 0x7f), output, errors)
  }

  // MARK: Processes

  /// Tests run side by side, and no process may inherit the pipes of another.
  private static let spawning = Mutex(())

  private static func spawn(
    _ arguments: [String], environment: [String]
  ) -> (process: pid_t, output: Int32, errors: Int32) {
    spawning.withLock { _ in spawnAlone(arguments, environment: environment) }
  }

  private static func spawnAlone(
    _ arguments: [String], environment: [String]
  ) -> (process: pid_t, output: Int32, errors: Int32) {
    var outputPipe: [Int32] = [0, 0]
    var errorPipe: [Int32] = [0, 0]
    precondition(pipe(&outputPipe) == 0 && pipe(&errorPipe) == 0, "pipes")
    for end in outputPipe + errorPipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, outputPipe[1], 1)
    posix_spawn_file_actions_adddup2(&actions, errorPipe[1], 2)
    var words = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let variable = next.pointee {
      variables.append(strdup(variable))
      next += 1
    }
    variables += environment.map { strdup($0) } + [nil]
    var process: pid_t = 0
    let code = posix_spawnp(&process, arguments[0], &actions, nil, &words, &variables)
    precondition(code == 0, "\(arguments[0]) starts: build the release binary first")
    for word in words + variables { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    close(outputPipe[1])
    close(errorPipe[1])
    return (process, outputPipe[0], errorPipe[0])
  }

  private static func line(from descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, 5_000) == 1, read(descriptor, &byte, 1) == 1, byte != 10 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func text(from descriptor: Int32, untilEnd: Bool = false) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, untilEnd ? 10_000 : 50) == 1 {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[0..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The processor time that the control thread has used, in seconds.
  var controlSeconds: Double {
    let path = "/proc/\(process)/task/\(process)/schedstat"
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = read(descriptor, &buffer, buffer.count)
    let first = buffer.prefix(max(0, count)).prefix { $0 != UInt8(ascii: " ") }
    return (Double(String(decoding: first, as: UTF8.self)) ?? .infinity) / 1e9
  }

  static func freePort() -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        precondition(bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0)
      }
      return UInt16(bigEndian: $0.pointee.sin_port)
    }
  }
}

import Glibc

/// The matrix that the cases speak of: 16 inputs, 16 outputs, 48 kHz, nothing connected.
enum Rig {
  /// The crosspoint that most cases move.
  static let a = "/matrix/in/0/out/1"

  static func router(_ more: [String] = []) -> RunningRouter {
    RunningRouter(["--virtual", "--inputs", "16", "--outputs", "16"] + more)
  }

  /// Every crosspoint that is not off, as (input, output).
  static func connections(_ client: OSCClient) -> Set<[Int]> {
    var found: Set<[Int]> = []
    for input in 0..<16 {
      let row = client.ask("/matrix/row/\(input)")?.numbers ?? []
      for (output, gain) in row.enumerated() where gain != 0 { found.insert([input, output]) }
    }
    return found
  }

  /// Whether two gains are the same to a Float32's precision.
  static func same(_ left: Double?, _ right: Double) -> Bool {
    guard let left else { return false }
    return abs(left - right) < 1e-6
  }

  /// The NTP time tag of now plus so many seconds.
  static func tag(secondsFromNow seconds: Double) -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let time = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 + seconds + 2_208_988_800
    return UInt64(time) << 32 | UInt64((time - time.rounded(.down)) * 4_294_967_295)
  }

  /// Asks until the answer is as wanted, for at most `milliseconds`.
  static func reaches(
    _ client: OSCClient, _ address: String, _ wanted: Double, milliseconds: Int
  ) -> Bool {
    for _ in 0..<max(1, milliseconds / 5) {
      if same(client.number(address), wanted) { return true }
      poll(nil, 0, 5)
    }
    return false
  }
}

import Glibc

/// What it costs to tell many clients of all meters as often as they may ask for.
enum MeterBenchmark {
  /// Lets clients watch all channels of a matrix of 64 x 64, and its 64 first crosspoints.
  static func run(clients: Int, seconds: Double) throws {
    for format in ["floats", "blob"] {
      let mixer = try MixerReceiver(channels: 64)
      let listeners = try (0..<clients).map { _ in try Sender(port: mixer.port) }
      for listener in listeners {
        listener.send(Packets.message("/meter/format", text: format))
        for pattern in ["", "/matrix/in/0/out/*"] {
          listener.send(Packets.message("/meter/subscribe", text: pattern, number: 50))
        }
      }
      mixer.serve(seconds: 0.05)
      let told = mixer.counter("meter_values")
      let datagrams = mixer.counter("meter_datagrams")
      let cpu = Clock.threadSeconds
      let start = Clock.monotonicSeconds
      mixer.serve(seconds: seconds)
      let elapsed = Clock.monotonicSeconds - start
      let share = 100 * (Clock.threadSeconds - cpu) / elapsed
      print(
        "\(mixer.counter("meter_clients")) clients of all 256 meters and 64 crosspoints at 50 Hz as",
        "\(format):", "control thread \((share * 10).rounded() / 10) % of a core,",
        "\(Int(Double(mixer.counter("meter_values") - told) / elapsed)) values/s in",
        "\(Int(Double(mixer.counter("meter_datagrams") - datagrams) / elapsed)) datagrams/s,",
        "\(mixer.counter("lost_meter_datagrams")) lost")
    }
  }
}

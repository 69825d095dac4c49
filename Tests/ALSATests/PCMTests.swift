import ALSA
import FaultCard
import Testing

@Suite("A PCM device")
struct PCMTests {
  private func request(
    rate: Int = 48000, channels: Int = 2, period: Int = 64, buffer: Int = 128
  ) -> PCMRequest {
    PCMRequest(rate: rate, channels: channels, periodFrames: period, bufferFrames: buffer)
  }

  @Test("is granted what it has")
  func grant() throws {
    let pcm = try PCM(opening: "fault:id=grant", direction: .playback)
    let grant = try pcm.configure(request())
    #expect(
      grant
        == PCMGrant(rate: 48000, channels: 2, format: .s32, periodFrames: 64, bufferFrames: 128))
    #expect(pcm.state == .setup || pcm.state == .prepared)
  }

  @Test("PC-07: a rate that the device does not have is refused with both rates")
  func rate() throws {
    let pcm = try PCM(opening: "fault:id=rate", direction: .capture)
    #expect(throws: PCMSetupError.rate(wanted: 44100, nearest: 48000)) {
      try pcm.configure(request(rate: 44100))
    }
  }
}

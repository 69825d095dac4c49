import CALSA

/// Which way samples go.
public enum PCMDirection: Sendable {
  /// From the card into the program.
  case capture
  /// From the program to the card.
  case playback

  var stream: snd_pcm_stream_t {
    switch self {
    case .capture: SND_PCM_STREAM_CAPTURE
    case .playback: SND_PCM_STREAM_PLAYBACK
    }
  }
}

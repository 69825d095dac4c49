/// Who says something.
public enum Source: Hashable, Sendable {
  /// The program itself: its configuration, its options, its event file.
  case local
  /// A client, by the number, 0 or above, that its surface has given it.
  ///
  /// A client may speak from many places; `route` is the surface's number for the place that an
  /// answer goes to, and means nothing to the hub.
  case client(Int, route: Int = 0)
  /// A MIDI device, by the number, 0 or above, that its surface has given it.
  case device(Int)

  /// A number for it that fits where many must be kept.
  var code: Int {
    switch self {
    case .local: -1
    case .client(let number, route: _): number
    case .device(let number): -2 - number
    }
  }

  /// The number that stands for nobody.
  static let nobody = Int.min
}

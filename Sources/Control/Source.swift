/// Who says something.
public enum Source: Hashable, Sendable {
  /// The program itself: its configuration, its options, its event file.
  case local
  /// A client, by the number, 0 or above, that its surface has given it.
  case client(Int)

  /// A number for it that fits where many must be kept.
  var code: Int {
    switch self {
    case .local: -1
    case .client(let number): number
    }
  }

  /// The number that stands for nobody.
  static let nobody = Int.min
}

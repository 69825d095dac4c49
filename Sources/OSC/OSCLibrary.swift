import CLibLO

/// The library behind this module.
public enum OSCLibrary {
  /// The version of the library that the program runs with, as `0.31`.
  public static var version: String {
    var text = [CChar](repeating: 0, count: 32)
    lo_version(&text, Int32(text.count), nil, nil, nil, 0, nil, nil, nil)
    return text.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
  }
}

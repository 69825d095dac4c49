import CALSA

/// A call of alsa-lib that failed.
public struct ALSAError: Error, Equatable, Sendable {
  /// The call, for example `snd_pcm_open`.
  public var call: String
  /// The negative error number that it answered with.
  public var code: Int32

  /// Makes an error.
  public init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// What the library says about the error number, for example `Device or resource busy`.
  public var reason: String {
    String(cString: snd_strerror(code))
  }

  /// Call and reason as half a sentence.
  public var sentence: String {
    "\(call) says: \(reason)"
  }

  /// Throws unless a call succeeded; answers what it answered.
  @discardableResult
  static func check(_ code: Int32, _ call: String) throws(ALSAError) -> Int32 {
    guard code >= 0 else { throw ALSAError(call: call, code: code) }
    return code
  }
}

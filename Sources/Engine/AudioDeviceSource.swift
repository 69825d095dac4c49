/// Opens devices; the keeper thread calls it again and again until a device comes.
///
/// A source holds what the user asked for (names of cards, files); it knows no state of the engine.
public protocol AudioDeviceSource: Sendable {
  /// The name that messages call the device by, for example `hw:CARD=X18` or `virtual`.
  var name: String { get }

  /// Opens and configures the device, so that `start` is all that is left to do.
  ///
  /// Keeper thread: may block and allocate. Called again with a back-off (100 ms to 1 s) after an
  /// error that `isPermanent` does not rule out.
  func open(_ request: DeviceRequest) throws(DeviceError) -> any AudioDevice
}

import Glibc
import MatrixCore

/// All levels, switches and names: what the mixer has been told, apart from how it sounds.
///
/// Each gain keeps its level (perhaps on its way) and its switches apart, so that a mute neither
/// stops nor is undone by a fade. Control thread only.
package final class MixState {
  /// The switches of a gain.
  struct Switches: OptionSet {
    let rawValue: UInt8
    static let mute = Switches(rawValue: 1)
    static let phase = Switches(rawValue: 2)
    static let solo = Switches(rawValue: 4)
    static let soloSafe = Switches(rawValue: 8)
    static let dim = Switches(rawValue: 16)
  }

  package let shape: MatrixShape
  private let fades: UnsafeMutablePointer<Fade>
  private let switches: UnsafeMutablePointer<Switches>
  private let raisers: UnsafeMutablePointer<Int>
  private var inputNames: [String]
  private var outputNames: [String]
  /// The scenes, which one is current, and what no recall touches.
  var scenes: SceneStore
  private(set) var soloCount = 0
  private(set) var dimFactor = 1.0
  /// What dim changes a level by, in dB.
  package var dimDB: Double {
    didSet { dimFactor = pow(10, dimDB / 20) }
  }

  /// Everything as it starts: crosspoints off, all else at unity, no switch on, no name.
  init(shape: MatrixShape, dimDB: Double) {
    self.shape = shape
    fades = .allocate(capacity: shape.gainCount)
    switches = .allocate(capacity: shape.gainCount)
    raisers = .allocate(capacity: shape.gainCount)
    fades.initialize(repeating: Fade(steady: 0), count: shape.crosspointCount)
    (fades + shape.crosspointCount).initialize(
      repeating: Fade(steady: 1), count: shape.gainCount - shape.crosspointCount)
    switches.initialize(repeating: [], count: shape.gainCount)
    raisers.initialize(repeating: Source.nobody, count: shape.gainCount)
    scenes = SceneStore(shape: shape)
    inputNames = [String](repeating: "", count: shape.inputs)
    outputNames = [String](repeating: "", count: shape.outputs)
    self.dimDB = dimDB
    dimFactor = pow(10, dimDB / 20)
  }

  deinit {
    fades.deallocate()
    switches.deallocate()
    raisers.deallocate()
  }

  // MARK: Levels

  /// The level of a gain, standing still or on its way.
  package func fade(of gain: GainID) -> Fade {
    fades[place(gain)]
  }

  /// The level that a gain has, or is on its way to.
  package func level(of gain: GainID) -> Double {
    fades[place(gain)].end
  }

  /// Replaces a gain's level.
  func setFade(_ fade: Fade, of gain: GainID) {
    fades[place(gain)] = fade
  }

  /// The code of who last raised a level above unity; nobody when it is not above.
  func raiser(of gain: GainID) -> Int {
    raisers[place(gain)]
  }

  /// Remembers who raised a level above unity, once it has changed.
  func noteRaise(of gain: GainID, from old: Double, to new: Double, by source: Source) {
    if new <= 1 {
      raisers[place(gain)] = Source.nobody
    } else if new > old {
      raisers[place(gain)] = source.code
    }
  }

  // MARK: Switches

  func isOn(_ one: Switches, of gain: GainID) -> Bool {
    switches[place(gain)].contains(one)
  }

  /// Turns a switch; says whether that changed anything.
  func set(_ one: Switches, of gain: GainID, on: Bool) -> Bool {
    guard isOn(one, of: gain) != on else { return false }
    if on { switches[place(gain)].insert(one) } else { switches[place(gain)].remove(one) }
    if one == .solo { soloCount += on ? 1 : -1 }
    return true
  }

  /// The switches of a gain that scenes keep, as `Scene.switches` has them.
  func storedSwitches(of gain: GainID) -> UInt8 {
    switches[place(gain)].rawValue & StoredParts.switches.rawValue
  }

  /// What the switches multiply a gain's level by.
  package func factor(of gain: GainID) -> Double {
    let own = switches[place(gain)]
    if own.contains(.mute) { return 0 }
    if soloCount > 0, own.isDisjoint(with: [.solo, .soloSafe]), isInput(gain) { return 0 }
    let polarity = own.contains(.phase) ? -1.0 : 1.0
    return own.contains(.dim) ? polarity * dimFactor : polarity
  }

  private func isInput(_ gain: GainID) -> Bool {
    (0..<shape.inputs).contains(Int(gain.index) - shape.crosspointCount)
  }

  // MARK: Names

  /// The name of a channel: an input's, or else an output's.
  package func name(ofInput isInput: Bool, _ channel: Int) -> String {
    isInput ? inputNames[channel] : outputNames[channel]
  }

  func setName(_ name: String, ofInput isInput: Bool, _ channel: Int) {
    if isInput { inputNames[channel] = name } else { outputNames[channel] = name }
  }

  private func place(_ gain: GainID) -> Int {
    let place = Int(gain.index)
    precondition(place >= 0 && place < shape.gainCount, "a gain of this matrix")
    return place
  }
}

import Glibc
import MatrixCore

/// All levels, switches and names: what the mixer has been told, apart from how it sounds.
///
/// Each gain keeps its level (perhaps on its way) and its switches apart, so that a mute neither
/// stops nor is undone by a fade. A group has a level and a mute like a gain: its `GainID` is one
/// beyond those of the matrix, which the audio thread never sees. Control thread only.
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

  /// The number of groups.
  package static let groupCount = GroupTable.count

  package let shape: MatrixShape
  /// The names of channels and groups, as far as addresses may use them.
  package let names: AddressNames
  let groupTable: GroupTable
  let pairs: ChannelPairs
  /// The pans of levels to pairs of outputs that are off, by their left gain.
  var pansWhileOff: [GainID: Double] = [:]
  /// What was restored for channels that this matrix lacks, to be saved again.
  var contentsBeyond = GroupContents()
  private let fades: UnsafeMutablePointer<Fade>
  private let switches: UnsafeMutablePointer<Switches>
  private let raisers: UnsafeMutablePointer<Int>
  private var inputNames: [String]
  private var outputNames: [String]
  /// The scenes, which one is current, and what no recall touches.
  var scenes: SceneStore
  private var groupNames = [String](repeating: "", count: GroupTable.count)
  private let placeCount: Int
  private(set) var soloCount = 0
  private(set) var dimFactor = 1.0
  /// What dim changes a level by, in dB.
  package var dimDB: Double {
    didSet { dimFactor = pow(10, dimDB / 20) }
  }

  /// Everything as it starts: crosspoints off, all else at unity, no switch on, no name.
  init(shape: MatrixShape, dimDB: Double) {
    self.shape = shape
    names = AddressNames(shape: shape)
    groupTable = GroupTable(shape: shape)
    pairs = ChannelPairs(shape: shape)
    placeCount = shape.gainCount + GroupTable.count
    fades = .allocate(capacity: placeCount)
    switches = .allocate(capacity: placeCount)
    raisers = .allocate(capacity: placeCount)
    fades.initialize(repeating: Fade(steady: 0), count: shape.crosspointCount)
    (fades + shape.crosspointCount).initialize(
      repeating: Fade(steady: 1), count: placeCount - shape.crosspointCount)
    switches.initialize(repeating: [], count: placeCount)
    raisers.initialize(repeating: Source.nobody, count: placeCount)
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

  /// What a gain's own switches multiply its level by.
  func switchFactor(of gain: GainID) -> Double {
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

  /// The name of an input, an output or a group.
  package func name(of side: Place, _ number: Int) -> String {
    switch side {
    case .input: inputNames[number]
    case .output: outputNames[number]
    case .group: groupNames[number]
    case .crosspoint, .master, .mixer, .scene: preconditionFailure("a side that has names")
    }
  }

  /// Gives an input, an output or a group a name; addresses may use it where that is allowed.
  func setName(_ name: String, of side: Place, _ number: Int) {
    names.set(name, for: number, of: side)
    switch side {
    case .input: inputNames[number] = name
    case .output: outputNames[number] = name
    case .group: groupNames[number] = name
    case .crosspoint, .master, .mixer, .scene: preconditionFailure("a side that has names")
    }
  }

  // MARK: Groups

  /// Where a group's level and mute live.
  func group(_ number: Int) -> GainID {
    GainID(index: Int32(shape.gainCount + number))
  }

  /// The number of the group whose level it is, or nothing for a gain of the matrix.
  func groupNumber(of gain: GainID) -> Int? {
    let number = Int(gain.index) - shape.gainCount
    return number >= 0 ? number : nil
  }

  private func place(_ gain: GainID) -> Int {
    let place = Int(gain.index)
    precondition(place >= 0 && place < placeCount, "a gain of this matrix")
    return place
  }
}

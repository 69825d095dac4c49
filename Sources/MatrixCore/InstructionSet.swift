import CMatrixKernel
import Glibc

/// A family of vector instructions that the inner loops are built for.
public enum InstructionSet: String, CaseIterable, Sendable {
  /// The baseline of every x86-64 processor: vectors of 4.
  case sse2
  /// Vectors of 8 with fused multiply-adds (x86-64-v3).
  case avx2
  /// Vectors of 16 (x86-64-v4).
  case avx512
  /// The baseline of any other processor.
  case portable

  /// The environment variable that chooses one.
  public static let variable = "CROSSPOINT_ISA"

  /// Whether this processor has it.
  public var isSupported: Bool { cmk_table(rawValue) != nil }

  /// Those that this processor has, narrowest first.
  public static var supported: [InstructionSet] { allCases.filter(\.isSupported) }

  /// The widest that this processor has.
  public static var widest: InstructionSet {
    InstructionSet(rawValue: String(cString: cmk_table_name(cmk_best_table()))) ?? .portable
  }

  /// The one that the environment asks for, else the widest.
  ///
  /// Throws when `CROSSPOINT_ISA` names none that there is, or one that this processor has not got.
  public static func selected() throws(InstructionSetError) -> InstructionSet {
    guard let value = getenv(variable) else { return widest }
    return try named(String(cString: value))
  }

  /// The one of that name, if this processor has it.
  public static func named(_ name: String) throws(InstructionSetError) -> InstructionSet {
    guard let set = InstructionSet(rawValue: name), set.isSupported else {
      throw InstructionSetError(name: name, supported: supported)
    }
    return set
  }

  /// Its inner loops; the widest set's where this processor has not got it.
  var table: OpaquePointer {
    cmk_table(rawValue) ?? cmk_best_table()
  }

  /// How many multiply-adds a second one core reaches with it, in thousand millions; takes about
  /// ten milliseconds in a release build.
  package func measurePeak() -> Double { cmk_peak(table) }
}

/// `CROSSPOINT_ISA` asks for what this processor cannot do.
public struct InstructionSetError: Error, Equatable, CustomStringConvertible {
  /// What was asked for.
  public let name: String
  /// What there is.
  public let supported: [InstructionSet]

  /// One sentence that names the variable, the value and the way out.
  public var description: String {
    let names = supported.map(\.rawValue).joined(separator: ", ")
    return "\(InstructionSet.variable)=\(name): this processor offers \(names); "
      + "choose one of them or leave the variable out"
  }
}

import MatrixCore

/// A dense numbering of everything that clients can be told of, and its addresses as bytes.
///
/// A level is one thing, whichever of its faces it is told on. What is numbered follows from the
/// table: what can be set and asked has feedback. Any thread.
package final class FeedbackIndex: Sendable {
  private struct Segment {
    var parameter: Parameter
    var place: Place
    var start: Int
    var count: Int
    /// The templates of its address; of a level, one for each `ClientFace`.
    var templates: InlineArray<4, Int32>
  }

  /// An address as pieces of text with numbers between them.
  private struct Template {
    var texts: InlineArray<3, Range<Int>> = [0..<0, 0..<0, 0..<0]
    var isInput: InlineArray<2, Bool> = [true, true]
    var numbers = 0
  }

  /// How many things are numbered.
  package let count: Int
  /// How many of them, the first, say which channels are linked: who is told of them before the
  /// rest, and links the same, then takes levels and pans as they are meant.
  package let linkCount: Int
  /// Where the things stand that are left out of everything as long as they mean nothing: see
  /// `ControlHub.isUnused`.
  package let unusedAtFirst: [Range<Int>]
  private let shape: MatrixShape
  private let segments: [Segment]
  private let starts: [Int32]
  private let segmentOfThing: [UInt8]
  private let templates: [Template]
  private let letters: [UInt8]

  /// Numbers the things of a matrix.
  package init(shape: MatrixShape) {
    self.shape = shape
    var builder = Builder()
    let told = ParameterTable.rows.filter(\.isTold)
    let rows = told.filter { $0.parameter == .pair } + told.filter { $0.parameter != .pair }
    var segments: [Segment] = []
    var starts = [Int32](repeating: -1, count: Self.cells)
    var start = 0
    for row in rows {
      let cell = Self.cell(row.parameter, row.place)
      guard starts[cell] < 0 else { continue }
      let faces = rows.filter { $0.place == row.place && $0.parameter.face != nil }
      let isLevel = row.parameter.face != nil
      for row in isLevel ? faces : [row] {
        starts[Self.cell(row.parameter, row.place)] = Int32(start)
      }
      let count = row.place.count(in: shape)
      segments.append(
        Segment(
          parameter: isLevel
            ? faces.contains { $0.parameter == .gain } ? .gain : row.parameter
            : row.parameter,
          place: row.place, start: start, count: count,
          templates: builder.templates(row, among: isLevel ? faces : [])))
      start += count
    }
    precondition(segments.count <= 255, "segments that a byte can number")
    count = start
    linkCount = segments.prefix { $0.parameter == .pair }.reduce(0) { $0 + $1.count }
    unusedAtFirst = segments.filter { $0.place == .scene || $0.parameter == .pan }
      .map { $0.start..<$0.start + $0.count }
    self.segments = segments
    self.starts = starts
    var segmentOfThing: [UInt8] = []
    segmentOfThing.reserveCapacity(start)
    for (number, segment) in segments.enumerated() {
      segmentOfThing += repeatElement(UInt8(number), count: segment.count)
    }
    self.segmentOfThing = segmentOfThing
    templates = builder.made
    letters = builder.letters
  }

  /// The number of a thing, whichever face of a level is named; nothing where there is no feedback.
  package func number(of target: Target) -> Int? {
    let start = starts[Self.cell(target.parameter, target.place)]
    guard start >= 0 else { return nil }
    let index = target.place.index(of: target, in: shape)
    guard index < segments[Int(segmentOfThing[Int(start)])].count else { return nil }
    return Int(start) + index
  }

  /// The number of a parameter's thing at the first of its places, if it has feedback.
  ///
  /// Those at the others follow in the order of `Place.index`.
  package func firstNumber(of parameter: Parameter, at place: Place) -> Int? {
    let start = starts[Self.cell(parameter, place)]
    return start < 0 ? nil : Int(start)
  }

  /// The thing with a number; a level by its `gain`.
  package func target(_ number: Int) -> Target {
    let segment = segments[Int(segmentOfThing[number])]
    return segment.place.target(segment.parameter, index: number - segment.start, in: shape)
  }

  /// Writes the address of a thing, of a level on a face, and says how many bytes it has.
  ///
  /// There must be room for `longestAddressBytes`.
  package func writeAddress(
    of target: Target, _ number: Int, _ face: ClientFace, at bytes: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let segment = segments[Int(segmentOfThing[number])]
    let template = templates[Int(segment.templates[face.index])]
    return letters.withUnsafeBufferPointer { letters in
      var end = 0
      for piece in 0...template.numbers {
        for letter in template.texts[piece] {
          bytes[end] = letters[letter]
          end += 1
        }
        guard piece < template.numbers else { break }
        end = Self.write(
          template.isInput[piece] ? target.input : target.output, at: bytes, end)
      }
      return end
    }
  }

  /// The most bytes that an address has.
  package static let longestAddressBytes = 96

  private static func write(
    _ number: Int, at bytes: UnsafeMutablePointer<UInt8>, _ start: Int
  ) -> Int {
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }
    var end = start
    while divisor > 0 {
      bytes[end] = UInt8(ascii: "0") + UInt8(number / divisor % 10)
      end += 1
      divisor /= 10
    }
    return end
  }

  private static var cells: Int { Parameter.allCases.count * Place.allCases.count }

  private static func cell(_ parameter: Parameter, _ place: Place) -> Int {
    Int(parameter.rawValue) * Place.allCases.count + Int(place.rawValue)
  }

  /// Cuts addresses into templates.
  private struct Builder {
    var made: [Template] = []
    var letters: [UInt8] = []

    /// The templates of a row, or of the faces of a level: what a level lacks, its gain stands for.
    mutating func templates(
      _ row: ParameterRow, among faces: [ParameterRow]
    ) -> InlineArray<4, Int32> {
      let usual = faces.first { $0.parameter == .gain } ?? faces.first ?? row
      return InlineArray { place in
        let parameter = ClientFace.allCases[place].parameter
        return template(faces.first { $0.parameter == parameter } ?? usual)
      }
    }

    private mutating func template(_ row: ParameterRow) -> Int32 {
      precondition(row.address.utf8.count <= 80, "an address for which there is room")
      var template = Template()
      for piece in row.pieces {
        switch piece {
        case .text(let text):
          let start = letters.count
          letters.append(contentsOf: text.utf8)
          template.texts[template.numbers] = start..<letters.count
        default:
          precondition(template.numbers < 2, "two numbers at most")
          if case .output = piece { template.isInput[template.numbers] = false }
          template.numbers += 1
        }
      }
      made.append(template)
      return Int32(made.count - 1)
    }
  }
}

extension ParameterRow {
  /// Whether clients are told of its changes: what can be set and asked, but for a few things.
  var isTold: Bool { parameter.hasFeedback(access) }
}

extension ClientFace {
  /// Its place among all faces.
  package var index: Int {
    switch self {
    case .bare: 0
    case .gain: 1
    case .db: 2
    case .fader: 3
    }
  }
}

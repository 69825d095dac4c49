/// A stretch of sound between silences; times in milliseconds of 48 frames.
struct Stretch {
  let start: Double
  let end: Double
  let rise: Double
  let fall: Double

  init(_ samples: ArraySlice<Double>) {
    let peak = samples.reduce(0) { max($0, abs($1)) }
    let loud = samples.indices.filter { abs(samples[$0]) >= 0.9 * peak }
    start = Double(samples.startIndex) / 48
    end = Double(samples.endIndex) / 48
    rise = Double((loud.first ?? samples.startIndex) - samples.startIndex) / 48
    fall = Double(samples.endIndex - 1 - (loud.last ?? samples.startIndex)) / 48
  }

  var description: String { "\(start) \(end) \(rise) \(fall)" }
}

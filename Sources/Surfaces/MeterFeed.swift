import Control
import Glibc
import MatrixCore
import Messages
import OSC

/// Tells clients what the meters read that they have subscribed to.
///
/// Unlike a change, a reading that does not leave is not told later: the next one is newer. It is
/// counted. Control thread only.
final class MeterFeed {
  /// The most clients that are told of meters at a time.
  static let mostClients = 32
  /// The most bundles that a client is sent in one turn; what does not fit comes in the next one.
  static let bundlesPerTurn = 24
  /// What a meter of silence reads, in dB.
  static let silenceDB: Float = -120
  /// What a meter reads at most, in dB; also where a sample was not finite.
  static let highestDB: Float = 120

  static let blobAddress: StaticString = "/meter/blob"
  /// The layout of blobs, which they begin with.
  static let blobLayout: UInt32 = 1
  static let blobHeaderBytes = 12
  static let blobRecordBytes = 32

  let server: OSCServer
  let reader: MeterReader
  let writer = BundleWriter(capacity: MeterFeed.bundlesPerTurn)
  private var told: [MeterTally] = []
  private var generation = 0
  private var values: UInt64 = 0
  private var datagrams: UInt64 = 0
  private var lost: UInt64 = 0

  init(server: OSCServer, reader: MeterReader) {
    self.server = server
    self.reader = reader
  }

  /// Every counter with the name that `/engine/status` shows it under.
  var counters: [(name: String, value: UInt64)] {
    [
      ("meter_clients", UInt64(told.count)), ("meter_values", values),
      ("meter_datagrams", datagrams), ("lost_meter_datagrams", lost),
    ]
  }

  // MARK: Time

  /// Ends the meters of a client that nobody has renewed in time; says whether there were any.
  func expire(_ client: Client, nowNanoseconds now: Int64) -> Bool {
    guard let meters = client.meters else { return false }
    return meters.remove { $0.seconds > 0 && client.end(afterSeconds: $0.seconds) <= now }
  }

  /// Tells those whose turn has come.
  func tick(_ clients: ClientTable, nowNanoseconds now: Int64) {
    guard !told.isEmpty else { return }
    watch(clients, nowNanoseconds: now)
    for client in clients.clients {
      guard let meters = client.meters, meters.isWanted, meters.tally.hasNews else { continue }
      let interval = 1_000_000_000 / Int64(meters.tally.hz)
      // A reading that is a little early is taken: the next one would be nearly a turn late.
      guard meters.nextTurnNanoseconds <= now + interval / 4 else { continue }
      meters.tally.hasNews = false
      // A turn that is a little late moves none of those behind it.
      let isLate = meters.nextTurnNanoseconds <= now - interval
      meters.nextTurnNanoseconds = (isLate ? now : meters.nextTurnNanoseconds) + interval
      tell(client, meters)
    }
  }

  /// Reads for those clients who want meters now, and for whoever else listens.
  func watch(_ clients: ClientTable, nowNanoseconds now: Int64) {
    guard isDirty || generation != clients.generation else { return }
    isDirty = false
    generation = clients.generation
    let wanted = clients.clients.compactMap { client in
      client.meters.flatMap { $0.isWanted ? $0.tally : nil }
    }
    let others = reader.listeners.filter { listener in !told.contains { $0 === listener } }
    told = wanted
    reader.use(others + wanted, now: now)
  }

  /// Whether a client wants something else than before.
  var isDirty = false

  // MARK: Telling

  private func tell(_ client: Client, _ meters: ClientMeters) {
    guard let destination = client.destination else { return }
    writer.removeAll()
    meters.turns &+= 1
    switch meters.format {
    case .floats: writeFloats(meters)
    case .blob: writeBlobs(meters)
    }
    let delivery = server.send(writer, to: destination, from: client.socket)
    datagrams += UInt64(delivery.handled - delivery.failed)
    lost += UInt64(writer.bundleCount - delivery.handled + delivery.failed)
  }

  private func writeFloats(_ meters: ClientMeters) {
    let count = meters.tally.meters.count
    if meters.cursor >= count { meters.cursor = 0 }
    for _ in 0..<count {
      let place = meters.tally.meters[meters.cursor].place
      let levels = meters.tally.take(meters.cursor)
      let counts = self.counts(of: place)
      var words: InlineArray<6, UInt32> = [
        Self.decibels(levels.peak).bitPattern, Self.decibels(levels.average).bitPattern,
        Self.decibels(levels.held).bitPattern, counts.clipped, counts.notANumber, counts.infinite,
      ]
      let outcome = withUnsafePointer(to: &words) { pointer in
        pointer.withMemoryRebound(to: UInt32.self, capacity: 6) { words in
          switch place {
          case .channel:
            writer.append(tags: "fffiii", words: UnsafeBufferPointer(start: words, count: 6)) {
              Self.writeAddress(of: place, self.reader.shape, at: $0)
            }
          case .crosspoint:
            writer.append(tags: "fff", words: UnsafeBufferPointer(start: words, count: 3)) {
              Self.writeAddress(of: place, self.reader.shape, at: $0)
            }
          }
        }
      }
      guard outcome == .added else { return }
      values += 1
      meters.cursor = meters.cursor + 1 < count ? meters.cursor + 1 : 0
    }
  }

  private func writeBlobs(_ meters: ClientMeters) {
    let room = BundleWriter.largestBlobBytes(addressBytes: Self.blobAddress.utf8CodeUnitCount)
    let perBlob = (room - Self.blobHeaderBytes) / Self.blobRecordBytes
    let count = meters.tally.meters.count
    let parts = (count + perBlob - 1) / perBlob
    let first = meters.cursor < parts ? meters.cursor : 0
    meters.cursor = 0
    for offset in 0..<parts {
      let part = (first + offset) % parts
      let places = part * perBlob..<min(count, (part + 1) * perBlob)
      let bytes = Self.blobHeaderBytes + places.count * Self.blobRecordBytes
      let outcome = writer.append(address: Self.blobAddress, blobBytes: bytes) { start in
        start.storeBytes(of: Self.blobLayout.bigEndian, as: UInt32.self)
        start.storeBytes(of: meters.turns.bigEndian, toByteOffset: 4, as: UInt32.self)
        start.storeBytes(of: UInt16(part).bigEndian, toByteOffset: 8, as: UInt16.self)
        start.storeBytes(of: UInt16(parts).bigEndian, toByteOffset: 10, as: UInt16.self)
        var record = start + Self.blobHeaderBytes
        for place in places {
          self.write(meters.tally, place, at: record)
          record += Self.blobRecordBytes
        }
      }
      guard outcome == .added else {
        meters.cursor = part
        return
      }
      values += UInt64(places.count)
    }
  }

  private func write(_ tally: MeterTally, _ number: Int, at record: UnsafeMutableRawPointer) {
    let place = tally.meters[number].place
    let levels = tally.take(number)
    let counts = self.counts(of: place)
    var input = 0
    var output = 0
    var point = 4
    switch place {
    case .channel(let where_, let channel):
      point = where_.index
      if where_.isOfInputs { input = channel } else { output = channel }
    case .crosspoint(let gain):
      input = Int(gain.index) / reader.shape.outputs
      output = Int(gain.index) % reader.shape.outputs
    }
    for (offset, value) in [(0, point), (2, input), (4, output), (6, 0)] {
      record.storeBytes(of: UInt16(value).bigEndian, toByteOffset: offset, as: UInt16.self)
    }
    func put(_ word: UInt32, _ offset: Int) {
      record.storeBytes(of: word.bigEndian, toByteOffset: offset, as: UInt32.self)
    }
    put(Self.decibels(levels.peak).bitPattern, 8)
    put(Self.decibels(levels.average).bitPattern, 12)
    put(Self.decibels(levels.held).bitPattern, 16)
    put(counts.clipped, 20)
    put(counts.notANumber, 24)
    put(counts.infinite, 28)
  }

  // MARK: Values

  /// What a message about a place carries, of what the last look gave.
  func arguments(
    of place: MeterTally.Place, _ levels: (peak: Float, average: Float, held: Float)
  ) -> [Argument] {
    let floats = [levels.peak, levels.average, levels.held].map {
      Argument.float(Self.decibels($0))
    }
    guard case .channel = place else { return floats }
    let counts = self.counts(of: place)
    return floats
      + [counts.clipped, counts.notANumber, counts.infinite].map {
        Argument.int32(Int32(bitPattern: $0))
      }
  }

  /// The counts of a channel, as far as an `i` can hold them.
  private func counts(
    of place: MeterTally.Place
  ) -> (clipped: UInt32, notANumber: UInt32, infinite: UInt32) {
    guard case .channel(let point, let channel) = place else { return (0, 0, 0) }
    let faults = reader.faults(of: channel, at: point)
    func short(_ count: UInt64) -> UInt32 { UInt32(min(count, UInt64(Int32.max))) }
    return (short(faults.clipped), short(faults.notANumber), short(faults.infinite))
  }

  /// A linear gain in dB, within what meters read.
  static func decibels(_ gain: Float) -> Float {
    guard gain > 0 else { return gain.isNaN ? highestDB : silenceDB }
    return min(max(20 * log10f(gain), silenceDB), highestDB)
  }

  private static func writeAddress(
    of place: MeterTally.Place, _ shape: MatrixShape, at start: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var end = 0
    func put(_ text: StaticString) {
      text.withUTF8Buffer {
        for byte in $0 {
          start[end] = byte
          end += 1
        }
      }
    }
    func put(_ number: Int) {
      var divisor = 1
      while number / divisor >= 10 { divisor *= 10 }
      while divisor > 0 {
        start[end] = UInt8(ascii: "0") + UInt8(number / divisor % 10)
        end += 1
        divisor /= 10
      }
    }
    switch place {
    case .channel(let point, let channel):
      put(point.isOfInputs ? "/matrix/in/" : "/matrix/out/")
      put(channel)
      put(point == .inputPre || point == .outputPre ? "/meter/pre" : "/meter/post")
    case .crosspoint(let gain):
      put("/matrix/in/")
      put(Int(gain.index) / shape.outputs)
      put("/out/")
      put(Int(gain.index) % shape.outputs)
      put("/meter")
    }
    return end
  }
}

import Control
import Messages
import OSC

/// The configuration, read again while the show goes on.
///
/// It is taken as a whole or not at all. Levels, switches and names stay: its address lines are for
/// the start. What a router cannot change while it runs is named and takes effect at the next start.
extension RouterSession {
  /// Begins to read the configuration again; the thread of files does so.
  func reload(for source: Source) {
    guard let configuration = options.source else {
      reloading.append(source)
      return refuseReload(
        "There is no configuration or mapping to read again; start with --config or --map.")
    }
    guard reloading.isEmpty else {
      // It may have been read already: read it once more, for all who have come meanwhile.
      if !reloadWishes.contains(source) { reloadWishes.append(source) }
      return
    }
    reloading = [source]
    let running = device.shape
    files.submit {
      do throws(OptionError) {
        let options = try configuration.options(CommandLineFiles.readAgain)
        try StartMessages.check(options, options.mixer(try options.shape(orElse: running)))
        return .configuration(options)
      } catch {
        return .noConfiguration(error.description)
      }
    }
  }

  /// Takes a sound configuration.
  func finishReload(with read: RunOptions) {
    do throws(Refusal) {
      try surface.setClients(read.clients, nowNanoseconds: RouterClock.monotonic)
    } catch {
      return refuseReload(ended(error.text))
    }
    reloads += 1
    let subject = options.source?.subject ?? "The configuration"
    var sentence = "\(subject) was read again."
    let now = read.namesForReload(against: options)
    if !now.isEmpty { sentence += " In effect now: \(now.joined(separator: ", "))." }
    // Somebody may have saved the file before it was whole.
    let isOpened = read.allow.isEmpty && !options.allow.isEmpty
    if isOpened { sentence += " Everybody may send now, because it allows nobody in particular." }
    let later = read.namesForRestart(against: options)
    if !later.isEmpty {
      sentence += " At the next start come into effect: \(later.joined(separator: ", "))."
    }
    if read.addressLines != options.addressLines {
      sentence += " Its address lines are for the start and were not applied."
    }
    apply(read)
    if isOpened { warn(sentence, cause: "reload") } else { tell(sentence, cause: "reload") }
    endReload()
  }

  /// Leaves everything as it is, and says why.
  func refuseReload(_ sentence: String) {
    refusedReloads += 1
    log.say(
      "\(sentence) Everything stays as it was.", .error, cause: "reload",
      nowNanoseconds: RouterClock.monotonic)
    for source in reloading where source != .local {
      hub.refuse("/config/reload", .value, sentence, to: source)
    }
    endReload()
  }

  private func endReload() {
    reloading = []
    let wishes = reloadWishes
    reloadWishes = []
    for source in wishes { reload(for: source) }
  }

  /// Puts into force what can be changed while the router runs.
  ///
  /// Nothing here can fail: what can be wrong is found before.
  func apply(_ read: RunOptions) {
    server.allowedRanges = read.allow.compactMap { try? AddressRange($0) }
    log.level = read.logLevel
    showMeters(read.printsMeters)
    if read.mappings != options.mappings {
      noteInactiveOptions(of: read.mappings)
      midi?.setMappings(read.mappings)
      options.mappings = read.mappings
    }
    // Also the way to ask for it, where a device has lost what it showed.
    midi?.refresh()
    options.allow = read.allow
    options.clients = read.clients
    options.logLevel = read.logLevel
    options.printsMeters = read.printsMeters
    options.waitsForDevice = read.waitsForDevice
    options.addressLines = read.addressLines
  }
}

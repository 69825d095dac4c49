import Control
import MatrixCore
import Messages
import Testing

@Suite struct FadeControlTests {
  private let crosspoint = "/matrix/in/0/out/1"

  @Test("A query answers where a fade ends, now where it has got to")
  func travelling() throws {
    let rig = try Rig()
    rig.send(crosspoint, .float(1), .float(1_000), .string("lin"))
    #expect(rig.read(crosspoint) == 1)
    #expect(rig.read(crosspoint + "/now") == 0)
    rig.advance(seconds: 0.25)
    #expect(rig.read(crosspoint) == 1)
    #expect(rig.read(crosspoint + "/now") == 0.25)
    rig.advance(seconds: 1)
    #expect(rig.read(crosspoint + "/now") == 1)
  }

  @Test("A newer message ends a fade and starts from the travelling value")
  func retarget() throws {
    let rig = try Rig()
    rig.send(crosspoint, .float(1), .float(1_000), .string("lin"))
    _ = rig.commands()
    rig.advance(seconds: 0.5)
    rig.send(crosspoint, .float(0), .float(500), .string("lin"))
    let fade = try #require(rig.commands().first).fade
    #expect(
      fade
        == Fade(startFrame: 24_000, start: 0.5, end: 0, durationFrames: 24_000, curve: .linear))
    rig.send(crosspoint, .float(1))
    #expect(try #require(rig.commands().first).fade == Fade(steady: 1))
  }

  @Test("Writing back the end of a running fade goes there at once, or over its own duration")
  func writeBackDuringFade() throws {
    let rig = try Rig()
    rig.send(crosspoint, .double(0.123_456_789_012), .float(1_000), .string("lin"))
    _ = rig.commands()
    rig.advance(seconds: 0.5)
    let reading = try #require(rig.read(crosspoint + "/db"))
    rig.send(crosspoint + "/db", .float(reading), .float(2_000), .string("lin"))
    var fade = try #require(rig.commands().first).fade
    #expect(fade.end == 0.123_456_789_012)
    #expect(fade.durationFrames == 96_000)
    #expect(fade.startFrame == 24_000)
    rig.send(crosspoint + "/db", .float(reading))
    fade = try #require(rig.commands().first).fade
    #expect(fade == Fade(steady: 0.123_456_789_012))
    #expect(rig.hub.revision == 1)
  }

  @Test("Stop and touch end a fade where it is")
  func stops() throws {
    for (word, argument): (String, Argument?) in [
      ("/stop", nil), ("/stop", .int32(1)), ("/touch", .int32(1)), ("/nudge", .float(0)),
    ] {
      let rig = try Rig()
      rig.send(crosspoint, .float(1), .float(1_000), .string("lin"))
      rig.advance(seconds: 0.25)
      if let argument {
        rig.send(crosspoint + word, argument)
      } else {
        rig.send(crosspoint + word)
      }
      #expect(rig.replies().isEmpty)
      #expect(rig.read(crosspoint) == 0.25)
      #expect(rig.commands().last?.fade == Fade(steady: 0.25))
      rig.send(crosspoint + "/stop")
      #expect(rig.commands().isEmpty)
    }
  }

  @Test("A stop that is a button's release does nothing, and is counted")
  func stopRelease() throws {
    let rig = try Rig()
    rig.send(crosspoint, .float(1), .float(1_000), .string("lin"))
    rig.advance(seconds: 0.25)
    rig.send(crosspoint + "/stop", .float(0))
    #expect(rig.read(crosspoint) == 1)
    #expect(rig.hub.counters.ignoredReleases == 1)
  }

  @Test("Hands are counted per client, and go with it")
  func touch() throws {
    let rig = try Rig()
    let gain = rig.shape.crosspoint(input: 0, output: 1)
    rig.send(crosspoint + "/touch", .int32(1), from: .client(1))
    rig.send(crosspoint + "/touch", .int32(1), from: .client(2))
    rig.send(crosspoint + "/touch", .int32(0), from: .client(1))
    #expect(rig.hub.isTouched(gain))
    #expect(rig.read(crosspoint + "/touch") == 1)
    rig.hub.forget(.client(2))
    #expect(!rig.hub.isTouched(gain))
    #expect(rig.read(crosspoint + "/touch") == 0)
  }

  @Test("A nudge changes by decibels, from -60 when off, down to off and up to the top")
  func nudge() throws {
    let rig = try Rig()
    let nudge = crosspoint + "/nudge"
    rig.send(nudge, .float(-3))
    #expect(rig.level(0, 1) == 0)
    rig.send(nudge, .float(3))
    #expect(rig.read(crosspoint + "/db") == -57)
    rig.send(nudge, .float(-3))
    #expect(rig.read(crosspoint + "/db") == -60)
    rig.send(nudge, .float(-60))
    #expect(rig.level(0, 1) == 0)
    rig.send(crosspoint + "/db", .float(8))
    rig.send(nudge, .float(2))
    #expect(rig.replies().isEmpty)
    rig.send(nudge, .float(1.5))
    #expect(rig.replies() == [Reply(source: .client(1), address: nudge, arguments: [.float(0)])])
    #expect(rig.level(0, 1) == Level.maximum)
    rig.send(crosspoint + "/db", .float(8))
    rig.send(nudge, .float(3))
    let taken = try #require(rig.replies().first).arguments[0].number ?? 0
    #expect(abs(taken - 2) < 1e-5)
    for (arguments, code): ([Argument], String) in [
      ([], "count"), ([.float(1), .float(1), .string("db")], "count"), ([.string("1")], "type"),
    ] {
      var batch = MessageBatch()
      batch.append(address: nudge, arguments: arguments)
      rig.perform(batch)
      #expect(rig.errorCode() == code)
    }
  }

  @Test("A nudge during a fade starts from the travelling value")
  func nudgeDuringFade() throws {
    let rig = try Rig()
    rig.send(crosspoint, .float(1), .float(1_000), .string("lin"))
    rig.advance(seconds: 0.1)
    rig.send(crosspoint + "/nudge", .float(20), .float(100))
    let fade = try #require(rig.commands().last).fade
    #expect(abs(fade.start - 0.1) < 1e-12)
    #expect(abs(fade.end - 1) < 1e-9)
    #expect(fade.durationFrames == 4_800)
  }

  @Test("Durations are clamped to 0 ms and an hour, without a word")
  func durations() throws {
    let rig = try Rig()
    rig.send(crosspoint, .float(1), .double(1e12))
    #expect(try #require(rig.commands().first).fade.durationFrames == 3_600 * 48_000)
    rig.send(crosspoint, .float(0.5), .float(-5))
    #expect(try #require(rig.commands().first).fade == Fade(steady: 0.5))
    #expect(rig.replies().isEmpty)
  }
}

import Glibc
import Testing

@Suite("Bundles and time tags, over the wire")
struct BundleCases {
  let router = Rig.router()

  @Test("BT-02: a tag that has passed, 0 and 1 mean now")
  func immediate() {
    let client = router.client
    for (tag, gain) in [(Rig.tag(secondsFromNow: -10), 0.25), (0, 0.5), (1, 0.75)] {
      client.send(Wire.bundle(tag, [Wire.message(Rig.a, .f(Float(gain)))]))
      #expect(client.number(Rig.a) == gain)
    }
  }

  @Test("BT-03: an inner bundle has its own time, never before its outer's")
  func nested() {
    let client = router.client
    client.send(
      Wire.bundle(
        1,
        [
          Wire.message(Rig.a, .f(0.25)),
          Wire.bundle(Rig.tag(secondsFromNow: 0.3), [Wire.message(Rig.a, .f(0.5))]),
        ]))
    #expect(client.number(Rig.a) == 0.25)
    #expect(Rig.reaches(client, Rig.a, 0.5, milliseconds: 1_000))
    client.send(
      Wire.bundle(
        Rig.tag(secondsFromNow: 0.3), [Wire.bundle(1, [Wire.message(Rig.a, .f(0.75))])]))
    #expect(client.number(Rig.a) == 0.5)
    #expect(Rig.reaches(client, Rig.a, 0.75, milliseconds: 1_000))
  }

  @Test("BT-05: equal tags keep the order in which they came")
  func order() {
    let client = router.client
    for _ in 0..<20 {
      client.send(Rig.a, .f(0))
      let tag = Rig.tag(secondsFromNow: 0.03)
      let messages = (1...9).map { Wire.message(Rig.a, .f(Float($0) / 10)) }
      client.send(Wire.bundle(tag, messages))
      for message in messages { client.send(Wire.bundle(tag, [message])) }
      #expect(Rig.reaches(client, Rig.a, 0.9, milliseconds: 1_000))
    }
  }

  @Test("BT-06: a bundle of one is a message; one of none is nothing")
  func one() {
    let client = router.client
    client.send(Wire.bundle(1, [Wire.message(Rig.a, .f(0.5))]))
    client.send(Wire.bundle(1, []))
    #expect(client.number(Rig.a) == 0.5)
  }

  @Test("A tag more than a minute ahead is refused and said")
  func horizon() {
    let client = router.client
    client.send(Wire.bundle(Rig.tag(secondsFromNow: 90), [Wire.message(Rig.a, .f(0.5))]))
    #expect(client.receive()?.texts.contains("time") == true)
    #expect(client.number(Rig.a) == 0)
  }
}

import Testing

@Suite("OSC argument types, over the wire")
struct ArgumentCases {
  let router = Rig.router()
  var client: OSCClient { router.client }

  @Test("OT-01, OT-02, OT-03: a number of any numeric type is the same gain, zero too")
  func numbers() {
    let client = client
    let wanted: [(Wire.Item, Double)] = [
      (.i(1), 1), (.i(0), 0), (.h(1), 1), (.h(0), 0), (.d(0.5), 0.5), (.f(-0.0), 0), (.f(0.5), 0.5),
      (.t, 1), (.u, 0),
    ]
    for (item, gain) in wanted {
      client.send(Rig.a, .f(0.75))
      client.send(Rig.a, item)
      #expect(client.number(Rig.a) == gain, "\(item)")
    }
  }

  @Test("OT-04: T and F switch mutes and set gains, and shift no later argument")
  func switches() {
    let client = client
    client.send("/matrix/in/0/mute", .t)
    #expect(client.number("/matrix/in/0/mute") == 1)
    client.send("/matrix/in/0/mute", .u)
    #expect(client.number("/matrix/in/0/mute") == 0)
    client.send("/matrix/row/0", .f(0.25), .t, .f(0.75))
    #expect(client.ask("/matrix/row/0")?.numbers.prefix(3) == [0.25, 1, 0.75])
  }

  @Test("OT-05: a message without a type string changes nothing and is counted")
  func noTypeString() {
    let client = client
    client.send(Rig.a, .f(0.25))
    let before = client.status("malformed_datagrams")
    client.send(Wire.padded(Rig.a) + [0x3f, 0, 0, 0])
    #expect(client.number(Rig.a) == 0.25)
    let after = client.status("malformed_datagrams")
    guard case .number(let first) = before, case .number(let second) = after else {
      Issue.record("the status lists malformed datagrams")
      return
    }
    #expect(second == first + 1)
    client.send(Wire.padded(Rig.a))
    #expect(client.receive() == Wire.Answer(address: Rig.a, tags: "f", values: [.number(0.25)]))
  }

  @Test("OT-06: a row takes all of its values")
  func row() {
    let client = client
    client.send("/matrix/row/0", .f(0.25), .f(0.5), .f(0.75))
    #expect(client.ask("/matrix/row/0")?.numbers.prefix(4) == [0.25, 0.5, 0.75, 0])
  }

  @Test("OT-07, OT-08, OT-10: what does not fit is refused whole, and said")
  func refused() {
    let client = client
    client.send(Rig.a, .f(0.375))
    let wrong: [[UInt8]] = [
      Wire.message(Rig.a, .s("0.5")), Wire.message(Rig.a, .s("0,5")),
      Wire.message(Rig.a, .s("nan")),
      Wire.message(Rig.a, .s("1e400")), Wire.message(Rig.a, .s("")),
      Wire.message(Rig.a, .f(0.1), .f(10), .s("lin"), .f(1)),
      Wire.message(Rig.a, .f(0.1), .s("loud")),
      Wire.message(Rig.a, .b([1, 2, 3])), Wire.message(Rig.a, .f(.nan)),
      Wire.message(Rig.a, .f(.infinity)),
      Wire.message(Rig.a, .d(-.infinity)),
    ]
    for packet in wrong {
      // Somebody new each time, because one sender is told about ten errors a second.
      let sender = router.client
      sender.send(packet)
      #expect(sender.receive()?.address == "/error")
      #expect(client.number(Rig.a) == 0.375)
    }
    client.send(
      Wire.padded(Rig.a) + Wire.padded(",fq") + Wire.bigEndian(Float(0.9).bitPattern) + [
        1, 2, 3, 4,
      ])
    client.send(Wire.padded(Rig.a) + Wire.padded(",q"))
    #expect(client.number(Rig.a) == 0.375)
  }

  @Test("OT-09: indices may be integers or floats")
  func indices() {
    let client = client
    for items: [Wire.Item] in [
      [.i(0), .i(1), .f(0.5)], [.i(0), .i(1), .i(1)], [.f(0), .f(1), .f(0.5)],
    ] {
      client.send(Rig.a, .f(0.1))
      client.send(Wire.message("/matrix/set", items))
      #expect(client.number(Rig.a) == (items[2].tag == "i" ? 1 : 0.5))
    }
    client.send(Wire.message("/matrix/set", [.f(0.5), .i(1), .f(0.9)]))
    #expect(client.receive()?.address == "/error")
    #expect(client.number(Rig.a) == 0.5)
  }

  @Test("GD-05, GD-07: no message can make a gain that is not finite, negative or too loud")
  func gains() {
    let client = client
    client.send(Rig.a, .f(-0.5))
    #expect(client.receive() == Wire.Answer(address: Rig.a, tags: "f", values: [.number(0)]))
    client.send(Rig.a, .f(4))
    let top = Double(Float(3.162_277_660_168_379_5))
    #expect(client.receive() == Wire.Answer(address: Rig.a, tags: "f", values: [.number(top)]))
    client.send(Rig.a, .f(1e9))
    #expect(client.receive()?.texts.prefix(2) == [Rig.a, "range"])
    #expect(
      client.number(Rig.a) == 1, "who raised it above unity and then sent percent finds it at unity"
    )
    client.send("/matrix/master/gain", .f(-1))
    #expect(client.number("/matrix/master/gain") == 0)
    client.send(Wire.message(Rig.a + "/db", .f(-.infinity)))
    #expect(client.number(Rig.a + "/db") == -120)
  }
}

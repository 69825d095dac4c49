import Testing

@Suite("Address patterns, over the wire")
struct PatternCases {
  let router = Rig.router()

  func hits(_ client: OSCClient, _ address: [UInt8]) -> Set<[Int]> {
    client.send("/matrix/clear")
    client.send(Wire.padded(address) + Wire.padded(",f") + Wire.bigEndian(Float(0.5).bitPattern))
    return Rig.connections(client)
  }

  @Test("PM-01, PM-02, PM-03, PM-05: a pattern hits whole parts, each once, in any order")
  func hitting() {
    let client = router.client
    let cases: [(String, Set<[Int]>)] = [
      ("/matrix/in/*/out/1", Set((0..<16).map { [$0, 1] })),
      ("/matrix/in/{15,1}/out/0", [[15, 0], [1, 0]]),
      ("/matrix/in/{1,15}/out/0", [[15, 0], [1, 0]]),
      ("/matrix/in/{1,1,1}/out/0", [[1, 0]]),
      ("/matrix/in/?/out/0", Set((0..<10).map { [$0, 0] })),
      ("/matrix/in/[0-3]/out/0", Set((0..<4).map { [$0, 0] })),
      ("/matrix/in/[!0-3]/out/0", Set((4..<10).map { [$0, 0] })),
      ("/matrix/in/1?/out/0", Set((10..<16).map { [$0, 0] })),
      ("/matrix/in/[2-3]/out/7", [[2, 7], [3, 7]]),
      ("/m*x/i?/1{4,5}/o[u]t/*5/gain", [[14, 5], [14, 15], [15, 5], [15, 15]]),
    ]
    for (pattern, wanted) in cases {
      #expect(hits(client, Array(pattern.utf8)) == wanted, "\(pattern)")
    }
  }

  @Test("PM-06: unbalanced brackets match nothing and cost nothing")
  func unbalanced() {
    let client = router.client
    let stars = String(repeating: "*", count: 2_000)
    for pattern in [
      "/matrix/in/{0/out/1", "/matrix/in/[0-/out/1", "/matrix/in/{0,1,/out/1", "/matrix/in/]/out/1",
      "/matrix/in/\(stars)x/out/1", "/matrix/in/*", "/matrix/*/out/1", "/*",
    ] {
      #expect(hits(client, Array(pattern.utf8)) == [], "\(pattern.prefix(40))")
    }
    #expect(hits(client, Array("/matrix/in/\(stars)/out/1".utf8)).count == 16)
  }

  @Test("PM-07: an index is decimal digits without sign, space or leading zero")
  func indices() {
    let client = router.client
    let wrong: [[UInt8]] =
      [
        "16", "99", "-1", "00", "015", "4294967296", "4294967311", "18446744073709551631", "0x1",
        " 1", "1 ",
        "+1", "1.0", "1e0", "",
      ].map { Array($0.utf8) } + [[0xd9, 0xa1], [0xff], [0xc0, 0xb1]]
    for index in wrong {
      let address = Array("/matrix/in/".utf8) + index + Array("/out/0".utf8)
      #expect(hits(client, address) == [], "\(index)")
    }
    #expect(hits(client, Array("/matrix/in/15/out/0".utf8)) == [[15, 0]])
  }
}

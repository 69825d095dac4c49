import Testing

@Suite("Mistakes in addresses")
struct AddressMistakeTests {
  @Test(
    "A mistake in an address is told at its part, with the nearest known word",
    arguments: Mistake.table(
      #"""
      cc 1
        2:5: found the end of the line, expected an address such as /matrix/in/0/fader.
      cc 1 matrix/in/0/fader
        2:6: found "matrix/in/0/fader", expected an address such as /matrix/in/0/fader.
      cc 1 "/matrix/in/0/fader"
        2:6: found "/matrix/in/0/fader", expected an address such as /matrix/in/0/fader, without quotes.
      cc 1 /matrx/in/0/fader
        2:7: found "matrx", expected matrix, scene, undo, redo, ping, info, engine or config, perhaps matrix.
      cc 1 /matrix/in/0/fadr
        2:19: found "fadr", expected out, gain, db, fader, nudge, mute, solo, solosafe, phase, name, now, stop, touch, pair or meter, perhaps fader.
      cc 1 /matrix/in/0/volume
        2:19: found "volume", expected out, gain, db, fader, nudge, mute, solo, solosafe, phase, name, now, stop, touch, pair or meter.
      cc 1 /Matrix/in/0/fader
        2:7: found "Matrix", expected matrix, scene, undo, redo, ping, info, engine or config, perhaps matrix.
      cc 1 /matrix/in/512/fader
        2:17: found "512", expected an input from 0 to 511 or its name.
      cc 1 /matrix/in/01/fader
        2:17: found "01", expected an input from 0 to 511 or its name.
      cc 1 /matrix/in/-1/fader
        2:17: found "-1", expected an input from 0 to 511 or its name.
      cc 1 /matrix/in/Vox/fader
        2:17: found "Vox", expected an input from 0 to 511 or its name.
      cc 1 /matrix/in/0/out/X/fader
        2:23: found "X", expected an output from 0 to 511 or its name.
      cc 1 /matrix
        2:13: found the end of the address, expected / and in, out, master, group, set, row, col, all, clear, identity, solo, dimensions or levels.
      cc 1 /matrix/in/0
        2:18: found the end of the address, expected / and out, gain, db, fader, nudge, mute, solo, solosafe, phase, name, now, stop, touch, pair or meter.
      cc 1 /matrix/in/0/
        2:19: found nothing behind a slash, expected out, gain, db, fader, nudge, mute, solo, solosafe, phase, name, now, stop, touch, pair or meter.
      cc 1 /
        2:7: found nothing behind a slash, expected matrix, scene, undo, redo, ping, info, engine or config.
      cc 1 /matrix//0/fader
        2:14: found nothing behind a slash, expected in, out, master, group, set, row, col, all, clear, identity, solo, dimensions or levels.
      cc 1 /matrix/in/[a/́]/gain
        2:20: found "́]", expected a pattern that meets out, gain, db, fader, nudge, mute, solo, solosafe, phase, name, now, stop, touch, pair or meter.
      cc 1 /matrix/in/0/fader/x
        2:25: found "x", expected the end of the address.
      cc 1 /matrix/in/[A-C]/fader
        2:17: found "[A-C]", expected a pattern that meets an input from 0 to 511 or its name.
      cc 1 /matrix/in/{0,1/fader
        2:17: found "{0,1", expected a pattern that meets an input from 0 to 511 or its name.
      cc 1 /matrix/in/0/f*x
        2:19: found "f*x", expected a pattern that meets out, gain, db, fader, nudge, mute, solo, solosafe, phase, name, now, stop, touch, pair or meter.
      cc 1 /matrix/in/*/*
        2:19: found a pattern for /matrix/in/{i}/gain and /matrix/in/{i}/db, expected a pattern that meets one kind of thing.
      cc 1 /matrix/*/clear
        2:16: found a pattern for a trigger, expected its address written out, because patterns do not meet triggers.
      cc 1 /matrix/clea?
        2:14: found a pattern for a trigger, expected its address written out, because patterns do not meet triggers.
      cc 1 /engine/status
        2:14: found "status", expected what can be set, because /engine/status can only be asked.
      cc 1 /matrix/in/0/now
        2:19: found "now", expected what can be set, because /matrix/in/{i}/now can only be asked.
      cc 1 /matrix/in/0/fader /matrix/in/1/fader
        2:25: found "/matrix/in/1/fader", expected an option, or a comma behind the address before it.
      cc 1 /matrix/in/0/fader , /matrix/in/1/fader
        2:25: found ",", expected an option, or the comma right behind the address.
      cc 1 /matrix/in/0/fader,/matrix/in/1/fader
        2:24: found a comma inside an address, expected a space behind it and then another address.
      cc 1 /matrix/in/0/fader,
        2:25: found the end of the line, expected another address behind the comma.
      cc 1 /matrix/in/0/fader, pickup
        2:26: found "pickup", expected another address behind the comma.
      cc 1 /matrix/in/0/fader, /matrix/in/0/fader
        2:26: found "/matrix/in/0/fader", expected each address once in a line.
      """#))
  func address(mistake: Mistake) {
    #expect(refusal(Array(mistake.text.utf8)) == mistake.sentence)
  }
}

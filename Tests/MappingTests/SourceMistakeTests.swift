import Testing

@Suite("Mistakes in devices, channels and sources")
struct SourceMistakeTests {
  @Test(
    "A mistake in a device line is told with its place",
    arguments: Mistake.table(
      #"""
      devce box
        1:1: found "devce", expected device and the name of a device, such as device "nanoKONTROL2*", perhaps device.
      cc 1 /matrix/in/0/fader
        1:1: found "cc", expected device and the name of a device, such as device "nanoKONTROL2*".
      "device" box
        1:1: found "device", expected device and the name of a device, such as device "nanoKONTROL2*", without quotes.
      device
        1:7: found the end of the line, expected the name of a device, such as "nanoKONTROL2*".
      device ""
        1:8: found "", expected the name of a device, such as "nanoKONTROL2*".
      device "  "
        1:8: found "  ", expected the name of a device, such as "nanoKONTROL2*".
      device box\n# nothing\n
        1:1: found a device without lines, expected lines for it below, such as cc 7 /matrix/in/0/fader.
      device box\ndevice other\ncc 1 /matrix/in/0/fader
        1:1: found a device without lines, expected lines for it below, such as cc 7 /matrix/in/0/fader.
      device nano MIDI 1
        1:13: found "MIDI", expected port, nth or the end of the line, with quotes around a name that has spaces.
      device box prt 1
        1:12: found "prt", expected port, nth or the end of the line, with quotes around a name that has spaces, perhaps port.
      device box port
        1:16: found the end of the line, expected the number of a port from 0 to 255, or its name.
      device box port 256
        1:17: found "256", expected the number of a port from 0 to 255.
      device box port 1.5
        1:17: found "1.5", expected the number of a port from 0 to 255.
      device box port ""
        1:17: found "", expected the number of a port from 0 to 255, or its name.
      device box nth
        1:15: found the end of the line, expected which of several devices, from 1 to 64.
      device box nth 0
        1:16: found "0", expected which of several devices, from 1 to 64.
      device box nth two
        1:16: found "two", expected which of several devices, from 1 to 64.
      device box nth 1 port 0 nth 2
        1:25: found "nth", expected nth only once; it stands at column 12.
      device box port 0 port 1
        1:19: found "port", expected port only once; it stands at column 12.
      device “box”
        1:8: found the typographic quote “, expected a straight quote.

        1:1: found a mapping without lines, expected device and the name of a device, such as device "nanoKONTROL2*".
      """#, below: ""))
  func device(mistake: Mistake) {
    #expect(refusal(Array(mistake.text.utf8)) == mistake.sentence)
  }

  @Test(
    "MI-14: a channel is 1 to 16, and any other is refused with its line",
    arguments: Mistake.table(
      #"""
      ch
        2:3: found the end of the line, expected a channel from 1 to 16, or steps such as <1-8>.
      ch 0 cc 7 /matrix/in/0/fader
        2:4: found "0", expected a channel from 1 to 16, or steps such as <1-8>.
      ch 17 cc 7 /matrix/in/0/fader
        2:4: found "17", expected a channel from 1 to 16, or steps such as <1-8>.
      ch -1 cc 7 /matrix/in/0/fader
        2:4: found "-1", expected a channel from 1 to 16, or steps such as <1-8>.
      ch <0-7> cc 7 /matrix/in/0/fader
        2:4: found "<0-7>", expected a channel from 1 to 16, or steps such as <1-8>.
      ch <9-17> cc 7 /matrix/in/0/fader
        2:4: found "<9-17>", expected a channel from 1 to 16, or steps such as <1-8>.
      ch any cc 7 /matrix/in/0/fader
        2:4: found "any", expected a channel from 1 to 16, or steps such as <1-8>.
      ch "1" cc 7 /matrix/in/0/fader
        2:4: found "1", expected a channel from 1 to 16, or steps such as <1-8>, without quotes.
      ch 01 cc 7 /matrix/in/0/fader
        2:4: found "01", expected a channel from 1 to 16, or steps such as <1-8>.
      ch 1
        2:5: found the end of the line, expected a source (cc, cc14, nrpn, rpn, note, bend, pressure or program).
      ch 1 ch 2 cc 7 /matrix/in/0/fader
        2:6: found "ch", expected a source (cc, cc14, nrpn, rpn, note, bend, pressure or program), perhaps cc.
      """#))
  func channel(mistake: Mistake) {
    #expect(refusal(Array(mistake.text.utf8)) == mistake.sentence)
  }

  @Test(
    "A mistake in a source is told with its place and the nearest known word",
    arguments: Mistake.table(
      #"""
      cx 7 /matrix/in/0/fader
        2:1: found "cx", expected cc, cc14, nrpn, rpn, note, bend, pressure, program, ch or device, perhaps cc.
      noet 7 /matrix/in/0/fader
        2:1: found "noet", expected cc, cc14, nrpn, rpn, note, bend, pressure, program, ch or device, perhaps note.
      CC 7 /matrix/in/0/fader
        2:1: found "CC", expected cc, cc14, nrpn, rpn, note, bend, pressure, program, ch or device, perhaps cc.
      "cc" 7 /matrix/in/0/fader
        2:1: found "cc", expected cc, cc14, nrpn, rpn, note, bend, pressure, program, ch or device, without quotes.
      ch 1 c 7 /matrix/in/0/fader
        2:6: found "c", expected a source (cc, cc14, nrpn, rpn, note, bend, pressure or program), perhaps cc.
      xyzzy
        2:1: found "xyzzy", expected cc, cc14, nrpn, rpn, note, bend, pressure, program, ch or device.
      7 /matrix/in/0/fader
        2:1: found "7", expected cc, cc14, nrpn, rpn, note, bend, pressure, program, ch or device.
      /matrix/in/0/fader cc 7
        2:1: found "/matrix/in/0/fader", expected cc, cc14, nrpn, rpn, note, bend, pressure, program, ch or device.
      cc
        2:3: found the end of the line, expected a controller from 0 to 127, or steps such as <0-7>.
      cc /matrix/in/0/fader
        2:4: found "/matrix/in/0/fader", expected a controller from 0 to 127, or steps such as <0-7>.
      cc 128 /matrix/in/0/fader
        2:4: found "128", expected a controller from 0 to 127, or steps such as <0-7>.
      cc 7.0 /matrix/in/0/fader
        2:4: found "7.0", expected a controller from 0 to 127, or steps such as <0-7>.
      cc 0x7 /matrix/in/0/fader
        2:4: found "0x7", expected a controller from 0 to 127, or steps such as <0-7>.
      cc "7" /matrix/in/0/fader
        2:4: found "7", expected a controller from 0 to 127, or steps such as <0-7>, without quotes.
      cc <0-128> /matrix/in/0/fader
        2:4: found "<0-128>", expected a controller from 0 to 127, or steps such as <0-7>.
      cc14 1 /matrix/in/0/fader
        2:6: found "1", expected two controllers from 0 to 127 such as 1/33 or <0-7>/<32-39>.
      cc14 1/128 /matrix/in/0/fader
        2:6: found "1/128", expected two controllers from 0 to 127 such as 1/33 or <0-7>/<32-39>.
      cc14 1/1 /matrix/in/0/fader
        2:6: found "1/1", expected two different controllers.
      cc14 <0-2>/<2-0> /matrix/in/<0-2>/fader
        2:6: found "<0-2>/<2-0>", expected two different controllers.
      cc14 <0-3>/<32-34> /matrix/in/<0-3>/fader
        2:12: found 3 steps in <32-34>, expected 4 as in <0-3>.
      nrpn 16384 /matrix/in/0/fader
        2:6: found "16384", expected a parameter from 0 to 16383, or steps such as <0-7>.
      rpn
        2:4: found the end of the line, expected a parameter from 0 to 16383, or steps such as <0-7>.
      note 128 /matrix/in/0/mute
        2:6: found "128", expected a note from 0 to 127, or steps such as <0-7>.
      program 128 /matrix/in/0/mute
        2:9: found "128", expected a program from 0 to 127, or steps such as <0-7>.
      bend 1 /matrix/in/0/fader
        2:6: found "1", expected an address such as /matrix/in/0/fader.
      pressure <0-7> /matrix/in/0/fader
        2:10: found "<0-7>", expected an address such as /matrix/in/0/fader.
      """#))
  func source(mistake: Mistake) {
    #expect(refusal(Array(mistake.text.utf8)) == mistake.sentence)
  }

  @Test(
    "Steps that are unequal, broken or alone are told with their place",
    arguments: Mistake.table(
      #"""
      cc <0-7 /matrix/in/<0-7>/fader
        2:4: found "<0-7", expected a controller from 0 to 127, or steps such as <0-7>.
      cc <0,7> /matrix/in/<0-7>/fader
        2:4: found "<0,7>", expected a controller from 0 to 127, or steps such as <0-7>.
      cc <0-7> /matrix/in/<0-/fader
        2:21: found "<0-/fader", expected steps such as <0-7>.
      cc <0-7> /matrix/in/<07-0>/fader
        2:21: found "<07-0>/fader", expected steps such as <0-7>.
      cc <0-7> /matrix/in/<0-6>/fader
        2:21: found 7 steps in <0-6>, expected 8 as in <0-7>.
      ch <1-4> cc <0-7> /matrix/in/0/fader
        2:13: found 8 steps in <0-7>, expected 4 as in <1-4>.
      cc <0-7> /matrix/in/<0-7>/out/<0-8>/fader
        2:31: found 9 steps in <0-8>, expected 8 as in <0-7>.
      cc <0-1> /matrix/in/<0-1>/mute feedback note <0-2>
        2:46: found 3 steps in <0-2>, expected 2 as in <0-1>.
      cc 1 /matrix/in/<0-6>/fader
        2:17: found <0-6> in an address alone, expected steps behind cc or ch too, or one pattern such as [0-7].
      cc <0-7> /matrix/in/<508-515>/fader
        2:21: found "512", expected an input from 0 to 511.
      cc <0-15> /matrix/in/0/out/<511-526>/fader
        2:28: found "512", expected an output from 0 to 511.
      """#))
  func steps(mistake: Mistake) {
    #expect(refusal(Array(mistake.text.utf8)) == mistake.sentence)
  }

  @Test(
    "RT-09: the same source twice is an error that names the other line",
    arguments: Mistake.table(
      #"""
      cc 1 /matrix/in/0/fader\ncc 1 /matrix/in/1/fader
        3:1: found "cc 1" a second time, expected each source once for a device; line 2 has it.
      cc 1 /matrix/in/0/fader\nch 3 cc 1 /matrix/in/1/fader
        3:6: found "ch 3 cc 1" a second time, expected each source once for a device; line 2 has it.
      ch 3 cc 1 /matrix/in/0/fader\n\ncc 1 /matrix/in/1/fader
        4:1: found "cc 1" a second time, expected each source once for a device; line 2 has it.
      cc <0-7> /matrix/in/<0-7>/fader\nch <1-8> cc 7 /matrix/in/<0-7>/gain
        3:10: found "ch 1 cc 7" a second time, expected each source once for a device; line 2 has it.
      cc 1 /matrix/in/0/mute\ncc14 <0-1>/<32-33> /matrix/in/<0-1>/fader
        3:1: found "cc14 1/33" a second time, expected each source once for a device; line 2 has it.
      cc14 0/32 /matrix/in/0/fader\ncc 32 /matrix/in/1/fader
        3:1: found "cc 32" a second time, expected each source once for a device; line 2 has it.
      note 1 /matrix/in/0/mute\ndevice BOX\nnote 1 /matrix/in/0/mute
        4:1: found "note 1" a second time, expected each source once for a device; line 2 has it.
      bend /matrix/in/0/fader\nch 1 bend /matrix/in/0/fader
        3:6: found "ch 1 bend" a second time, expected each source once for a device; line 2 has it.
      nrpn 1 /matrix/in/0/fader\nnrpn 1 /matrix/in/0/fader
        3:1: found "nrpn 1" a second time, expected each source once for a device; line 2 has it.
      cc 1 /matrix/in/0/mute, /matrix/in/0/fader\ncc <0-3> /matrix/in/<0-3>/gain
        3:1: found "cc 1" a second time, expected each source once for a device; line 2 has it.
      """#))
  func twice(mistake: Mistake) {
    #expect(refusal(Array(mistake.text.utf8)) == mistake.sentence)
  }
}

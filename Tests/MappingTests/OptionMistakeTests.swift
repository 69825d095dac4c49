import Testing

@Suite("Mistakes in options")
struct OptionMistakeTests {
  @Test(
    "A mistake in an option is told with its place and the nearest known word",
    arguments: Mistake.table(
      #"""
      cc 1 /matrix/in/0/fader pikcup
        2:25: found "pikcup", expected an option (range, taper, max, jump, pickup, scale, gate, toggle, push, relative, step, bank, feedback or set), perhaps pickup.
      cc 1 /matrix/in/0/fader "pickup"
        2:25: found "pickup", expected an option (range, taper, max, jump, pickup, scale, gate, toggle, push, relative, step, bank, feedback or set), without quotes.
      cc 1 /matrix/in/0/fader 5
        2:25: found "5", expected an option (range, taper, max, jump, pickup, scale, gate, toggle, push, relative, step, bank, feedback or set).
      cc 1 /matrix/in/0/fader values 0 1
        2:25: found "values", expected an option (range, taper, max, jump, pickup, scale, gate, toggle, push, relative, step, bank, feedback or set); values and ring stand behind feedback.
      cc 1 /matrix/in/0/fader pickup pickup
        2:32: found "pickup", expected pickup only once; pickup stands at column 25.
      cc 1 /matrix/in/0/fader pickup jump
        2:32: found "jump", expected only one of jump, pickup and scale; pickup stands at column 25.
      cc 1 /matrix/in/0/mute gate push
        2:29: found "push", expected only one of gate, toggle and push; gate stands at column 24.
      cc 1 /matrix/in/0/fader range 0 1 range 0 1
        2:35: found "range", expected range only once; range stands at column 25.
      cc 1 /matrix/in/0/fader range
        2:30: found the end of the line, expected a number for position 0.
      cc 1 /matrix/in/0/fader range 0
        2:32: found the end of the line, expected a number for the highest position.
      cc 1 /matrix/in/0/fader range 0 x
        2:33: found "x", expected a number for the highest position.
      cc 1 /matrix/in/0/fader range 0 "1"
        2:33: found "1", expected a number for the highest position, without quotes.
      cc 1 /matrix/in/0/fader range 0 0,5
        2:33: found "0,5", expected a number for the highest position, written with a dot.
      cc 1 /matrix/in/0/fader range 1 1
        2:33: found "1", expected another number than for position 0.
      cc 1 /matrix/in/0/fader range 0 1.1
        2:33: found "1.1", expected a position from 0 to 1.
      cc 1 /matrix/in/0/gain range -1 1
        2:30: found "-1", expected a linear gain from 0 to 3.162, where 1 is unity.
      cc 1 /matrix/in/0/gain range 0 3.17
        2:32: found "3.17", expected a linear gain from 0 to 3.162, where 1 is unity.
      cc 1 /matrix/in/0/db range -inf 11
        2:33: found "11", expected decibels from -120 to 10.
      cc 1 /config/dim range -61 0
        2:24: found "-61", expected dB from -60 to 0.
      cc 1 /matrix/in/0/fader taper
        2:30: found the end of the line, expected x32, linear, ardour or db.
      cc 1 /matrix/in/0/fader taper x33
        2:31: found "x33", expected x32, linear, ardour or db, perhaps x32.
      cc 1 /matrix/in/0/fader max
        2:28: found the end of the line, expected a highest position from 1 to 127.
      cc 1 /matrix/in/0/fader max 0
        2:29: found "0", expected a highest position from 1 to 127.
      cc 1 /matrix/in/0/fader max 128
        2:29: found "128", expected a highest position from 1 to 127.
      bend /matrix/in/0/fader max 16384
        2:29: found "16384", expected a highest position from 1 to 16383.
      cc 1 /matrix/in/0/fader relative
        2:33: found the end of the line, expected twos, offset64, signmag or signmag-inv.
      cc 1 /matrix/in/0/fader relative two
        2:34: found "two", expected twos, offset64, signmag or signmag-inv, perhaps twos.
      cc 1 /matrix/in/0/fader relative twos step
        2:43: found the end of the line, expected a number that one step changes.
      cc 1 /matrix/in/0/fader relative twos step fast
        2:44: found "fast", expected a number that one step changes.
      cc 1 /matrix/in/0/fader relative twos step 0
        2:44: found "0", expected a step above 0, at most 1.
      cc 1 /matrix/in/0/fader relative twos step 1.5
        2:44: found "1.5", expected a step above 0, at most 1.
      cc 1 /matrix/in/0/nudge relative twos step 41
        2:44: found "41", expected a step above 0, at most 40.
      cc 1 /matrix/in/0/fader bank
        2:29: found the end of the line, expected the name of the bank and how many channels it shows.
      cc 1 /matrix/in/0/fader bank A
        2:31: found the end of the line, expected how many channels the bank shows, from 1 to 512.
      cc 1 /matrix/in/0/fader bank A 0
        2:32: found "0", expected how many channels the bank shows, from 1 to 512.
      cc 1 /matrix/in/0/fader bank "" 8
        2:30: found "", expected the name of the bank, of 1 to 64 bytes.
      cc 1 /matrix/in/0/fader set
        2:28: found the end of the line, expected what a press sends.
      cc 1 /matrix/in/0/fader set 0,5
        2:29: found "0,5", expected a number with a dot, or quotes around a string.
      cc 1 /matrix/in/0/fader set loud
        2:29: found "loud", expected arguments that /matrix/in/0/fader takes: a number is expected, not 's'.
      cc 1 /matrix/in/0/fader set 50
        2:29: found "50", expected arguments that /matrix/in/0/fader takes: 50.0 looks like another unit: this takes a position from 0 to 1.
      cc 1 /matrix/in/0/fader set 0.5 10 db x
        2:29: found "0.5 10 db x", expected arguments that /matrix/in/0/fader takes: a level takes a value, a duration in ms and a curve.
      cc 1 /engine/panic set 0
        2:24: found "0", expected arguments that /engine/panic takes: a number below 0.5 is a button's release and does nothing.
      cc 1 /matrix/set set 1 2
        2:22: found "1 2", expected arguments that /matrix/set takes: this takes triples of input, output and gain.
      cc 1 /matrix/set set 512 0 1
        2:22: found "512 0 1", expected arguments that /matrix/set takes: inputs have the numbers 0 to 511.
      cc 1 /matrix/in/0/name set 5
        2:28: found "5", expected arguments that /matrix/in/0/name takes: a name is a text.
      """#))
  func option(mistake: Mistake) {
    #expect(refusal(Array(mistake.text.utf8)) == mistake.sentence)
  }

  @Test(
    "A mistake in feedback is told with its place and the nearest known word",
    arguments: Mistake.table(
      #"""
      cc 1 /matrix/in/0/mute feedback ccc
        2:33: found "ccc", expected same, none, ch, cc, cc14, nrpn, rpn, note, bend, pressure, program, values, ring or another option, perhaps cc.
      cc 1 /matrix/in/0/mute feedback smae
        2:33: found "smae", expected same, none, ch, cc, cc14, nrpn, rpn, note, bend, pressure, program, values, ring or another option, perhaps same.
      cc 1 /matrix/in/0/mute feedback note
        2:37: found the end of the line, expected a note from 0 to 127, or steps such as <0-7>.
      cc 1 /matrix/in/0/mute feedback ch 0 note 1
        2:36: found "0", expected a channel from 1 to 16, or steps such as <1-8>.
      cc 1 /matrix/in/0/mute feedback ch 1
        2:37: found the end of the line, expected a source (cc, cc14, nrpn, rpn, note, bend, pressure or program).
      cc 1 /matrix/in/0/mute feedback values 0
        2:41: found the end of the line, expected the value for on from 0 to 127.
      cc 1 /matrix/in/0/mute feedback values 0 128
        2:42: found "128", expected the value for on from 0 to 127.
      cc 1 /matrix/in/0/mute feedback values 0 1 128
        2:44: found "128", expected the value for blinking from 0 to 127.
      cc 1 /matrix/in/0/mute feedback values 0 1 values 0 1
        2:44: found "values", expected values once for a feedback.
      cc 1 /matrix/in/0/mute feedback none values 1 2
        2:38: found "values", expected nothing of feedback behind none.
      cc 1 /matrix/in/0/mute feedback none feedback
        2:38: found "feedback", expected feedback none alone, or none of it.
      cc 1 /matrix/in/0/mute feedback feedback none
        2:33: found "feedback", expected feedback none alone, or none of it.
      cc 1 /matrix/in/0/mute feedback ring fan
        2:33: found "ring" for a switch, expected ring for a level.
      cc 1 /matrix/in/0/fader feedback ring
        2:38: found the end of the line, expected single, pan, fan, spread or trim.
      cc 1 /matrix/in/0/fader feedback ring fam
        2:39: found "fam", expected single, pan, fan, spread or trim, perhaps fan.
      cc 1 /matrix/in/0/fader feedback ring fan ring fan
        2:43: found "ring", expected ring once for a feedback.
      cc 1 /matrix/in/0/fader feedback values 0 1
        2:34: found "values" for a level, expected values for a switch.
      """#))
  func feedback(mistake: Mistake) {
    #expect(refusal(Array(mistake.text.utf8)) == mistake.sentence)
  }

  @Test(
    "What does not go together is told, and what would",
    arguments: Mistake.table(
      #"""
      cc 1 /matrix/in/0/fader toggle
        2:25: found "toggle" for a level, expected no option but range, taper, max, jump, pickup, scale, relative, step, bank, feedback and set there.
      cc 1 /matrix/in/0/mute pickup
        2:24: found "pickup" for a switch, expected no option but gate, toggle, push, max, bank, feedback and set there.
      cc 1 /matrix/in/0/mute range 0 1
        2:24: found "range" for a switch, expected no option but gate, toggle, push, max, bank, feedback and set there.
      cc 1 /engine/panic toggle
        2:20: found "toggle" for a trigger, expected no option but push, max, bank, feedback and set there.
      cc 1 /engine/panic gate
        2:20: found "gate" for a trigger, expected no option but push, max, bank, feedback and set there.
      cc 1 /matrix/in/0/touch toggle
        2:25: found "toggle" for a touch, expected no option but gate, max, bank, feedback and set there.
      cc 1 /matrix/in/0/mute, /matrix/in/0/fader pickup
        2:44: found "pickup" for a switch, expected no option but gate, toggle, push, max, bank, feedback and set there.
      cc 1 /config/dim
        2:6: found "/config/dim" without a range, expected range and the values at both ends, such as range -60 0.
      cc 1 /config/dim taper x32
        2:18: found "taper" for a setting, expected no option but range, max, relative, step, bank, feedback and set there.
      cc 1 /matrix/in/0/db
        2:6: found "/matrix/in/0/db" without a range, expected range and the values at both ends, such as range -60 10.
      cc 1 /matrix/in/0/nudge
        2:6: found "/matrix/in/0/nudge" alone, expected it with relative and how the encoder counts, or set and a change in dB.
      cc 1 /matrix/in/0/nudge range -6 6
        2:25: found "range" for a change of a level, expected no option but relative, step, bank, feedback and set there.
      cc 1 /matrix/in/0/name
        2:6: found "/matrix/in/0/name" alone, expected it with set and the text that a press sends.
      cc 1 /matrix/row/0
        2:6: found "/matrix/row/0" alone, expected it with set and the values that a press sends.
      note 1 /matrix/in/0/fader
        2:1: found a note for a level, expected set and the value that a press sends, or a source with positions such as cc.
      program 1 /matrix/in/0/fader
        2:1: found a program for a level, expected set and the value that a press sends, or a source with positions such as cc.
      program 1 /matrix/in/0/mute gate
        2:29: found "gate" for a program, expected toggle or push, because a program is never let go.
      note 1 /matrix/in/0/mute max 3
        2:26: found "max" for a note, expected max on a source with positions, such as cc.
      bend /matrix/in/0/fader relative twos
        2:25: found "relative" for bend, expected relative for cc, which encoders send.
      cc 1 /matrix/in/0/fader step 0.1
        2:25: found "step" without relative, expected relative and how the encoder counts, too.
      cc 1 /matrix/in/0/fader relative twos pickup
        2:39: found "pickup" beside relative, expected no option but range, taper, step, bank and feedback there.
      cc 1 /matrix/in/0/fader relative twos max 100
        2:39: found "max" beside relative, expected no option but range, taper, step, bank and feedback there.
      cc 1 /matrix/in/0/fader pickup set 0.5
        2:25: found "pickup" beside set, expected no option but push, max, bank and feedback there.
      cc 1 /matrix/in/0/fader relative twos set 0.5
        2:25: found "relative" beside set, expected no option but push, max, bank and feedback there.
      """#))
  func senseless(mistake: Mistake) {
    #expect(refusal(Array(mistake.text.utf8)) == mistake.sentence)
  }
}

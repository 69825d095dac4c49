// A sound card that fails on demand, for tests on machines without one.
//
// Linked into a program, or loaded before alsa-lib with LD_PRELOAD, this library stands between
// the program and alsa-lib: `snd_pcm_open` of a name that begins with `fault:` opens a card made of
// software (an ioplug, so that alsa-lib's own negotiation is at work), and the calls on it fail as
// the rest of the name says: `fault:KEY=VALUE,KEY=VALUE…`. All other devices are untouched.
//
//   id=WORD            tells cards with the same properties apart
//   rate=HZ            the only rate (48000)
//   channels=N[-M]     the least and the greatest count of channels (2)
//   formats=A[+B…]     the formats, in ALSA's spelling (S32_LE)
//   period=N[+M…]      the only periods, in frames; without it any of 16 to 8192
//   paced=1            samples move with time; otherwise the card is always ready
//   bytes=HEX          what capture gives, again and again; otherwise frame n has n in every
//                      channel, in the lowest bits of its format
//   out=FILE           where playback goes, as raw frames
//   busy=N             so many attempts to open it find it in use
//   absent=N           so many attempts to open it find no card
//   short=A[+B…]       how many frames a read or write moves at most, in turn; 0 for no limit
//   xrun=CALL/N/M      every Nth call of CALL (readi, writei, start) ends in an xrun, M times
//   suspend=N          the Nth read finds that the machine slept; the card wakes at the sixth
//                      attempt. Another N reads later it sleeps again, and cannot resume at all
//   unplug=N           from the Nth read or write on there is no card any more
//   stall=N            from the Nth read or write on nothing moves, but every poll finds an error
//   heal=FILE          while the file is there, `unplug`, `stall`, `busy` and `absent` are void
#pragma once
#include <stdint.h>

#include "FaultSequencer.h"

/// The calls that are counted.
typedef enum {
  faultcard_open,
  faultcard_close,
  faultcard_read,
  faultcard_write,
  faultcard_available,
  faultcard_prepare,
  faultcard_start,
  faultcard_resume,
  faultcard_call_count,
} faultcard_call;

/// How often a call was made on the card of this name, whether it failed or not.
uint64_t faultcard_calls(const char *name, faultcard_call call);

/// Repairs the card of this name, as the file named by `heal` does.
void faultcard_heal(const char *name);

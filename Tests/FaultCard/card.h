// What the parts of the library share: one card per name, kept until the program ends.
#pragma once
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "FaultCard.h"

enum { most_choices = 8, most_handles = 64, longest_name = 512 };

typedef struct {
  char name[longest_name];

  unsigned rate, least_channels, most_channels;
  unsigned formats[most_choices], format_count;
  unsigned periods[most_choices], period_count;
  bool is_paced;
  unsigned char bytes[64];
  unsigned byte_count;
  char out[longest_name], heal[longest_name];

  int busy, absent;
  unsigned shorts[most_choices], short_count;
  faultcard_call xrun_call;
  int xrun_every, xrun_left;
  int suspend_at, unplug_at, stall_at;

  atomic_bool is_healed;
  atomic_int transfers, reads, resumes, sleeps;
  atomic_ullong calls[faultcard_call_count];
} card;

typedef struct {
  snd_pcm_t *pcm;
  card *card;
} handle;

/// The card of a name, made when it is asked for the first time.
card *faultcard_find(const char *name);

/// The card behind an open device, or null when it is one of alsa-lib's own.
card *faultcard_of(snd_pcm_t *pcm);

/// Whether the card has been repaired.
bool faultcard_is_healed(card *card);

/// Whether, at this moment, nothing moves on the card.
bool faultcard_is_stalled(card *card);

/// Opens the software card behind a name.
int faultcard_create(snd_pcm_t **pcm, card *card, snd_pcm_stream_t stream, int mode);

/// Remembers, or forgets, which card is behind an open device.
void faultcard_remember(snd_pcm_t *pcm, card *card);
void faultcard_forget(snd_pcm_t *pcm);

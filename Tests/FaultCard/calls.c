// The calls that a program makes, on their way to alsa-lib.
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "card.h"

// alsa-lib calls some of its own entry points; what it does by itself is never made to fail.
static _Thread_local int depth;

#define REAL(function) ((__typeof__(&function))real(#function))

static void *real(const char *function) { return dlsym(RTLD_NEXT, function); }

static card *enter(snd_pcm_t *pcm, faultcard_call call) {
  card *card = depth == 0 ? faultcard_of(pcm) : NULL;
  if (card && call < faultcard_call_count) ++card->calls[call];
  return card;
}

#define INSIDE(expression)                         \
  ({                                               \
    ++depth;                                       \
    __typeof__(expression) answer_ = (expression); \
    --depth;                                       \
    answer_;                                       \
  })

static bool is_gone(card *card) {
  return card->unplug_at && card->transfers >= card->unplug_at && !faultcard_is_healed(card);
}

static bool is_asleep(card *card) { return card->sleeps % 2 == 1; }

static bool ends_in_xrun(card *card, faultcard_call call) {
  if (card->xrun_every == 0 || card->xrun_call != call || card->xrun_left == 0) return false;
  if (card->calls[call] % (unsigned)card->xrun_every != 0) return false;
  --card->xrun_left;
  return true;
}

/// What is wrong with the card right now; 0 when nothing is.
static int trouble(card *card) {
  if (is_gone(card)) return -ENODEV;
  if (is_asleep(card)) return -ESTRPIPE;
  return 0;
}

/// What a read or write comes to before it moves anything.
static long before_transfer(card *card, faultcard_call call, snd_pcm_uframes_t *frames) {
  if (call == faultcard_read) ++card->reads;
  int transfers = ++card->transfers;
  if (call == faultcard_read && card->suspend_at && card->reads % card->suspend_at == 0 &&
      card->sleeps < 4)
    ++card->sleeps;
  int code = trouble(card);
  if (code < 0) return code;
  if (faultcard_is_stalled(card)) return -EAGAIN;
  if (ends_in_xrun(card, call)) return -EPIPE;
  if (card->short_count) {
    unsigned most = card->shorts[(unsigned)transfers % card->short_count];
    if (most && *frames > most) *frames = most;
  }
  return 0;
}

int snd_pcm_open(snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode) {
  if (depth || strncmp(name, "fault:", 6) != 0)
    return REAL(snd_pcm_open)(pcm, name, stream, mode);
  card *card = faultcard_find(name);
  ++card->calls[faultcard_open];
  if (!faultcard_is_healed(card)) {
    if (card->busy > 0) return --card->busy, -EBUSY;
    if (card->absent > 0) return --card->absent, -ENODEV;
    if (is_gone(card)) return -ENODEV;
  }
  int code = INSIDE(faultcard_create(pcm, card, stream, mode));
  if (code >= 0) faultcard_remember(*pcm, card);
  return code;
}

int snd_pcm_close(snd_pcm_t *pcm) {
  if (enter(pcm, faultcard_close)) faultcard_forget(pcm);
  return INSIDE(REAL(snd_pcm_close)(pcm));
}

snd_pcm_sframes_t snd_pcm_readi(snd_pcm_t *pcm, void *buffer, snd_pcm_uframes_t size) {
  card *card = enter(pcm, faultcard_read);
  long code = card ? before_transfer(card, faultcard_read, &size) : 0;
  return code < 0 ? code : INSIDE(REAL(snd_pcm_readi)(pcm, buffer, size));
}

snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *buffer, snd_pcm_uframes_t size) {
  card *card = enter(pcm, faultcard_write);
  long code = card ? before_transfer(card, faultcard_write, &size) : 0;
  return code < 0 ? code : INSIDE(REAL(snd_pcm_writei)(pcm, buffer, size));
}

snd_pcm_sframes_t snd_pcm_avail_update(snd_pcm_t *pcm) {
  card *card = enter(pcm, faultcard_available);
  if (card && trouble(card) < 0) return trouble(card);
  if (card && faultcard_is_stalled(card)) return 0;
  return INSIDE(REAL(snd_pcm_avail_update)(pcm));
}

int snd_pcm_prepare(snd_pcm_t *pcm) {
  card *card = enter(pcm, faultcard_prepare);
  if (card && is_gone(card)) return -ENODEV;
  return INSIDE(REAL(snd_pcm_prepare)(pcm));
}

int snd_pcm_start(snd_pcm_t *pcm) {
  card *card = enter(pcm, faultcard_start);
  if (card && is_gone(card)) return -ENODEV;
  if (card && ends_in_xrun(card, faultcard_start)) return -EPIPE;
  return INSIDE(REAL(snd_pcm_start)(pcm));
}

int snd_pcm_resume(snd_pcm_t *pcm) {
  card *card = enter(pcm, faultcard_resume);
  if (!card) return INSIDE(REAL(snd_pcm_resume)(pcm));
  if (!is_asleep(card)) return 0;
  // The second time it can only be prepared anew.
  if (card->sleeps == 3) return ++card->sleeps, -ENOSYS;
  if (++card->resumes <= 5) return -EAGAIN;
  ++card->sleeps;
  return 0;
}

snd_pcm_state_t snd_pcm_state(snd_pcm_t *pcm) {
  card *card = enter(pcm, faultcard_call_count);
  if (card && is_gone(card)) return SND_PCM_STATE_DISCONNECTED;
  if (card && is_asleep(card)) return SND_PCM_STATE_SUSPENDED;
  return INSIDE(REAL(snd_pcm_state)(pcm));
}

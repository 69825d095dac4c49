#pragma once
#include <alsa/asoundlib.h>
#include <errno.h>
#include <poll.h>

// What the audio thread may call. The calls that move samples neither allocate nor wait on a lock
// on a handle that only one thread uses; the compiler cannot see that through a library, so it is
// vouched for here, once.
#define CALSA_AUDIO_THREAD \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

CALSA_AUDIO_THREAD static inline long calsa_read(snd_pcm_t *pcm, void *to, unsigned long frames) {
  return snd_pcm_readi(pcm, to, frames);
}

CALSA_AUDIO_THREAD static inline long calsa_write(
    snd_pcm_t *pcm, const void *from, unsigned long frames) {
  return snd_pcm_writei(pcm, from, frames);
}

CALSA_AUDIO_THREAD static inline long calsa_available(snd_pcm_t *pcm) {
  return snd_pcm_avail_update(pcm);
}

CALSA_AUDIO_THREAD static inline int calsa_state(snd_pcm_t *pcm) { return snd_pcm_state(pcm); }

CALSA_AUDIO_THREAD static inline int calsa_prepare(snd_pcm_t *pcm) { return snd_pcm_prepare(pcm); }

CALSA_AUDIO_THREAD static inline int calsa_start(snd_pcm_t *pcm) { return snd_pcm_start(pcm); }

CALSA_AUDIO_THREAD static inline int calsa_drop(snd_pcm_t *pcm) { return snd_pcm_drop(pcm); }

CALSA_AUDIO_THREAD static inline int calsa_resume(snd_pcm_t *pcm) { return snd_pcm_resume(pcm); }

CALSA_AUDIO_THREAD static inline int calsa_revents(
    snd_pcm_t *pcm, struct pollfd *descriptors, unsigned count, unsigned short *events) {
  return snd_pcm_poll_descriptors_revents(pcm, descriptors, count, events);
}

CALSA_AUDIO_THREAD static inline int calsa_poll(
    struct pollfd *descriptors, unsigned long count, int milliseconds) {
  int ready = poll(descriptors, count, milliseconds);
  return ready < 0 ? -errno : ready;
}

// The library prints to stderr whatever goes wrong while it looks for a device; a device that is
// waited for goes wrong ten times a second. Swift cannot make a function of variable arguments.
static inline void calsa_say_nothing(
    const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_say_nothing); }

// The card itself: an ioplug whose samples move with time, or as fast as they are asked for.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "card.h"

typedef struct {
  snd_pcm_ioplug_t io;
  card *card;
  int out;
  int64_t started_ns;
  uint64_t frame;
} plug;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void arm(plug *plug, int64_t period_ns) {
  // Without a pace the descriptor is readable from the first nanosecond on, and stays so.
  if (period_ns == 0) period_ns = 1;
  struct timespec span = {period_ns / 1000000000, period_ns % 1000000000};
  struct itimerspec timer = {.it_interval = span, .it_value = span};
  timerfd_settime(plug->io.poll_fd, 0, &timer, NULL);
}

static int start(snd_pcm_ioplug_t *io) {
  plug *plug = io->private_data;
  plug->started_ns = now_ns();
  arm(plug, plug->card->is_paced ? (int64_t)io->period_size * 1000000000 / io->rate : 0);
  return 0;
}

static int stop(snd_pcm_ioplug_t *io) {
  struct itimerspec never = {0};
  timerfd_settime(io->poll_fd, 0, &never, NULL);
  return 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
  plug *plug = io->private_data;
  bool is_playback = io->stream == SND_PCM_STREAM_PLAYBACK;
  if (io->state != SND_PCM_STATE_RUNNING) return (snd_pcm_sframes_t)io->hw_ptr;
  if (!plug->card->is_paced) {
    // All but one period can always be moved.
    snd_pcm_uframes_t ready = io->buffer_size - io->period_size;
    return (snd_pcm_sframes_t)(io->appl_ptr + (is_playback ? ready - io->buffer_size : ready));
  }
  int64_t elapsed = (now_ns() - plug->started_ns) * io->rate / 1000000000;
  snd_pcm_uframes_t position = (snd_pcm_uframes_t)elapsed;
  if (is_playback && position > io->appl_ptr) return -EPIPE;
  if (!is_playback && position - io->appl_ptr > io->buffer_size) return -EPIPE;
  return (snd_pcm_sframes_t)position;
}

static char *place(const snd_pcm_channel_area_t *area, snd_pcm_uframes_t frame) {
  return (char *)area->addr + area->first / 8 + frame * area->step / 8;
}

static void give(plug *plug, char *sample, unsigned width, unsigned channel) {
  const card *card = plug->card;
  uint64_t place = plug->frame * plug->io.channels + channel;
  for (unsigned byte = 0; byte < width; ++byte)
    sample[byte] = card->byte_count
                       ? (char)card->bytes[(place * width + byte) % card->byte_count]
                       : (char)(plug->frame >> (8 * byte));
}

static snd_pcm_sframes_t transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
    snd_pcm_uframes_t size) {
  plug *plug = io->private_data;
  unsigned width = (unsigned)snd_pcm_format_physical_width(io->format) / 8;
  if (io->stream == SND_PCM_STREAM_PLAYBACK) {
    ssize_t bytes = (ssize_t)(size * width * io->channels);
    if (plug->out >= 0 && write(plug->out, place(areas, offset), (size_t)bytes) != bytes) abort();
    return (snd_pcm_sframes_t)size;
  }
  for (snd_pcm_uframes_t frame = 0; frame < size; ++frame, ++plug->frame)
    for (unsigned channel = 0; channel < io->channels; ++channel)
      give(plug, place(&areas[channel], offset + frame), width, channel);
  return (snd_pcm_sframes_t)size;
}

static int prepare(snd_pcm_ioplug_t *io) {
  (void)io;
  return 0;
}

static int revents(
    snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count, unsigned short *events) {
  plug *plug = io->private_data;
  (void)count;
  *events = 0;
  if (descriptors->revents & POLLIN) {
    uint64_t expirations;
    if (plug->card->is_paced && read(io->poll_fd, &expirations, sizeof expirations) < 0)
      return 0;
    *events = io->stream == SND_PCM_STREAM_PLAYBACK ? POLLOUT : POLLIN;
  }
  if (faultcard_is_stalled(plug->card)) *events |= POLLERR;
  return 0;
}

static int close_plug(snd_pcm_ioplug_t *io) {
  plug *plug = io->private_data;
  if (plug->out >= 0) close(plug->out);
  close(io->poll_fd);
  free(plug);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start,
    .stop = stop,
    .pointer = pointer,
    .transfer = transfer,
    .prepare = prepare,
    .poll_revents = revents,
    .close = close_plug,
};

static int limit(snd_pcm_ioplug_t *io, const card *card) {
  static const unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
  int code = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  if (code >= 0)
    code = snd_pcm_ioplug_set_param_list(
        io, SND_PCM_IOPLUG_HW_FORMAT, card->format_count, card->formats);
  if (code >= 0)
    code = snd_pcm_ioplug_set_param_minmax(
        io, SND_PCM_IOPLUG_HW_CHANNELS, card->least_channels, card->most_channels);
  if (code >= 0)
    code = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, card->rate, card->rate);
  unsigned least_frame = card->least_channels * 2, most_frame = card->most_channels * 4;
  if (code >= 0 && card->period_count) {
    // alsa-lib limits the bytes of a period; which are those of frames once the rest is chosen.
    unsigned bytes[most_choices], width = 0;
    for (unsigned index = 0; index < card->format_count; ++index)
      width = (unsigned)snd_pcm_format_physical_width((snd_pcm_format_t)card->formats[index]) / 8;
    for (unsigned index = 0; index < card->period_count; ++index)
      bytes[index] = card->periods[index] * width * card->least_channels;
    code = snd_pcm_ioplug_set_param_list(
        io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, card->period_count, bytes);
  } else if (code >= 0) {
    code = snd_pcm_ioplug_set_param_minmax(
        io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 16 * least_frame, 8192 * most_frame);
  }
  if (code >= 0)
    code = snd_pcm_ioplug_set_param_minmax(
        io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 32 * least_frame, 4 * 8192 * most_frame);
  return code;
}

int faultcard_create(snd_pcm_t **pcm, card *card, snd_pcm_stream_t stream, int mode) {
  plug *plug = calloc(1, sizeof *plug);
  plug->card = card;
  plug->out = -1;
  if (stream == SND_PCM_STREAM_PLAYBACK && card->out[0])
    plug->out = open(card->out, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  plug->io.version = SND_PCM_IOPLUG_VERSION;
  plug->io.name = "a card that fails on demand";
  plug->io.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  plug->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  plug->io.poll_events = POLLIN;
  plug->io.callback = &callbacks;
  plug->io.private_data = plug;
  int code = snd_pcm_ioplug_create(&plug->io, card->name, stream, mode);
  if (code < 0) {
    close_plug(&plug->io);
    return code;
  }
  code = limit(&plug->io, card);
  if (code < 0) {
    snd_pcm_ioplug_delete(&plug->io);
    return code;
  }
  *pcm = plug->io.pcm;
  return 0;
}

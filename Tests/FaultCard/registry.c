#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "card.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static card *cards[1024];
static unsigned card_count;
static handle handles[most_handles];

static unsigned split(char *text, unsigned *numbers) {
  unsigned count = 0;
  for (char *rest = text, *word; count < most_choices && (word = strsep(&rest, "+"));)
    numbers[count++] = (unsigned)atoi(word);
  return count;
}

static void set_xrun(card *card, char *value) {
  char *call = strsep(&value, "/"), *every = strsep(&value, "/");
  card->xrun_call = strcmp(call, "readi") == 0   ? faultcard_read
                    : strcmp(call, "start") == 0 ? faultcard_start
                                                 : faultcard_write;
  card->xrun_every = every ? atoi(every) : 1;
  card->xrun_left = value ? atoi(value) : 1;
}

static void set(card *card, const char *key, char *value) {
  if (strcmp(key, "rate") == 0) card->rate = (unsigned)atoi(value);
  if (strcmp(key, "channels") == 0) {
    card->least_channels = (unsigned)atoi(value);
    const char *dash = strchr(value, '-');
    card->most_channels = dash ? (unsigned)atoi(dash + 1) : card->least_channels;
  }
  if (strcmp(key, "formats") == 0) {
    card->format_count = 0;
    for (char *rest = value, *word; card->format_count < most_choices && (word = strsep(&rest, "+"));)
      card->formats[card->format_count++] = (unsigned)snd_pcm_format_value(word);
  }
  if (strcmp(key, "period") == 0) card->period_count = split(value, card->periods);
  if (strcmp(key, "paced") == 0) card->is_paced = atoi(value) != 0;
  if (strcmp(key, "bytes") == 0)
    for (; value[0] && value[1] && card->byte_count < sizeof card->bytes; value += 2) {
      char pair[3] = {value[0], value[1], 0};
      card->bytes[card->byte_count++] = (unsigned char)strtoul(pair, NULL, 16);
    }
  if (strcmp(key, "out") == 0) strncpy(card->out, value, longest_name - 1);
  if (strcmp(key, "heal") == 0) strncpy(card->heal, value, longest_name - 1);
  if (strcmp(key, "busy") == 0) card->busy = atoi(value);
  if (strcmp(key, "absent") == 0) card->absent = atoi(value);
  if (strcmp(key, "short") == 0) card->short_count = split(value, card->shorts);
  if (strcmp(key, "xrun") == 0) set_xrun(card, value);
  if (strcmp(key, "suspend") == 0) card->suspend_at = atoi(value);
  if (strcmp(key, "unplug") == 0) card->unplug_at = atoi(value);
  if (strcmp(key, "stall") == 0) card->stall_at = atoi(value);
}

static card *make(const char *name) {
  card *card = calloc(1, sizeof *card);
  strncpy(card->name, name, longest_name - 1);
  card->rate = 48000;
  card->least_channels = card->most_channels = 2;
  card->formats[0] = SND_PCM_FORMAT_S32_LE;
  card->format_count = 1;
  char *words = strdup(strchr(name, ':') + 1);
  for (char *rest = words, *word; (word = strsep(&rest, ","));) {
    char *value = strchr(word, '=');
    if (!value) continue;
    *value++ = 0;
    set(card, word, value);
  }
  free(words);
  return card;
}

card *faultcard_find(const char *name) {
  pthread_mutex_lock(&lock);
  card *found = NULL;
  for (unsigned index = 0; index < card_count && !found; ++index)
    if (strcmp(cards[index]->name, name) == 0) found = cards[index];
  if (!found && card_count < sizeof cards / sizeof *cards)
    found = cards[card_count++] = make(name);
  pthread_mutex_unlock(&lock);
  return found;
}

card *faultcard_of(snd_pcm_t *pcm) {
  pthread_mutex_lock(&lock);
  card *found = NULL;
  for (unsigned index = 0; index < most_handles && !found; ++index)
    if (handles[index].pcm == pcm) found = handles[index].card;
  pthread_mutex_unlock(&lock);
  return found;
}

void faultcard_remember(snd_pcm_t *pcm, card *card) {
  pthread_mutex_lock(&lock);
  for (unsigned index = 0; index < most_handles; ++index)
    if (!handles[index].pcm) {
      handles[index] = (handle){pcm, card};
      break;
    }
  pthread_mutex_unlock(&lock);
}

void faultcard_forget(snd_pcm_t *pcm) {
  pthread_mutex_lock(&lock);
  for (unsigned index = 0; index < most_handles; ++index)
    if (handles[index].pcm == pcm) handles[index] = (handle){0};
  pthread_mutex_unlock(&lock);
}

bool faultcard_is_healed(card *card) {
  if (!card->is_healed && card->heal[0] && access(card->heal, F_OK) == 0) card->is_healed = true;
  return card->is_healed;
}

bool faultcard_is_stalled(card *card) {
  return card->stall_at && card->transfers >= card->stall_at && !faultcard_is_healed(card);
}

uint64_t faultcard_calls(const char *name, faultcard_call call) {
  return faultcard_find(name)->calls[call];
}

void faultcard_heal(const char *name) { faultcard_find(name)->is_healed = true; }

// A sequencer made of software, and the calls on it on their way to alsa-lib.
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "FaultSequencer.h"

enum {
  most_sequencers = 64,
  most_ports = 64,
  largest_pool = 2000,
  listener = 128,
  most_heard = 65536
};

typedef struct {
  bool exists, is_connected;
  int client, port, card;
  unsigned capabilities;
  char client_name[64], port_name[64];

  // What the port was sent, and how much more it takes; -1 is without end.
  bool is_open, is_shut;
  uint8_t *heard;
  unsigned heard_count;
  int room;
} source;

typedef struct {
  char name[128];
  char client_name[64];
  unsigned capabilities;
  bool hears_system, takes[256];
  source sources[most_ports];

  // The queue between kernel and client; a code stands among the events.
  snd_seq_event_t events[largest_pool + 1];
  int codes[largest_pool + 1];
  unsigned head, count, pool, overflows;
  snd_seq_event_t given;
  int wake;
} sequencer;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sequencer *sequencers[most_sequencers];
// The record that was filled in last: alsa-lib has no call to put a card's number into one.
static _Thread_local const void *last_info;
static _Thread_local int last_card;

#define REAL(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

static sequencer *find(const char *name) {
  sequencer *found = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < most_sequencers; ++i)
    if (sequencers[i] && strcmp(sequencers[i]->name, name) == 0) found = sequencers[i];
  pthread_mutex_unlock(&lock);
  return found;
}

static sequencer *of(snd_seq_t *handle) {
  sequencer *found = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < most_sequencers; ++i)
    if (sequencers[i] && (void *)sequencers[i] == (void *)handle) found = sequencers[i];
  pthread_mutex_unlock(&lock);
  return found;
}

static source *source_at(sequencer *in, int client, int port) {
  for (int i = 0; i < most_ports; ++i) {
    source *it = &in->sources[i];
    if (it->exists && it->client == client && it->port == port) return it;
  }
  return NULL;
}

static void copy(char *to, const char *from, size_t size) {
  strncpy(to, from, size - 1);
  to[size - 1] = 0;
}

void faultsequencer_make(const char *name) {
  sequencer *made = find(name);
  if (made) {
    close(made->wake);
    for (int i = 0; i < most_ports; ++i) free(made->sources[i].heard);
    memset(made, 0, sizeof *made);
  } else {
    made = calloc(1, sizeof *made);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < most_sequencers; ++i)
      if (!sequencers[i]) {
        sequencers[i] = made;
        break;
      }
    pthread_mutex_unlock(&lock);
  }
  copy(made->name, name, sizeof made->name);
  made->pool = 200;
  made->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

// MARK: What happens

static bool deliver(sequencer *to, const snd_seq_event_t *event, int code) {
  if (to->count >= to->pool) {
    ++to->overflows;
    return false;
  }
  unsigned place = (to->head + to->count) % (largest_pool + 1);
  if (event) to->events[place] = *event;
  to->codes[place] = code;
  ++to->count;
  eventfd_write(to->wake, 1);
  return true;
}

void faultsequencer_announce(
    const char *name, int client, int port, int type, int about_client, int about_port) {
  sequencer *it = find(name);
  if (!it->hears_system && client == SND_SEQ_CLIENT_SYSTEM) return;
  snd_seq_event_t event = {.type = (snd_seq_event_type_t)type};
  event.source.client = (unsigned char)client;
  event.source.port = (unsigned char)port;
  if (type == SND_SEQ_EVENT_PORT_SUBSCRIBED || type == SND_SEQ_EVENT_PORT_UNSUBSCRIBED) {
    event.data.connect.sender.client = (unsigned char)about_client;
    event.data.connect.sender.port = (unsigned char)about_port;
    event.data.connect.dest.client = listener;
  } else {
    event.data.addr.client = (unsigned char)about_client;
    event.data.addr.port = (unsigned char)about_port;
  }
  if (it->takes[type]) deliver(it, &event, 0);
}

static void announce(sequencer *it, int type, int client, int port) {
  faultsequencer_announce(
      it->name, SND_SEQ_CLIENT_SYSTEM, SND_SEQ_PORT_SYSTEM_ANNOUNCE, type, client, port);
}

void faultsequencer_plug(
    const char *name, int client, int port, const char *client_name, const char *port_name,
    int card) {
  faultsequencer_plug_as(
      name, client, port, client_name, port_name, card,
      SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ);
}

void faultsequencer_plug_as(
    const char *name, int client, int port, const char *client_name, const char *port_name,
    int card, unsigned capabilities) {
  sequencer *it = find(name);
  bool is_first = true;
  source *free_place = NULL;
  for (int i = 0; i < most_ports; ++i) {
    if (it->sources[i].exists && it->sources[i].client == client) is_first = false;
    if (!it->sources[i].exists) free_place = &it->sources[i];
  }
  free(free_place->heard);
  *free_place = (source){
      .exists = true,
      .client = client,
      .port = port,
      .card = card,
      .capabilities = capabilities,
      .room = -1};
  copy(free_place->client_name, client_name, sizeof free_place->client_name);
  copy(free_place->port_name, port_name, sizeof free_place->port_name);
  if (is_first) announce(it, SND_SEQ_EVENT_CLIENT_START, client, 0);
  announce(it, SND_SEQ_EVENT_PORT_START, client, port);
}

void faultsequencer_pull(const char *name, int client) {
  sequencer *it = find(name);
  for (int i = 0; i < most_ports; ++i) {
    source *port = &it->sources[i];
    if (!port->exists || port->client != client) continue;
    if (port->is_connected)
      announce(it, SND_SEQ_EVENT_PORT_UNSUBSCRIBED, port->client, port->port);
    announce(it, SND_SEQ_EVENT_PORT_EXIT, port->client, port->port);
    port->exists = port->is_connected = port->is_open = false;
  }
  announce(it, SND_SEQ_EVENT_CLIENT_EXIT, client, 0);
}

static bool emit(sequencer *it, int client, int port, snd_seq_event_t *event) {
  event->source.client = (unsigned char)client;
  event->source.port = (unsigned char)port;
  return it->takes[event->type] && deliver(it, event, 0);
}

bool faultsequencer_play(
    const char *name, int client, int port, const uint8_t *bytes, unsigned count) {
  sequencer *it = find(name);
  source *from = source_at(it, client, port);
  if (!from || !from->is_connected) return false;
  snd_midi_event_t *parser;
  if (snd_midi_event_new(256, &parser) < 0) return false;
  bool is_whole = true;
  for (unsigned i = 0; i < count; ++i) {
    snd_seq_event_t event;
    snd_seq_ev_clear(&event);
    if (snd_midi_event_encode_byte(parser, bytes[i], &event) == 1)
      is_whole = emit(it, client, port, &event) && is_whole;
  }
  snd_midi_event_free(parser);
  return is_whole;
}

bool faultsequencer_control(
    const char *name, int client, int port, int type, int channel, unsigned param, int value) {
  snd_seq_event_t event = {.type = (snd_seq_event_type_t)type};
  if (type >= SND_SEQ_EVENT_NOTE && type <= SND_SEQ_EVENT_KEYPRESS) {
    event.data.note.channel = (unsigned char)channel;
    event.data.note.note = (unsigned char)param;
    event.data.note.velocity = (unsigned char)value;
  } else {
    event.data.control.channel = (unsigned char)channel;
    event.data.control.param = param;
    event.data.control.value = value;
  }
  return emit(find(name), client, port, &event);
}

void faultsequencer_connect(const char *name, int client, int port, bool connected) {
  sequencer *it = find(name);
  source *from = source_at(it, client, port);
  if (!from || from->is_connected == connected) return;
  from->is_connected = connected;
  announce(
      it, connected ? SND_SEQ_EVENT_PORT_SUBSCRIBED : SND_SEQ_EVENT_PORT_UNSUBSCRIBED, client,
      port);
}

void faultsequencer_fail(const char *name, int code) { deliver(find(name), NULL, code); }

bool faultsequencer_is_connected(const char *name, int client, int port) {
  sequencer *it = find(name);
  if (client == SND_SEQ_CLIENT_SYSTEM) return it->hears_system;
  source *from = source_at(it, client, port);
  return from && from->is_connected;
}

bool faultsequencer_is_open(const char *name, int client, int port) {
  source *to = source_at(find(name), client, port);
  return to && to->is_open;
}

unsigned faultsequencer_heard(
    const char *name, int client, int port, uint8_t *bytes, unsigned space) {
  source *to = source_at(find(name), client, port);
  if (!to || to->heard_count > space) return 0;
  unsigned count = to->heard_count;
  if (count) memcpy(bytes, to->heard, count);
  to->heard_count = 0;
  return count;
}

void faultsequencer_give_room(const char *name, int client, int port, int events) {
  source *to = source_at(find(name), client, port);
  if (to) to->room = events;
}

void faultsequencer_shut(const char *name, int client, int port, bool is_shut) {
  source *to = source_at(find(name), client, port);
  if (to) to->is_shut = is_shut;
}

const char *faultsequencer_client_name(const char *name) { return find(name)->client_name; }

unsigned faultsequencer_capabilities(const char *name) { return find(name)->capabilities; }

unsigned faultsequencer_pool(const char *name) { return find(name)->pool; }

// MARK: The calls

int snd_seq_open(snd_seq_t **handle, const char *name, int streams, int mode) {
  if (strncmp(name, "fault:", 6) != 0) return REAL(snd_seq_open)(handle, name, streams, mode);
  sequencer *it = find(name);
  if (!it) return -ENOENT;
  *handle = (snd_seq_t *)it;
  return 0;
}

int snd_seq_close(snd_seq_t *handle) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_close)(handle);
  it->client_name[0] = 0;
  it->hears_system = false;
  for (int i = 0; i < most_ports; ++i)
    it->sources[i].is_connected = it->sources[i].is_open = false;
  return 0;
}

int snd_seq_get_client_info(snd_seq_t *handle, snd_seq_client_info_t *info) {
  if (!of(handle)) return REAL(snd_seq_get_client_info)(handle, info);
  snd_seq_client_info_set_client(info, listener);
  return 0;
}

int snd_seq_set_client_info(snd_seq_t *handle, snd_seq_client_info_t *info) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_set_client_info)(handle, info);
  for (int type = 0; type < 256; ++type)
    it->takes[type] = snd_seq_client_info_event_filter_check(info, type);
  return 0;
}

int snd_seq_set_client_name(snd_seq_t *handle, const char *name) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_set_client_name)(handle, name);
  copy(it->client_name, name, sizeof it->client_name);
  return 0;
}

int snd_seq_client_id(snd_seq_t *handle) {
  return of(handle) ? listener : REAL(snd_seq_client_id)(handle);
}

int snd_seq_set_input_buffer_size(snd_seq_t *handle, size_t size) {
  return of(handle) ? 0 : REAL(snd_seq_set_input_buffer_size)(handle, size);
}

int snd_seq_set_client_pool_input(snd_seq_t *handle, size_t size) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_set_client_pool_input)(handle, size);
  if (size < 1 || size > largest_pool) return -EINVAL;
  it->pool = (unsigned)size;
  return 0;
}

int snd_seq_get_client_pool(snd_seq_t *handle, snd_seq_client_pool_t *info) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_get_client_pool)(handle, info);
  snd_seq_client_pool_set_input_pool(info, it->pool);
  return 0;
}

int snd_seq_create_simple_port(
    snd_seq_t *handle, const char *name, unsigned int capabilities, unsigned int type) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_create_simple_port)(handle, name, capabilities, type);
  it->capabilities = capabilities;
  return 0;
}

int snd_seq_connect_from(snd_seq_t *handle, int own, int client, int port) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_connect_from)(handle, own, client, port);
  if (client == SND_SEQ_CLIENT_SYSTEM) {
    it->hears_system = true;
    return 0;
  }
  source *from = source_at(it, client, port);
  if (!from) return -ENODEV;
  if (from->is_connected) return -EBUSY;
  from->is_connected = true;
  announce(it, SND_SEQ_EVENT_PORT_SUBSCRIBED, client, port);
  return 0;
}

int snd_seq_disconnect_from(snd_seq_t *handle, int own, int client, int port) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_disconnect_from)(handle, own, client, port);
  source *from = source_at(it, client, port);
  if (!from || !from->is_connected) return -ENOENT;
  from->is_connected = false;
  announce(it, SND_SEQ_EVENT_PORT_UNSUBSCRIBED, client, port);
  return 0;
}

int snd_seq_connect_to(snd_seq_t *handle, int own, int client, int port) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_connect_to)(handle, own, client, port);
  source *to = source_at(it, client, port);
  if (!to) return -ENODEV;
  if (!(to->capabilities & SND_SEQ_PORT_CAP_SUBS_WRITE)) return -EPERM;
  if (to->is_open) return -EBUSY;
  to->is_open = true;
  return 0;
}

int snd_seq_disconnect_to(snd_seq_t *handle, int own, int client, int port) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_disconnect_to)(handle, own, client, port);
  source *to = source_at(it, client, port);
  if (!to || !to->is_open) return -ENOENT;
  to->is_open = false;
  return 0;
}

// As the kernel: to a port of a device that nobody has opened nothing can be sent, and a queue that
// is full takes nothing more.
int snd_seq_event_output_direct(snd_seq_t *handle, snd_seq_event_t *event) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_event_output_direct)(handle, event);
  if (event->queue != SND_SEQ_QUEUE_DIRECT) return -EINVAL;
  source *to = source_at(it, event->dest.client, event->dest.port);
  if (!to) return -ENOENT;
  if (!(to->capabilities & SND_SEQ_PORT_CAP_WRITE)) return -EPERM;
  if (!to->is_open || to->is_shut) return -ENODEV;
  if (to->room == 0) return -EAGAIN;
  if (!to->heard) to->heard = malloc(most_heard);
  // One for each event: running status would hide bytes.
  snd_midi_event_t *decoder;
  if (snd_midi_event_new(64, &decoder) < 0) return -ENOMEM;
  long count = snd_midi_event_decode(
      decoder, to->heard + to->heard_count, most_heard - to->heard_count, event);
  snd_midi_event_free(decoder);
  if (count < 0) return (int)count;
  to->heard_count += (unsigned)count;
  if (to->room > 0) --to->room;
  return (int)sizeof *event;
}

int snd_seq_get_port_subscription(snd_seq_t *handle, snd_seq_port_subscribe_t *subscription) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_get_port_subscription)(handle, subscription);
  const snd_seq_addr_t *sender = snd_seq_port_subscribe_get_sender(subscription);
  return faultsequencer_is_connected(it->name, sender->client, sender->port) ? 0 : -ENOENT;
}

int snd_seq_poll_descriptors(
    snd_seq_t *handle, struct pollfd *descriptors, unsigned int space, short events) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_poll_descriptors)(handle, descriptors, space, events);
  descriptors->fd = it->wake;
  descriptors->events = events;
  return 1;
}

int snd_seq_event_input(snd_seq_t *handle, snd_seq_event_t **event) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_event_input)(handle, event);
  eventfd_t ignored;
  eventfd_read(it->wake, &ignored);
  if (it->overflows) {
    it->overflows = it->count = 0;
    return -ENOSPC;
  }
  if (it->count == 0) return -EAGAIN;
  int code = it->codes[it->head];
  it->given = it->events[it->head];
  it->head = (it->head + 1) % (largest_pool + 1);
  --it->count;
  if (code < 0) return code;
  *event = &it->given;
  return 1;
}

int snd_seq_query_next_client(snd_seq_t *handle, snd_seq_client_info_t *info) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_query_next_client)(handle, info);
  int before = snd_seq_client_info_get_client(info);
  const source *next = NULL;
  for (int i = 0; i < most_ports; ++i) {
    const source *here = &it->sources[i];
    if (here->exists && here->client > before && (!next || here->client < next->client))
      next = here;
  }
  if (!next) return -ENOENT;
  snd_seq_client_info_set_client(info, next->client);
  snd_seq_client_info_set_name(info, next->client_name);
  last_info = info;
  last_card = next->card;
  return 0;
}

int snd_seq_client_info_get_card(const snd_seq_client_info_t *info) {
  return info == last_info ? last_card : REAL(snd_seq_client_info_get_card)(info);
}

snd_seq_client_type_t snd_seq_client_info_get_type(const snd_seq_client_info_t *info) {
  if (info != last_info) return REAL(snd_seq_client_info_get_type)(info);
  return last_card >= 0 ? SND_SEQ_KERNEL_CLIENT : SND_SEQ_USER_CLIENT;
}

int snd_seq_query_next_port(snd_seq_t *handle, snd_seq_port_info_t *info) {
  sequencer *it = of(handle);
  if (!it) return REAL(snd_seq_query_next_port)(handle, info);
  int client = snd_seq_port_info_get_client(info), before = snd_seq_port_info_get_port(info);
  const source *next = NULL;
  // The record's number is a byte, in which -1 is 255.
  if (before == 255) before = -1;
  for (int i = 0; i < most_ports; ++i) {
    const source *here = &it->sources[i];
    if (here->exists && here->client == client && here->port > before &&
        (!next || here->port < next->port))
      next = here;
  }
  if (!next) return -ENOENT;
  snd_seq_port_info_set_port(info, next->port);
  snd_seq_port_info_set_name(info, next->port_name);
  snd_seq_port_info_set_capability(info, next->capabilities);
  return 0;
}

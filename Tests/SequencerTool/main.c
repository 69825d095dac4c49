// A MIDI device made of software, for the end-to-end tests: a client of the sequencer whose ports
// can be read, and one whose name begins with + can be written to as well.
//
//   sequencer-tool CLIENT PORT…
//
// says "ready NUMBER" with the number of its client, then "heard PORT BYTE…" for each event that it
// is sent, and does what each line of its input says:
//
//   PORT BYTE…          a hand on a port: bytes of MIDI, two hexadecimal digits each
//   flood PORT COUNT    so many positions of controller 7 as fast as they are taken, the last one 0;
//                       says "flooded COUNT, refused TIMES"
//   spill PORT COUNT    the same, but what is not taken at once is lost, as a device's would be
//
//   quit                the client is gone
#include <alsa/asoundlib.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static snd_seq_t *sequencer;

static void check(int code, const char *what) {
  if (code >= 0) return;
  fprintf(stderr, "sequencer-tool: %s says: %s\n", what, snd_strerror(code));
  exit(1);
}

static void aim(snd_seq_event_t *event, int port) {
  snd_seq_ev_set_source(event, port);
  snd_seq_ev_set_subs(event);
  snd_seq_ev_set_direct(event);
}

static void play(int port, char *words) {
  snd_midi_event_t *parser;
  check(snd_midi_event_new(256, &parser), "snd_midi_event_new");
  for (char *word; (word = strsep(&words, " "));) {
    if (!*word) continue;
    snd_seq_event_t event;
    snd_seq_ev_clear(&event);
    if (snd_midi_event_encode_byte(parser, (int)strtol(word, NULL, 16), &event) != 1) continue;
    aim(&event, port);
    check(snd_seq_event_output_direct(sequencer, &event), "snd_seq_event_output_direct");
  }
  snd_midi_event_free(parser);
}

static void flood(int port, long count, bool is_patient) {
  long refused = 0, waiting = 0;
  for (long number = 1; number <= count; ++number) {
    snd_seq_event_t event;
    snd_seq_ev_clear(&event);
    snd_seq_ev_set_controller(&event, 0, 7, number == count ? 0 : (int)(number % 128));
    aim(&event, port);
    check(snd_seq_event_output_buffer(sequencer, &event), "snd_seq_event_output_buffer");
    if (++waiting < 256 && number < count) continue;
    waiting = 0;
    for (int code; (code = snd_seq_drain_output(sequencer)) != 0;) {
      if (code != -EAGAIN && code != -ENOMEM) check(code, "snd_seq_drain_output");
      ++refused;
      if (is_patient) {
        sched_yield();
      } else {
        snd_seq_drop_output_buffer(sequencer);
      }
    }
  }
  printf("flooded %ld, refused %ld\n", count, refused);
}

// Prints what comes: reading shares nothing of the handle with writing.
static void *hear(void *handle) {
  snd_midi_event_t *decoder;
  check(snd_midi_event_new(64, &decoder), "snd_midi_event_new");
  snd_midi_event_no_status(decoder, 1);
  for (snd_seq_event_t *event; snd_seq_event_input(handle, &event) >= 0;) {
    unsigned char bytes[64];
    long count = snd_midi_event_decode(decoder, bytes, sizeof bytes, event);
    if (count <= 0) continue;
    char line[256];
    int length = snprintf(line, sizeof line, "heard %d", event->dest.port);
    for (long i = 0; i < count; ++i)
      length += snprintf(line + length, sizeof line - (size_t)length, " %02X", bytes[i]);
    puts(line);
  }
  return NULL;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "sequencer-tool: the head of its source says how to call it\n");
    return 2;
  }
  check(snd_seq_open(&sequencer, "default", SND_SEQ_OPEN_DUPLEX, 0), "snd_seq_open");
  check(snd_seq_set_client_name(sequencer, arguments[1]), "snd_seq_set_client_name");
  for (int i = 2; i < count; ++i) {
    bool hears = arguments[i][0] == '+';
    unsigned capabilities = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ;
    if (hears) capabilities |= SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE;
    check(
        snd_seq_create_simple_port(
            sequencer, arguments[i] + hears, capabilities,
            SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION),
        "snd_seq_create_simple_port");
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  pthread_t thread;
  if (pthread_create(&thread, NULL, hear, sequencer)) return 1;
  printf("ready %d\n", snd_seq_client_id(sequencer));
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    int port, length = 0;
    long events;
    char word[16];
    if (strcmp(line, "quit") == 0) break;
    if (sscanf(line, "%15[a-z] %d %ld", word, &port, &events) == 3) {
      flood(port, events, strcmp(word, "flood") == 0);
    } else if (sscanf(line, "%d %n", &port, &length) == 1) {
      play(port, line + length);
    }
  }
  // The thread still reads, so the end of the process closes the sequencer.
  fflush(stdout);
  _exit(0);
}

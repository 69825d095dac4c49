// A MIDI sequencer without a kernel, for tests of programs that listen to one.
//
// `snd_seq_open` of a name that begins with `fault:` opens a sequencer made of software, once it
// has been made here; without that there is none of the name. Devices are plugged in and pulled
// out, hands move, and the queue between the kernel and its client overflows as the kernel's does:
// when it is full, what comes is lost, and the next read finds that out and empties it. All other
// sequencers are untouched.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Makes a sequencer of a name that begins with `fault:`; one of the same name is made anew.
void faultsequencer_make(const char *name);

/// Plugs in a port that can be read, as a device's are with a card number of 0 or above, and as a
/// program's are with -1; the system announces its client, if it is the first of it, and the port.
void faultsequencer_plug(
    const char *name, int client, int port, const char *client_name, const char *port_name,
    int card);

/// The same, with `SND_SEQ_PORT_CAP_…` that say whether the port can be read and written.
void faultsequencer_plug_as(
    const char *name, int client, int port, const char *client_name, const char *port_name,
    int card, unsigned capabilities);

/// Pulls out a client with all its ports; whoever listened to them is told.
void faultsequencer_pull(const char *name, int client);

/// A hand on a port: bytes of MIDI. False when nobody listens, or when one was lost.
bool faultsequencer_play(
    const char *name, int client, int port, const uint8_t *bytes, unsigned count);

/// An event of a program: `type`, `channel`, `param`, `value` as in `snd_seq_ev_ctrl_t`, from a port
/// that need not exist.
bool faultsequencer_control(
    const char *name, int client, int port, int type, int channel, unsigned param, int value);

/// An event of the same kind as the system announces, from a port that need not exist.
void faultsequencer_announce(
    const char *name, int client, int port, int type, int about_client, int about_port);

/// Somebody else connects or disconnects a port and the listener.
void faultsequencer_connect(const char *name, int client, int port, bool connected);

/// The next reading of an event answers with this code instead, after what waits already.
void faultsequencer_fail(const char *name, int code);

/// Whether a port sends to the listener; the system's own is 0:1.
bool faultsequencer_is_connected(const char *name, int client, int port);

/// Whether the listener has opened a port for what it sends there.
bool faultsequencer_is_open(const char *name, int client, int port);

/// Takes what a port was sent since the last time, as bytes of MIDI, each event with its status;
/// says how many they are.
unsigned faultsequencer_heard(
    const char *name, int client, int port, uint8_t *bytes, unsigned space);

/// How many events a port takes from now on before it is full; -1 is without end.
void faultsequencer_give_room(const char *name, int client, int port, int events);

/// Has a port take nothing, as one of a device whose driver has given it up.
void faultsequencer_shut(const char *name, int client, int port, bool is_shut);

/// The name that the listener has given itself; empty when there is none.
const char *faultsequencer_client_name(const char *name);

/// The capabilities of the listener's port.
unsigned faultsequencer_capabilities(const char *name);

/// How many events the queue holds.
unsigned faultsequencer_pool(const char *name);

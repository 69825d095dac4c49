// UDP sockets: what the C library keeps in macros, in unions or behind _GNU_SOURCE, where Swift
// cannot reach it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An address and a port, in host order; an IPv4 address uses the first four bytes.
struct udp_peer {
  uint8_t address[16];
  uint32_t scope;
  uint16_t port;
  bool is_ipv6;
};

/// A bound socket that never blocks; or the negated errno of the step that failed.
///
/// `bound` is what it is bound to, with the port that the kernel chose where 0 was asked for.
int udp_open(const struct udp_peer *wanted, struct udp_peer *bound);

/// Asks for a receive buffer, beyond the system's limit where the process may; what was granted,
/// in the terms of the limit (the kernel doubles it for its own use).
int udp_set_receive_buffer(int descriptor, int bytes);

/// How many datagrams the kernel threw away on this socket, modulo 2^32.
uint32_t udp_dropped(int descriptor);

/// Sends a datagram without waiting: 0, or the negated errno.
int udp_send(int descriptor, const void *bytes, size_t count, const struct udp_peer *peer);

/// Reads an address as people write it, IPv4 or IPv6, with `%interface` where IPv6 needs it.
bool udp_parse_address(const char *text, struct udp_peer *peer);

/// Writes an address as people write it; `text` has room for 64 bytes.
void udp_format_address(const struct udp_peer *peer, char *text);

/// Room for the datagrams of one call to the kernel, each of any size that UDP allows.
struct udp_inbox;

struct udp_inbox *udp_inbox_create(int slots);
void udp_inbox_destroy(struct udp_inbox *inbox);

/// Fills the inbox with up to `limit` waiting datagrams: how many, or the negated errno.
int udp_inbox_receive(struct udp_inbox *inbox, int descriptor, int limit);

/// One datagram of the inbox, valid until the next call. Eight zeros stand behind its bytes.
struct udp_datagram {
  uint8_t *bytes;
  size_t count;
  /// When the kernel got it, in nanoseconds of the real-time clock; 0 where it does not say.
  int64_t arrival_nanoseconds;
  struct udp_peer peer;
};

void udp_inbox_get(struct udp_inbox *inbox, int slot, struct udp_datagram *datagram);

/// Whether an address, whatever its port, is one of this machine's own.
bool udp_is_own_address(const struct udp_peer *peer);

/// Room for small datagrams to one peer that leave with one call to the kernel.
struct udp_outbox;

struct udp_outbox *udp_outbox_create(int slots, size_t slot_bytes);
void udp_outbox_destroy(struct udp_outbox *outbox);

/// Where the bytes of a slot lie; they stay there.
uint8_t *udp_outbox_bytes(struct udp_outbox *outbox, int slot);

/// Says which bytes of a slot are its datagram.
void udp_outbox_set(struct udp_outbox *outbox, int slot, size_t start, size_t count);

/// Sends the slots from `first` up to `end` without waiting, in their order: how many the kernel
/// took, or the negated errno when it refused the first of them.
int udp_outbox_send(
    struct udp_outbox *outbox, int descriptor, int first, int end, const struct udp_peer *peer);

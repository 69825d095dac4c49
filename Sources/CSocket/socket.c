#define _GNU_SOURCE

#include "CSocket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST = 65536, GUARD = 8 };

struct slot {
  struct sockaddr_storage name;
  _Alignas(struct cmsghdr) uint8_t control[64];
  struct iovec vector;
};

struct udp_inbox {
  int slots;
  uint8_t *bytes;
  struct mmsghdr *headers;
  struct slot *details;
};

static socklen_t to_name(const struct udp_peer *peer, struct sockaddr_storage *name) {
  memset(name, 0, sizeof *name);
  if (peer->is_ipv6) {
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)name;
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(peer->port);
    six->sin6_scope_id = peer->scope;
    memcpy(&six->sin6_addr, peer->address, 16);
    return sizeof *six;
  }
  struct sockaddr_in *four = (struct sockaddr_in *)name;
  four->sin_family = AF_INET;
  four->sin_port = htons(peer->port);
  memcpy(&four->sin_addr, peer->address, 4);
  return sizeof *four;
}

static void from_name(const struct sockaddr_storage *name, struct udp_peer *peer) {
  memset(peer, 0, sizeof *peer);
  if (name->ss_family == AF_INET6) {
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)name;
    peer->is_ipv6 = true;
    peer->port = ntohs(six->sin6_port);
    peer->scope = six->sin6_scope_id;
    memcpy(peer->address, &six->sin6_addr, 16);
  } else {
    const struct sockaddr_in *four = (const struct sockaddr_in *)name;
    peer->port = ntohs(four->sin_port);
    memcpy(peer->address, &four->sin_addr, 4);
  }
}

static int set_up(int descriptor, const struct udp_peer *wanted, struct udp_peer *bound) {
  int on = 1;
  // Without this the IPv6 socket would take the port of IPv4 as well.
  if (wanted->is_ipv6 &&
      setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) != 0)
    return -errno;
  // A kernel that has no stamps leaves the arrival 0; the reader then looks at its own clock.
  (void)setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  struct sockaddr_storage name;
  socklen_t length = to_name(wanted, &name);
  if (bind(descriptor, (struct sockaddr *)&name, length) != 0) return -errno;
  length = sizeof name;
  if (getsockname(descriptor, (struct sockaddr *)&name, &length) != 0) return -errno;
  from_name(&name, bound);
  return 0;
}

int udp_open(const struct udp_peer *wanted, struct udp_peer *bound) {
  int descriptor = socket(
      wanted->is_ipv6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -errno;
  int result = set_up(descriptor, wanted, bound);
  if (result < 0) {
    close(descriptor);
    return result;
  }
  return descriptor;
}

int udp_set_receive_buffer(int descriptor, int bytes) {
  if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) != 0)
    (void)setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  int granted = 0;
  socklen_t length = sizeof granted;
  if (getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &granted, &length) != 0) return 0;
  return granted / 2;
}

uint32_t udp_dropped(int descriptor) {
  uint32_t values[SK_MEMINFO_VARS] = {0};
  socklen_t length = sizeof values;
  // Asked for here rather than sent along with each datagram (SO_RXQ_OVFL), because the end of a
  // burst that did not fit has no datagram behind it that could tell.
  if (getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, values, &length) != 0) return 0;
  return values[SK_MEMINFO_DROPS];
}

int udp_send(int descriptor, const void *bytes, size_t count, const struct udp_peer *peer) {
  struct sockaddr_storage name;
  socklen_t length = to_name(peer, &name);
  ssize_t sent = sendto(
      descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&name, length);
  return sent < 0 ? -errno : 0;
}

bool udp_parse_address(const char *text, struct udp_peer *peer) {
  memset(peer, 0, sizeof *peer);
  if (inet_pton(AF_INET, text, peer->address) == 1) return true;
  char bare[INET6_ADDRSTRLEN];
  const char *interface = strchr(text, '%');
  size_t length = interface != NULL ? (size_t)(interface - text) : strlen(text);
  if (length >= sizeof bare) return false;
  memcpy(bare, text, length);
  bare[length] = '\0';
  if (inet_pton(AF_INET6, bare, peer->address) != 1) return false;
  peer->is_ipv6 = true;
  if (interface == NULL) return true;
  peer->scope = if_nametoindex(interface + 1);
  return peer->scope != 0;
}

void udp_format_address(const struct udp_peer *peer, char *text) {
  text[0] = '\0';
  (void)inet_ntop(peer->is_ipv6 ? AF_INET6 : AF_INET, peer->address, text, INET6_ADDRSTRLEN);
  char interface[IF_NAMESIZE];
  if (peer->is_ipv6 && peer->scope != 0 && if_indextoname(peer->scope, interface) != NULL) {
    size_t length = strlen(text);
    snprintf(text + length, 64 - length, "%%%s", interface);
  }
}

struct udp_inbox *udp_inbox_create(int slots) {
  struct udp_inbox *inbox = calloc(1, sizeof *inbox);
  if (inbox == NULL) abort();
  inbox->slots = slots;
  inbox->bytes = malloc((size_t)slots * (LARGEST + GUARD));
  inbox->headers = calloc((size_t)slots, sizeof *inbox->headers);
  inbox->details = calloc((size_t)slots, sizeof *inbox->details);
  if (inbox->bytes == NULL || inbox->headers == NULL || inbox->details == NULL) abort();
  for (int index = 0; index < slots; index++) {
    struct slot *details = &inbox->details[index];
    details->vector.iov_base = inbox->bytes + (size_t)index * (LARGEST + GUARD);
    details->vector.iov_len = LARGEST;
    struct msghdr *header = &inbox->headers[index].msg_hdr;
    header->msg_name = &details->name;
    header->msg_iov = &details->vector;
    header->msg_iovlen = 1;
    header->msg_control = details->control;
  }
  return inbox;
}

void udp_inbox_destroy(struct udp_inbox *inbox) {
  free(inbox->details);
  free(inbox->headers);
  free(inbox->bytes);
  free(inbox);
}

int udp_inbox_receive(struct udp_inbox *inbox, int descriptor, int limit) {
  if (limit > inbox->slots) limit = inbox->slots;
  // The kernel overwrites the lengths with what it used.
  for (int index = 0; index < limit; index++) {
    inbox->headers[index].msg_hdr.msg_namelen = sizeof inbox->details[index].name;
    inbox->headers[index].msg_hdr.msg_controllen = sizeof inbox->details[index].control;
  }
  int received = recvmmsg(descriptor, inbox->headers, (unsigned)limit, MSG_DONTWAIT, NULL);
  return received < 0 ? -errno : received;
}

void udp_inbox_get(struct udp_inbox *inbox, int slot, struct udp_datagram *datagram) {
  struct msghdr *header = &inbox->headers[slot].msg_hdr;
  datagram->bytes = inbox->details[slot].vector.iov_base;
  datagram->count = inbox->headers[slot].msg_len;
  memset(datagram->bytes + datagram->count, 0, GUARD);
  from_name(&inbox->details[slot].name, &datagram->peer);
  datagram->arrival_nanoseconds = 0;
  for (struct cmsghdr *item = CMSG_FIRSTHDR(header); item != NULL;
       item = CMSG_NXTHDR(header, item)) {
    if (item->cmsg_level == SOL_SOCKET && item->cmsg_type == SCM_TIMESTAMPNS) {
      struct timespec stamp;
      memcpy(&stamp, CMSG_DATA(item), sizeof stamp);
      datagram->arrival_nanoseconds = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
    }
  }
}

bool udp_is_own_address(const struct udp_peer *peer) {
  int descriptor = socket(peer->is_ipv6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return false;
  struct udp_peer any = *peer;
  any.port = 0;
  struct sockaddr_storage name;
  socklen_t length = to_name(&any, &name);
  // The kernel binds a socket to the machine's own addresses and to no others.
  bool is_own = bind(descriptor, (struct sockaddr *)&name, length) == 0;
  close(descriptor);
  return is_own;
}

struct udp_outbox {
  int slots;
  size_t slot_bytes;
  uint8_t *bytes;
  struct mmsghdr *headers;
  struct iovec *vectors;
};

struct udp_outbox *udp_outbox_create(int slots, size_t slot_bytes) {
  struct udp_outbox *outbox = calloc(1, sizeof *outbox);
  if (outbox == NULL) abort();
  outbox->slots = slots;
  outbox->slot_bytes = slot_bytes;
  outbox->bytes = calloc((size_t)slots, slot_bytes);
  outbox->headers = calloc((size_t)slots, sizeof *outbox->headers);
  outbox->vectors = calloc((size_t)slots, sizeof *outbox->vectors);
  if (outbox->bytes == NULL || outbox->headers == NULL || outbox->vectors == NULL) abort();
  for (int slot = 0; slot < slots; slot++) {
    outbox->headers[slot].msg_hdr.msg_iov = &outbox->vectors[slot];
    outbox->headers[slot].msg_hdr.msg_iovlen = 1;
  }
  return outbox;
}

void udp_outbox_destroy(struct udp_outbox *outbox) {
  free(outbox->vectors);
  free(outbox->headers);
  free(outbox->bytes);
  free(outbox);
}

uint8_t *udp_outbox_bytes(struct udp_outbox *outbox, int slot) {
  return outbox->bytes + (size_t)slot * outbox->slot_bytes;
}

void udp_outbox_set(struct udp_outbox *outbox, int slot, size_t start, size_t count) {
  outbox->vectors[slot].iov_base = udp_outbox_bytes(outbox, slot) + start;
  outbox->vectors[slot].iov_len = count;
}

int udp_outbox_send(
    struct udp_outbox *outbox, int descriptor, int first, int end, const struct udp_peer *peer) {
  struct sockaddr_storage name;
  socklen_t length = to_name(peer, &name);
  for (int slot = first; slot < end; slot++) {
    outbox->headers[slot].msg_hdr.msg_name = &name;
    outbox->headers[slot].msg_hdr.msg_namelen = length;
  }
  int sent = sendmmsg(
      descriptor, outbox->headers + first, (unsigned)(end - first), MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent < 0 ? -errno : sent;
}

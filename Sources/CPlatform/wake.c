#define _GNU_SOURCE
#include "wake.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"

int crosspoint_wake_open(void) {
  int wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return wake < 0 ? -errno : wake;
}

void crosspoint_wake_signal(int wake) {
  const uint64_t one = 1;
  // It fails only when the counter is full, and then the descriptor is readable anyway.
  while (write(wake, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

int crosspoint_wake_clear(int wake) {
  uint64_t count = 0;
  ssize_t got;
  while ((got = read(wake, &count, sizeof count)) < 0 && errno == EINTR) {
  }
  return got == (ssize_t)sizeof count;
}

void crosspoint_close(int descriptor) { close(descriptor); }

int crosspoint_poll(int first, int second, int timeout_ms) {
  struct pollfd both[2] = {{.fd = first, .events = POLLIN}, {.fd = second, .events = POLLIN}};
  int ready = poll(both, 2, timeout_ms);
  if (ready <= 0) return 0;
  return (both[0].revents ? 1 : 0) | (both[1].revents ? 2 : 0);
}

void crosspoint_poll_all(struct pollfd *polled, int count, int64_t deadline_ns) {
  int64_t rest = 0;
  if (deadline_ns < INT64_MAX) {
    rest = deadline_ns - crosspoint_monotonic_ns();
    if (rest < 0) rest = 0;
  }
  struct timespec patience = {.tv_sec = rest / 1000000000, .tv_nsec = rest % 1000000000};
  int ready = ppoll(polled, (nfds_t)count, deadline_ns < INT64_MAX ? &patience : 0, 0);
  for (int place = 0; ready <= 0 && place < count; place++) polled[place].revents = 0;
}

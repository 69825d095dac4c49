// Wake-ups between threads: a descriptor that one thread makes readable and another polls.
#pragma once
#include <stdint.h>

#include "realtime.h"

/// A wake-up that is off, or -errno.
int crosspoint_wake_open(void);

/// Makes it readable.
CROSSPOINT_REALTIME void crosspoint_wake_signal(int wake);

/// Makes it unreadable; answers whether it was readable.
CROSSPOINT_REALTIME int crosspoint_wake_clear(int wake);

/// Closes a descriptor of this library.
void crosspoint_close(int descriptor);

/// Waits until one of two descriptors is readable or has failed (-1 stands for none).
/// Bit 0 answers for the first, bit 1 for the second, 0 means that the time is over; a signal
/// makes it come back early with 0. A negative timeout waits for ever.
CROSSPOINT_REALTIME int crosspoint_poll(int first, int second, int timeout_ms);

struct pollfd;

/// Waits until one of some descriptors is readable or has failed, at the latest until a moment of the
/// monotonic clock in nanoseconds (INT64_MAX is for ever); `revents` answer. A signal makes it come
/// back early, with nothing.
void crosspoint_poll_all(struct pollfd *polled, int count, int64_t deadline_ns);

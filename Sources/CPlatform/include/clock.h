// Time as the engine counts it: nanoseconds in 64 bits.
#pragma once
#include <stdint.h>

#include "realtime.h"

/// The monotonic clock, in nanoseconds.
CROSSPOINT_REALTIME int64_t crosspoint_monotonic_ns(void);

/// The processor time that the calling thread has used, in nanoseconds.
CROSSPOINT_REALTIME int64_t crosspoint_thread_cpu_ns(void);

/// A timer that becomes readable at a moment of the monotonic clock, or -errno.
int crosspoint_timer_open(void);

/// Arms a timer for an absolute time in nanoseconds; what was armed before is forgotten.
/// Answers 0 or -errno.
CROSSPOINT_REALTIME int crosspoint_timer_arm(int timer, int64_t deadline_ns);

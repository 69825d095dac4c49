#include "clock.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <time.h>

static int64_t nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t crosspoint_monotonic_ns(void) { return nanoseconds(CLOCK_MONOTONIC); }

int64_t crosspoint_thread_cpu_ns(void) { return nanoseconds(CLOCK_THREAD_CPUTIME_ID); }

int crosspoint_timer_open(void) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  return timer < 0 ? -errno : timer;
}

int crosspoint_timer_arm(int timer, int64_t deadline_ns) {
  // Zero would disarm it; a moment that has passed makes it readable at once.
  if (deadline_ns < 1) deadline_ns = 1;
  struct itimerspec setting = {
      .it_value = {.tv_sec = deadline_ns / 1000000000, .tv_nsec = deadline_ns % 1000000000}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, 0) < 0 ? -errno : 0;
}

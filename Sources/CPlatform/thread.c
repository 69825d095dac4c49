#define _GNU_SOURCE
#include "thread.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

crosspoint_stack crosspoint_stack_open(size_t bytes) {
  crosspoint_stack stack = {0};
  void *base = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return stack;
  stack.base = base;
  stack.bytes = bytes;
  // The lowest page stays out of reach, so that an overflow stops there.
  size_t guard = (size_t)sysconf(_SC_PAGESIZE);
  mprotect(base, guard, PROT_NONE);
  stack.is_locked = mlock((char *)base + guard, bytes - guard) == 0;
  return stack;
}

void crosspoint_stack_close(crosspoint_stack stack) {
  if (stack.base) munmap(stack.base, stack.bytes);
}

// A thread: what it runs, and a descriptor that becomes readable when it has run.
typedef struct {
  pthread_t thread;
  int ended;
  // Whether the thread has ended, or has been left to itself: who comes second cleans up.
  atomic_int parting;
  char name[16];
  void (*body)(void *);
  void *context;
} thread_record;

static void forget(thread_record *it) {
  close(it->ended);
  free(it);
}

static void *run(void *argument) {
  thread_record *it = argument;
  // Before anything else, so that nobody ever sees it without its name.
  pthread_setname_np(pthread_self(), it->name);
  it->body(it->context);
  uint64_t one = 1;
  // The counter of a descriptor that nobody else writes to cannot be full.
  ssize_t written = write(it->ended, &one, sizeof one);
  (void)written;
  if (atomic_exchange(&it->parting, 1)) forget(it);
  return 0;
}

int crosspoint_thread_start(
    uintptr_t *thread, const char *name, const crosspoint_stack *stack, void (*body)(void *),
    void *context) {
  thread_record *it = malloc(sizeof *it);
  if (!it) return ENOMEM;
  snprintf(it->name, sizeof it->name, "%s", name);
  atomic_init(&it->parting, 0);
  it->body = body;
  it->context = context;
  it->ended = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (it->ended < 0) {
    int error = errno;
    free(it);
    return error;
  }

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (stack && stack->base) pthread_attr_setstack(&attributes, stack->base, stack->bytes);

  // A thread inherits the mask of its maker: signals belong to the thread that polls for them.
  sigset_t all, before;
  sigfillset(&all);
  sigdelset(&all, SIGXCPU);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&it->thread, &attributes, run, it);
  pthread_sigmask(SIG_SETMASK, &before, 0);
  pthread_attr_destroy(&attributes);
  if (error) {
    forget(it);
    return error;
  }
  *thread = (uintptr_t)it;
  return 0;
}

// Waits for the thread's word that it ends, then for its end: a join with a time limit of the
// monotonic clock is none that the thread sanitizer knows.
int crosspoint_thread_join(uintptr_t thread, int64_t timeout_ns) {
  thread_record *it = (thread_record *)thread;
  struct pollfd ended = {.fd = it->ended, .events = POLLIN};
  int64_t deadline = crosspoint_monotonic_ns() + timeout_ns;
  int64_t left = timeout_ns;
  while (poll(&ended, 1, (int)((left + 999999) / 1000000)) != 1) {
    left = deadline - crosspoint_monotonic_ns();
    if (left <= 0) return 0;
  }
  uint64_t count;
  if (read(it->ended, &count, sizeof count) < 0) return 0;
  pthread_join(it->thread, 0);
  forget(it);
  return 1;
}

void crosspoint_thread_detach(uintptr_t thread) {
  thread_record *it = (thread_record *)thread;
  pthread_detach(it->thread);
  if (atomic_exchange(&it->parting, 1)) forget(it);
}

// The thread that has real-time priority now, 0 for none; the signal handler reads it.
static _Atomic int realtime_thread;
static _Atomic uint64_t demotions;

int crosspoint_realtime_enter(int priority) {
  struct rlimit limit;
  struct sched_param parameter = {.sched_priority = priority};
  int error = sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter) ? errno : 0;
  if (error && getrlimit(RLIMIT_RTPRIO, &limit) == 0 && limit.rlim_cur > 0 &&
      limit.rlim_cur < (rlim_t)priority) {
    parameter.sched_priority = (int)limit.rlim_cur;
    error = sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter) ? errno : 0;
  }
  if (!error) atomic_store(&realtime_thread, crosspoint_thread_id());
  return error;
}

void crosspoint_realtime_leave(void) {
  struct sched_param parameter = {0};
  int mine = crosspoint_thread_id();
  if (atomic_compare_exchange_strong(&realtime_thread, &mine, 0)) {
    sched_setscheduler(0, SCHED_OTHER, &parameter);
  }
}

static void demote(int signal) {
  (void)signal;
  int saved = errno;
  // The kernel gives the signal to the thread that caused it, unless that one cannot take it.
  int thread = crosspoint_thread_id();
  if ((sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO) {
    int mine = thread;
    atomic_compare_exchange_strong(&realtime_thread, &mine, 0);
  } else {
    thread = atomic_exchange(&realtime_thread, 0);
  }
  if (thread) {
    struct sched_param parameter = {0};
    sched_setscheduler(thread, SCHED_OTHER, &parameter);
    atomic_fetch_add(&demotions, 1);
  }
  errno = saved;
}

void crosspoint_realtime_guard(void) {
  struct sigaction action = {0};
  action.sa_handler = demote;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGXCPU, &action, 0);

  // Where soft and hard limit are equal the kernel kills without a warning: make room for one.
  struct rlimit limit;
  if (getrlimit(RLIMIT_RTTIME, &limit)) return;
  rlim_t soft = 1000000;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max / 2 < soft) soft = limit.rlim_max / 2;
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > soft) {
    limit.rlim_cur = soft;
    setrlimit(RLIMIT_RTTIME, &limit);
  }
}

uint64_t crosspoint_realtime_demotions(void) { return atomic_load(&demotions); }

int crosspoint_thread_id(void) { return (int)syscall(SYS_gettid); }

int crosspoint_memory_lock(const void *base, size_t bytes) {
  return mlock(base, bytes) ? errno : 0;
}

void crosspoint_memory_unlock(const void *base, size_t bytes) { munlock(base, bytes); }

// Threads with a name, a stack of their own and, for one of them, real-time priority.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "realtime.h"

/// The stack of the audio thread: allocated once, locked in memory where that is allowed.
typedef struct {
  void *base;
  size_t bytes;
  int is_locked;
} crosspoint_stack;

/// Allocates a stack; `base` is null when there is no memory.
crosspoint_stack crosspoint_stack_open(size_t bytes);

/// Frees a stack that no thread stands on.
void crosspoint_stack_close(crosspoint_stack stack);

/// Starts a thread that blocks every signal but SIGXCPU; 0 or an error number.
/// `stack` may be null for one of the usual size. The name has at most 15 bytes.
int crosspoint_thread_start(
    uintptr_t *thread, const char *name, const crosspoint_stack *stack, void (*body)(void *),
    void *context);

/// Waits until a thread has ended, at most so long; whether it has.
/// A thread that has not ended in time can be waited for again.
int crosspoint_thread_join(uintptr_t thread, int64_t timeout_ns);

/// Leaves a thread to itself.
void crosspoint_thread_detach(uintptr_t thread);

/// Makes the calling thread real-time (SCHED_FIFO, not inherited by children) at the given
/// priority, or at the highest that is allowed below it. 0, or the error number of the refusal.
int crosspoint_realtime_enter(int priority);

/// Ends what `crosspoint_realtime_enter` began; the same thread calls it.
void crosspoint_realtime_leave(void);

/// Catches SIGXCPU, which the kernel sends when a real-time thread has not blocked for longer than
/// the soft RLIMIT_RTTIME: the thread loses its priority, the program goes on. Sets the soft limit
/// to a second, or to half of the hard limit if that is less. Call once, before threads start.
void crosspoint_realtime_guard(void);

/// How often a thread has lost its priority that way.
uint64_t crosspoint_realtime_demotions(void);

/// The kernel's number of the calling thread.
CROSSPOINT_REALTIME int crosspoint_thread_id(void);

/// Keeps memory from being paged out; 0 or an error number.
int crosspoint_memory_lock(const void *base, size_t bytes);

/// Undoes `crosspoint_memory_lock`.
void crosspoint_memory_unlock(const void *base, size_t bytes);

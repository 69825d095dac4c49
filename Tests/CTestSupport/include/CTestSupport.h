// What tests need from the system and Swift cannot do: to watch a thread for allocations and
// locks, and to take rights away from it.
#pragma once
#include <stdint.h>

/// Whether allocations and locks are counted at all; sanitizers bring their own allocator.
int crosspoint_test_can_watch(void);

/// From now on counts what the calling thread allocates, frees and locks.
void crosspoint_test_watch_begin(void);

/// Ends it; answers how often it allocated or freed (low half) and locked (high half).
uint64_t crosspoint_test_watch_end(void);

/// Takes the right to be real-time from the calling thread and those it makes; 0, or -1.
int crosspoint_test_refuse_realtime(void);

/// The scheduling policy of a thread of this process, by its number.
int crosspoint_test_policy(int thread);

/// How many threads of this process have real-time priority now and are not called "audio".
int crosspoint_test_realtime_strangers(void);

/// Lets the calling thread's sendmmsg send so many datagrams and then find the socket's buffer full;
/// -1 lifts the limit.
void crosspoint_test_limit_sends(int count);

/// Sets the soft limit on real-time without a pause, in microseconds.
int crosspoint_test_limit_realtime(uint64_t microseconds);

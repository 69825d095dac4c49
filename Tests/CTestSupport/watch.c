// Stands before the C library's allocator and locks, and counts for the threads that ask for it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "CTestSupport.h"

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

int crosspoint_test_can_watch(void) { return 0; }
void crosspoint_test_watch_begin(void) {}
uint64_t crosspoint_test_watch_end(void) { return 0; }

#else

static _Thread_local int is_watched __attribute__((tls_model("initial-exec")));
static _Thread_local uint32_t allocations __attribute__((tls_model("initial-exec")));
static _Thread_local uint32_t locks __attribute__((tls_model("initial-exec")));

int crosspoint_test_can_watch(void) { return 1; }

void crosspoint_test_watch_begin(void) {
  allocations = 0;
  locks = 0;
  is_watched = 1;
}

uint64_t crosspoint_test_watch_end(void) {
  is_watched = 0;
  return (uint64_t)locks << 32 | allocations;
}

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *old);

void *malloc(size_t bytes) {
  allocations += is_watched;
  return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
  allocations += is_watched;
  return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes) {
  allocations += is_watched;
  return __libc_realloc(old, bytes);
}

void free(void *old) {
  allocations += is_watched;
  __libc_free(old);
}

void *memalign(size_t alignment, size_t bytes) {
  allocations += is_watched;
  return __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void **result, size_t alignment, size_t bytes) {
  *result = memalign(alignment, bytes);
  return *result ? 0 : ENOMEM;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static int (*original)(pthread_mutex_t *);
  int (*next)(pthread_mutex_t *) = __atomic_load_n(&original, __ATOMIC_RELAXED);
  if (!next) {
    next = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    __atomic_store_n(&original, next, __ATOMIC_RELAXED);
  }
  locks += is_watched;
  return next(mutex);
}

#endif

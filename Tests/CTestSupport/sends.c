// Stands before the C library's sendmmsg, and lets a thread's socket buffer look full.
#define _GNU_SOURCE
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CTestSupport.h"

static _Thread_local int room __attribute__((tls_model("initial-exec"))) = -1;

void crosspoint_test_limit_sends(int count) { room = count; }

int sendmmsg(int descriptor, struct mmsghdr *messages, unsigned count, int flags) {
  if (room == 0) {
    errno = EAGAIN;
    return -1;
  }
  if (room > 0 && count > (unsigned)room) count = (unsigned)room;
  int sent = (int)syscall(SYS_sendmmsg, descriptor, messages, count, flags);
  if (room > 0 && sent > 0) room -= sent;
  return sent;
}

#define _GNU_SOURCE
#include <dirent.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CTestSupport.h"

int crosspoint_test_refuse_realtime(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct data[2];
  if (syscall(SYS_capget, &header, data)) return -1;
  data[0].effective &= ~(1u << CAP_SYS_NICE);
  data[0].permitted &= ~(1u << CAP_SYS_NICE);
  if (syscall(SYS_capset, &header, data)) return -1;
  struct rlimit limit;
  if (getrlimit(RLIMIT_RTPRIO, &limit)) return -1;
  limit.rlim_cur = 0;
  return setrlimit(RLIMIT_RTPRIO, &limit);
}

int crosspoint_test_policy(int thread) {
  return sched_getscheduler(thread) & ~SCHED_RESET_ON_FORK;
}

int crosspoint_test_realtime_strangers(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return -1;
  int count = 0;
  struct dirent *entry;
  while ((entry = readdir(tasks))) {
    int thread = atoi(entry->d_name);
    if (thread <= 0) continue;
    int policy = crosspoint_test_policy(thread);
    if (policy != SCHED_FIFO && policy != SCHED_RR) continue;
    char path[64];
    char name[16] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", thread);
    FILE *file = fopen(path, "r");
    if (!file) continue;
    count += fgets(name, sizeof name, file) && strcmp(name, "audio\n") != 0;
    fclose(file);
  }
  closedir(tasks);
  return count;
}

int crosspoint_test_limit_realtime(uint64_t microseconds) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_RTTIME, &limit)) return -1;
  limit.rlim_cur = microseconds;
  return setrlimit(RLIMIT_RTTIME, &limit);
}

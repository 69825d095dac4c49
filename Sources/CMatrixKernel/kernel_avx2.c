#if defined(__x86_64__)
#define KERNEL avx2
#define LANES 8
#define GROUP_VECTORS 2
#define TARGET __attribute__((target("arch=x86-64-v3")))

#include "kernel_body.h"
#endif

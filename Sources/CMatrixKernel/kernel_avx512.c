#if defined(__x86_64__)
#define KERNEL avx512
#define LANES 16
#define MIX_VECTORS 4
#define MOVE_VECTORS 4
#define TARGET __attribute__((target("arch=x86-64-v4"), min_vector_width(512)))

#include "kernel_body.h"
#endif

#if defined(__x86_64__)
#define KERNEL avx2
#define LANES 8
// Twelve sums, three vectors of an input and a gain fill the sixteen registers, and four cycles of
// latency of two units with room to spare; with both sums of a moving pair a third vector would not fit.
#define MIX_VECTORS 3
#define MOVE_VECTORS 2
#define TARGET __attribute__((target("arch=x86-64-v3")))

#include "kernel_body.h"
#endif

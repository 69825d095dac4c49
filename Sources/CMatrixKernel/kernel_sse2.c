// The baseline: SSE2 on x86-64, whatever the compiler's vectors become elsewhere.
#if defined(__x86_64__)
#define KERNEL sse2
#else
#define KERNEL portable
#endif
#define LANES 4
#define MIX_VECTORS 2
#define MOVE_VECTORS 2
#define TARGET

#include "kernel_body.h"

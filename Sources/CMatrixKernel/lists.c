#include <string.h>

#include "CMatrixKernel.h"

// Most masks have the same to say as their neighbours, so eight are looked at together.
long cmk_list(const uint8_t *masks, long count, uint16_t *list, long *bits) {
  const uint64_t lowest = 0x0101010101010101, lanes = 0x0f0f0f0f0f0f0f0f;
  long listed = 0, set = 0, n = 0;
  for (; n + 8 <= count; n += 8) {
    uint64_t eight;
    memcpy(&eight, masks + n, sizeof eight);
    if (!eight) continue;
    set += __builtin_popcountll(eight);
    // The top bit of each byte tells whether the four lanes below it have a bit set.
    const uint64_t filled = ((eight & lanes) + lanes) & (lowest << 4);
    if (filled == lowest << 4) {
      for (long k = 0; k < 8; k++) list[listed + k] = (uint16_t)(n + k);
      listed += 8;
      continue;
    }
    for (long k = 0; k < 8; k++) {
      list[listed] = (uint16_t)(n + k);
      listed += masks[n + k] != 0;
    }
  }
  for (; n < count; n++) {
    set += __builtin_popcount(masks[n]);
    list[listed] = (uint16_t)n;
    listed += masks[n] != 0;
  }
  *bits = set;
  return listed;
}

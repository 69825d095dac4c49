// The functions of one instruction set. The including file defines KERNEL (its name), LANES (floats
// in a vector), GROUP_VECTORS (vectors of a group's tile that stay in registers) and TARGET.

#include <string.h>
#include <time.h>

#include "table.h"

#pragma STDC FP_CONTRACT ON

#define JOIN2(x, y) x##_##y
#define JOIN(x, y) JOIN2(x, y)
#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
#define INLINE static inline __attribute__((always_inline)) TARGET
#define SINGLE_VECTORS 4
#define UNROLL _Pragma("clang loop unroll(full)")

typedef float Vector __attribute__((vector_size(LANES * 4)));
typedef float LooseVector __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
typedef int32_t Bits __attribute__((vector_size(LANES * 4)));
typedef double Four __attribute__((vector_size(32)));
typedef float FourFloats __attribute__((vector_size(16)));
typedef uint32_t FourWords __attribute__((vector_size(16)));
typedef int64_t FourMasks __attribute__((vector_size(32)));
typedef int32_t FourShortMasks __attribute__((vector_size(16)));

#define LOAD(p) (*(const LooseVector *)(p))
#define STORE(p, v) (*(LooseVector *)(p) = (v))

// Runs `CALL` with the constant number of vectors of each tile of a segment.
#define TILES(widest, frames, CALL)                        \
  for (long f = 0; f < (frames);) {                        \
    const long left = ((frames) - f + LANES - 1) / LANES;  \
    const int v = left < (widest) ? (int)left : (widest);  \
    switch (v) {                                           \
      case 1: CALL(1); break;                              \
      case 2: CALL(2); break;                              \
      case 3: CALL(3); break;                              \
      default: CALL(4); break;                             \
    }                                                      \
    f += (long)v * LANES;                                  \
  }

INLINE void mix_group_tile(float *out, long pitch, CMKRows in, const uint16_t *list, long count,
                           const float *target, const int vectors) {
  Vector sum[4][4] = {0};
  for (long n = 0; n < count; n++) {
    const long i = list[n];
    const float *row = in.rows[i] + in.at;
    const float *gain = target + 4 * i;
    Vector x[4];
    UNROLL for (int v = 0; v < vectors; v++) x[v] = LOAD(row + v * LANES);
    UNROLL for (int o = 0; o < 4; o++) {
      UNROLL for (int v = 0; v < vectors; v++) sum[o][v] += x[v] * gain[o];
    }
  }
  UNROLL for (int o = 0; o < 4; o++) {
    UNROLL for (int v = 0; v < vectors; v++) STORE(out + o * pitch + v * LANES, sum[o][v]);
  }
}

TARGET static void mix_group(float *out, long pitch, CMKRows in, const uint16_t *list, long count,
                             const float *target, long frames) {
#define CALL(V) \
  mix_group_tile(out + f, pitch, (CMKRows){in.rows, in.at + f}, list, count, target, V)
  TILES(GROUP_VECTORS, frames, CALL)
#undef CALL
}

// Two outputs at a time: both sums of both then fill the registers that four outputs do above.
INLINE void move_pair_tile(float *out, long pitch, CMKRows in, const uint16_t *list, long count,
                           const float *a, const float *b, const float *powers,
                           const float *scaledPowers, const int vectors) {
  Vector sumA[2][4] = {0}, sumB[2][4] = {0};
  for (long n = 0; n < count; n++) {
    const long i = list[n];
    const float *row = in.rows[i] + in.at;
    Vector x[4];
    UNROLL for (int v = 0; v < vectors; v++) x[v] = LOAD(row + v * LANES);
    UNROLL for (int o = 0; o < 2; o++) {
      UNROLL for (int v = 0; v < vectors; v++) {
        sumA[o][v] += x[v] * a[4 * i + o];
        sumB[o][v] += x[v] * b[4 * i + o];
      }
    }
  }
  UNROLL for (int o = 0; o < 2; o++) {
    UNROLL for (int v = 0; v < vectors; v++) {
      float *to = out + o * pitch + v * LANES;
      const Vector gliding =
          LOAD(powers + v * LANES) * sumA[o][v] + LOAD(scaledPowers + v * LANES) * sumB[o][v];
      STORE(to, LOAD(to) + gliding);
    }
  }
}

TARGET static void move_group(float *out, long pitch, CMKRows in, const uint16_t *list, long count,
                              const float *a, const float *b, const float *powers,
                              const float *scaledPowers, long frames) {
#define CALL(V)                                                                               \
  move_pair_tile(out + f, pitch, (CMKRows){in.rows, in.at + f}, list, count, a, b, powers + f, \
                 scaledPowers + f, V);                                                        \
  move_pair_tile(out + 2 * pitch + f, pitch, (CMKRows){in.rows, in.at + f}, list, count, a + 2, \
                 b + 2, powers + f, scaledPowers + f, V)
  TILES(GROUP_VECTORS, frames, CALL)
#undef CALL
}

INLINE void mix_single_tile(float *out, CMKRows in, const uint16_t *list, long count,
                            const float *target, const int vectors) {
  Vector sum[4] = {0};
  for (long n = 0; n < count; n++) {
    const long i = list[n];
    const float *row = in.rows[i] + in.at;
    UNROLL for (int v = 0; v < vectors; v++) sum[v] += LOAD(row + v * LANES) * target[4 * i];
  }
  UNROLL for (int v = 0; v < vectors; v++) STORE(out + v * LANES, sum[v]);
}

TARGET static void mix_single(float *out, CMKRows in, const uint16_t *list, long count,
                              const float *target, long frames) {
#define CALL(V) mix_single_tile(out + f, (CMKRows){in.rows, in.at + f}, list, count, target, V)
  TILES(SINGLE_VECTORS, frames, CALL)
#undef CALL
}

INLINE void move_single_tile(float *out, CMKRows in, const uint16_t *list, long count,
                             const float *a, const float *b, const float *powers,
                             const float *scaledPowers, const int vectors) {
  Vector sumA[4] = {0}, sumB[4] = {0};
  for (long n = 0; n < count; n++) {
    const long i = list[n];
    const float *row = in.rows[i] + in.at;
    UNROLL for (int v = 0; v < vectors; v++) {
      const Vector x = LOAD(row + v * LANES);
      sumA[v] += x * a[4 * i];
      sumB[v] += x * b[4 * i];
    }
  }
  UNROLL for (int v = 0; v < vectors; v++) {
    float *to = out + v * LANES;
    const Vector gliding =
        LOAD(powers + v * LANES) * sumA[v] + LOAD(scaledPowers + v * LANES) * sumB[v];
    STORE(to, LOAD(to) + gliding);
  }
}

TARGET static void move_single(float *out, CMKRows in, const uint16_t *list, long count,
                               const float *a, const float *b, const float *powers,
                               const float *scaledPowers, long frames) {
#define CALL(V)                                                                             \
  move_single_tile(out + f, (CMKRows){in.rows, in.at + f}, list, count, a, b, powers + f,    \
                   scaledPowers + f, V)
  TILES(SINGLE_VECTORS, frames, CALL)
#undef CALL
}

TARGET static void scale(float *to, const float *from, float gain, long frames) {
  for (long f = 0; f < frames; f += LANES) STORE(to + f, LOAD(from + f) * gain);
}

TARGET static void glide(float *to, const float *from, float target, float a, float b,
                         const float *powers, const float *scaledPowers, long frames) {
  for (long f = 0; f < frames; f += LANES) {
    const Vector way = LOAD(powers + f) * a + LOAD(scaledPowers + f) * b;
    STORE(to + f, LOAD(from + f) * (way + target));
  }
}

TARGET static void multiply(float *to, const float *by, long frames) {
  for (long f = 0; f < frames; f += LANES) STORE(to + f, LOAD(to + f) * LOAD(by + f));
}

INLINE Bits higher(Bits x, Bits y) {
  const Bits above = x > y;
  return (x & above) | (y & ~above);
}

// Adds the lanes up in pairs, so that no long chain of additions forms.
INLINE float reduce_sum(Vector x) {
#if LANES == 16
  typedef float Half __attribute__((vector_size(32)));
  const Half eight = __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) +
                     __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
#elif LANES == 8
  const Vector eight = x;
#endif
#if LANES >= 8
  const FourFloats four = __builtin_shufflevector(eight, eight, 0, 1, 2, 3) +
                          __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
#else
  const Vector four = x;
#endif
  return (four[0] + four[1]) + (four[2] + four[3]);
}

// Magnitudes compare as their bits do, and the bits of a NaN are above everything finite.
INLINE void measure(const float *row, long frames, float *peak, double *sum) {
  Bits top = {0};
  Vector squares = {0};
  long f = 0;
  for (; f + LANES <= frames; f += LANES) {
    const Vector x = LOAD(row + f);
    top = higher((Bits)x & 0x7fffffff, top);
    squares += x * x;
  }
  if (f < frames) {
    Vector x = {0};
    memcpy(&x, row + f, (size_t)(frames - f) * sizeof(float));
    top = higher((Bits)x & 0x7fffffff, top);
    squares += x * x;
  }
  const int32_t highest = __builtin_reduce_max(top);
  int32_t before;
  memcpy(&before, peak, sizeof before);
  if (highest > before) memcpy(peak, &highest, sizeof highest);
  *sum += (double)reduce_sum(squares);
}

TARGET static void measure_rows(const float *row, long pitch, long rows, const uint8_t *wanted,
                                long frames, float *peaks, double *sums) {
  for (long n = 0; n < rows; n++) {
    if (!wanted || wanted[n]) measure(row + n * pitch, frames, peaks + n, sums + n);
  }
}

static const int32_t JOIN(lane_masks, KERNEL)[16][4] = {
    {0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},
    {0, 0, -1, 0},  {-1, 0, -1, 0},  {0, -1, -1, 0},  {-1, -1, -1, 0},
    {0, 0, 0, -1},  {-1, 0, 0, -1},  {0, -1, 0, -1},  {-1, -1, 0, -1},
    {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1}};

#define AT(type, array, slot) (*(type *)((array) + (slot)))
#define LANE_MASK(nibble) (*(const FourShortMasks *)JOIN(lane_masks, KERNEL)[(nibble) & 15])

// Whether a masked lane's block has come; blocks wrap.
INLINE int is_due(FourWords due, uint32_t block, FourShortMasks lanes) {
  return __builtin_reduce_or(((FourShortMasks)(block - due) >= 0) & lanes) != 0;
}

TARGET static void rebase(const CMKGains *gains, long firstEntry, const uint16_t *list, long count,
                          double decay, double frames) {
  for (long n = 0; n < count; n++) {
    const long slot = 4 * (firstEntry + list[n]);
    const Four b = AT(Four, gains->stateB, slot);
    const Four nextA = (AT(Four, gains->stateA, slot) + b * frames) * decay;
    const Four nextB = b * decay;
    AT(Four, gains->stateA, slot) = nextA;
    AT(Four, gains->stateB, slot) = nextB;
    AT(FourFloats, gains->a, slot) = __builtin_convertvector(nextA, FourFloats);
    AT(FourFloats, gains->b, slot) = __builtin_convertvector(nextB, FourFloats);
  }
}

TARGET static long find_due(const CMKGains *gains, long firstEntry, const uint16_t *list,
                            long count, uint32_t block, uint16_t *due, int32_t *nearest) {
  const FourShortMasks never = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
  FourShortMasks ahead = never;
  long found = 0;
  for (long n = 0; n < count; n++) {
    const long entry = firstEntry + list[n];
    const int lanes =
        gains->moving[entry] & ~(gains->fadingRatio[entry] | gains->fadingPolynomial[entry]);
    const FourShortMasks distance =
        (FourShortMasks)(AT(FourWords, gains->settleBlock, 4 * entry) - block);
    const FourShortMasks late = (distance <= 0) & LANE_MASK(lanes);
    const FourShortMasks waiting = LANE_MASK(lanes) & ~late;
    const FourShortMasks candidate = (distance & waiting) | (never & ~waiting);
    const FourShortMasks closer = candidate < ahead;
    ahead = (candidate & closer) | (ahead & ~closer);
    due[found] = (uint16_t)n;
    found += __builtin_reduce_or(late) != 0;
  }
  const int32_t closest = __builtin_reduce_min(ahead);
  if (closest < *nearest) *nearest = closest;
  return found;
}

// Aims the masked lanes of an entry at new targets.
INLINE void aim(const CMKGains *gains, long slot, FourShortMasks lanes, const Four *level,
                double aimA, double aimB) {
  const FourFloats before = AT(FourFloats, gains->target, slot);
  const FourFloats wanted =
      __builtin_convertvector(*level * AT(Four, gains->factor, slot), FourFloats);
  const FourFloats target = (FourFloats)(((FourShortMasks)wanted & lanes) |
                                         ((FourShortMasks)before & ~lanes));
  const Four change =
      __builtin_convertvector(before, Four) - __builtin_convertvector(target, Four);
  const Four a = AT(Four, gains->stateA, slot) + change * aimA;
  const Four b = AT(Four, gains->stateB, slot) + change * aimB;
  AT(Four, gains->stateA, slot) = a;
  AT(Four, gains->stateB, slot) = b;
  AT(FourFloats, gains->target, slot) = target;
  AT(FourFloats, gains->a, slot) = __builtin_convertvector(a, FourFloats);
  AT(FourFloats, gains->b, slot) = __builtin_convertvector(b, FourFloats);
}

TARGET static long step_ratio(const CMKGains *gains, long firstEntry, const uint16_t *list,
                              long count, double aimA, double aimB, uint32_t block,
                              uint16_t *ended) {
  long found = 0;
  for (long n = 0; n < count; n++) {
    const long entry = firstEntry + list[n];
    const long slot = 4 * entry;
    const FourShortMasks lanes = LANE_MASK(gains->fadingRatio[entry]);
    const Four level = AT(Four, gains->fadeLevel, slot) * AT(Four, gains->fadeRatio, slot);
    AT(Four, gains->fadeLevel, slot) = level;
    aim(gains, slot, lanes, &level, aimA, aimB);
    ended[found] = (uint16_t)n;
    found += is_due(AT(FourWords, gains->fadeEndBlock, slot), block, lanes);
  }
  return found;
}

TARGET static long step_polynomial(const CMKGains *gains, long firstEntry, const uint16_t *list,
                                   long count, double aimA, double aimB, uint32_t block,
                                   uint16_t *ended) {
  long found = 0;
  for (long n = 0; n < count; n++) {
    const long entry = firstEntry + list[n];
    const long slot = 4 * entry;
    const FourShortMasks lanes = LANE_MASK(gains->fadingPolynomial[entry]);
    const FourMasks smooth =
        __builtin_convertvector(LANE_MASK(gains->fadingSmooth[entry]), FourMasks);
    const Four time = AT(Four, gains->fadeTime, slot) + AT(Four, gains->fadeTimeStep, slot);
    AT(Four, gains->fadeTime, slot) = time;
    const Four curved = time * time * (3.0 - 2.0 * time);
    const Four way = (Four)(((FourMasks)curved & smooth) | ((FourMasks)time & ~smooth));
    const Four level = AT(Four, gains->fadeStart, slot) + AT(Four, gains->fadeDelta, slot) * way;
    aim(gains, slot, lanes, &level, aimA, aimB);
    ended[found] = (uint16_t)n;
    found += is_due(AT(FourWords, gains->fadeEndBlock, slot), block, lanes);
  }
  return found;
}

// As many sums as hide the latency of two units, and few enough to stay in registers.
#define PEAK_SUMS (LANES == 16 ? 24 : 12)

TARGET static double peak(void) {
  const long rounds = 200000;
  volatile float seed = 0.999f;
  double best = 0;
  for (int attempt = 0; attempt < 5; attempt++) {
    Vector sum[24] = {0};
    const Vector x = (Vector){0} + seed;
    const Vector y = (Vector){0} + seed * 0.5f;
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (long n = 0; n < rounds; n++) {
      UNROLL for (int s = 0; s < PEAK_SUMS; s++) sum[s] = sum[s] * x + y;
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    Vector all = {0};
    UNROLL for (int s = 0; s < PEAK_SUMS; s++) all += sum[s];
    volatile float sink = all[0];
    (void)sink;
    const double nanoseconds = (double)(after.tv_sec - before.tv_sec) * 1e9 +
                               (double)(after.tv_nsec - before.tv_nsec);
    const double rate = (double)rounds * PEAK_SUMS * LANES / nanoseconds;
    if (rate > best) best = rate;
  }
  return best;
}

const CMKTable JOIN(cmk_table, KERNEL) = {
    .name = TEXT(KERNEL),
    .peak = peak,
    .mix_group = mix_group,
    .move_group = move_group,
    .mix_single = mix_single,
    .move_single = move_single,
    .scale = scale,
    .glide = glide,
    .multiply = multiply,
    .measure_rows = measure_rows,
    .rebase = rebase,
    .find_due = find_due,
    .step_ratio = step_ratio,
    .step_polynomial = step_polynomial,
};

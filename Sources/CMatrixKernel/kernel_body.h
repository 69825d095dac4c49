// The functions of one instruction set. The including file defines KERNEL (its name), LANES (floats
// in a vector), TARGET, and MIX_VECTORS and MOVE_VECTORS: of how many vectors the tile of a group is
// whose sums stay in registers, settled and moving.

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
typedef double Four __attribute__((vector_size(32), may_alias));
typedef float FourFloats __attribute__((vector_size(16), may_alias));
typedef uint32_t FourWords __attribute__((vector_size(16), may_alias));
typedef int64_t FourMasks __attribute__((vector_size(32), may_alias));
typedef int32_t FourShortMasks __attribute__((vector_size(16), may_alias));

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
  TILES(MIX_VECTORS, frames, CALL)
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
  TILES(MOVE_VECTORS, frames, CALL)
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

// The higher magnitude of x and of what is there. Magnitudes compare as their bits do, so that what is
// not finite stands above all that is.
INLINE Bits higher_magnitude(Vector x, Bits top) {
  return __builtin_elementwise_max((Bits)x & 0x7fffffff, top);
}

// Four lanes that hold the sum, or the highest, of all lanes.
#if LANES == 16
typedef float Half __attribute__((vector_size(32)));
typedef int32_t HalfBits __attribute__((vector_size(32)));
#define LOW_HALF(x) __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7)
#define HIGH_HALF(x) __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15)
#endif
#define LOW_FOUR(x) __builtin_shufflevector(x, x, 0, 1, 2, 3)
#define HIGH_FOUR(x) __builtin_shufflevector(x, x, 4, 5, 6, 7)

INLINE FourFloats fold_sum(Vector x) {
#if LANES == 16
  const Half half = LOW_HALF(x) + HIGH_HALF(x);
  return LOW_FOUR(half) + HIGH_FOUR(half);
#elif LANES == 8
  return LOW_FOUR(x) + HIGH_FOUR(x);
#else
  return x;
#endif
}

INLINE FourShortMasks fold_highest(Bits x) {
#if LANES == 16
  const HalfBits half = __builtin_elementwise_max(LOW_HALF(x), HIGH_HALF(x));
  return __builtin_elementwise_max(LOW_FOUR(half), HIGH_FOUR(half));
#elif LANES == 8
  return __builtin_elementwise_max(LOW_FOUR(x), HIGH_FOUR(x));
#else
  return x;
#endif
}

// Rows 0 to 3 by lane, from four lanes of each.
#define TRANSPOSE_FOLD(p, FOLD)                                                            \
  const __typeof__(p[0]) even = FOLD(__builtin_shufflevector(p[0], p[1], 0, 4, 1, 5),      \
                                     __builtin_shufflevector(p[0], p[1], 2, 6, 3, 7));     \
  const __typeof__(p[0]) odd = FOLD(__builtin_shufflevector(p[2], p[3], 0, 4, 1, 5),       \
                                    __builtin_shufflevector(p[2], p[3], 2, 6, 3, 7));      \
  return FOLD(__builtin_shufflevector(even, odd, 0, 1, 4, 5),                              \
              __builtin_shufflevector(even, odd, 2, 3, 6, 7))
#define PLUS(x, y) ((x) + (y))

INLINE FourFloats sums_of_four(const FourFloats p[4]) { TRANSPOSE_FOLD(p, PLUS); }
INLINE FourShortMasks highest_of_four(const FourShortMasks p[4]) {
  TRANSPOSE_FOLD(p, __builtin_elementwise_max);
}

// Four rows at a time: eight chains hide each other's latency, and the last steps are shared.
INLINE void measure_four(const float *row, long pitch, long frames, FourShortMasks *highest,
                         FourFloats *squares) {
  Bits top[4] = {{0}};
  Vector sum[4] = {{0}};
  const long whole = frames - frames % LANES;
  _Pragma("clang loop unroll(disable)") for (long f = 0; f < whole; f += LANES) {
    UNROLL for (int n = 0; n < 4; n++) {
      const Vector x = LOAD(row + n * pitch + f);
      top[n] = higher_magnitude(x, top[n]);
      sum[n] += x * x;
    }
  }
  if (whole < frames) {
    UNROLL for (int n = 0; n < 4; n++) {
      Vector x = {0};
      memcpy(&x, row + n * pitch + whole, (size_t)(frames - whole) * sizeof(float));
      top[n] = higher_magnitude(x, top[n]);
      sum[n] += x * x;
    }
  }
  const FourShortMasks tops[4] = {fold_highest(top[0]), fold_highest(top[1]),
                                  fold_highest(top[2]), fold_highest(top[3])};
  const FourFloats sums[4] = {fold_sum(sum[0]), fold_sum(sum[1]), fold_sum(sum[2]),
                              fold_sum(sum[3])};
  *highest = highest_of_four(tops);
  *squares = sums_of_four(sums);
}

// The highest magnitude of four rows, as bits.
INLINE int32_t highest_of_rows(const float *row, long pitch, long frames) {
  Bits top[4] = {{0}};
  const long whole = frames - frames % LANES;
  _Pragma("clang loop unroll(disable)") for (long f = 0; f < whole; f += LANES) {
    UNROLL for (int n = 0; n < 4; n++) {
      top[n] = higher_magnitude(LOAD(row + n * pitch + f), top[n]);
    }
  }
  if (whole < frames) {
    UNROLL for (int n = 0; n < 4; n++) {
      Vector x = {0};
      memcpy(&x, row + n * pitch + whole, (size_t)(frames - whole) * sizeof(float));
      top[n] = higher_magnitude(x, top[n]);
    }
  }
  return __builtin_reduce_max(__builtin_elementwise_max(
      __builtin_elementwise_max(top[0], top[1]), __builtin_elementwise_max(top[2], top[3])));
}

// The bits of infinity; those of what is not a number lie above.
#define INFINITE 0x7f800000

INLINE int32_t bits_of(float x) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

INLINE void count_row_faults(const float *row, long frames, int32_t fullScale, uint64_t *faults) {
  int32_t clipped = 0, notANumber = 0, infinite = 0;
  for (long f = 0; f < frames; f++) {
    const int32_t x = bits_of(row[f]) & 0x7fffffff;
    clipped += x >= fullScale && x < INFINITE;
    notANumber += x > INFINITE;
    infinite += x == INFINITE;
  }
  faults[0] += (uint64_t)clipped;
  faults[1] += (uint64_t)notANumber;
  faults[2] += (uint64_t)infinite;
}

INLINE void count_clipped(const float *row, long frames, int32_t fullScale, uint64_t *faults) {
  int32_t clipped = 0;
  for (long f = 0; f < frames; f++) clipped += (bits_of(row[f]) & 0x7fffffff) >= fullScale;
  faults[0] += (uint64_t)clipped;
}

INLINE int any_wanted(const uint8_t *wanted, long first) {
  uint32_t any = 1;
  if (wanted) memcpy(&any, wanted + first, sizeof any);
  return any != 0;
}

// Four rows of which the highest magnitude is known. That something clips is usual, and that something
// is not finite never happens where nothing is broken.
TARGET static void count_four(const float *row, long pitch, long frames, int32_t highest,
                              int32_t fullScale, uint64_t *faults) {
  for (long n = 0; n < 4; n++) {
    if (highest < INFINITE) {
      count_clipped(row + n * pitch, frames, fullScale, faults + 3 * n);
    } else {
      count_row_faults(row + n * pitch, frames, fullScale, faults + 3 * n);
    }
  }
}

TARGET static void measure_rows(const float *row, long pitch, long rows, const uint8_t *wanted,
                                long frames, float *peaks, double *sums, float fullScale,
                                uint64_t *faults) {
  const int32_t limit = bits_of(fullScale);
  for (long first = 0; first < rows; first += 4) {
    if (!any_wanted(wanted, first)) continue;
    FourShortMasks highest;
    FourFloats squares;
    measure_four(row + first * pitch, pitch, frames, &highest, &squares);
    const FourShortMasks before = *(const FourShortMasks *)(peaks + first);
    *(FourShortMasks *)(peaks + first) = __builtin_elementwise_max(highest, before);
    *(Four *)(sums + first) += __builtin_convertvector(squares, Four);
    const int32_t top = __builtin_reduce_max(highest);
    if (faults && top >= limit) {
      count_four(row + first * pitch, pitch, frames, top, limit, faults + 3 * first);
    }
  }
}

TARGET static void count_faults(const float *row, long pitch, long rows, const uint8_t *wanted,
                                long frames, float fullScale, uint64_t *faults) {
  const int32_t limit = bits_of(fullScale);
  for (long first = 0; first < rows; first += 4) {
    if (!any_wanted(wanted, first)) continue;
    const int32_t top = highest_of_rows(row + first * pitch, pitch, frames);
    if (top >= limit) {
      count_four(row + first * pitch, pitch, frames, top, limit, faults + 3 * first);
    }
  }
}

// The compiler would call memset, which costs more than these few stores.
__attribute__((no_builtin("memset"))) TARGET static void zero_rows(float *to, long pitch,
                                                                   long rows, long frames) {
  for (long n = 0; n < rows; n++) {
    for (long f = 0; f < frames; f += LANES) STORE(to + n * pitch + f, (Vector){0});
  }
}

#include "kernel_gains.h"

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
    .zero_rows = zero_rows,
    .measure_rows = measure_rows,
    .count_faults = count_faults,
    .rebase = rebase,
    .follow = follow,
    .settle = settle,
    .finish_fades = finish_fades,
    .step_ratio = step_ratio,
    .step_gain = step_gain,
};

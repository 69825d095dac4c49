#include "samples.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "samples are little-endian on every machine that this runs on"
#endif

typedef float floats __attribute__((vector_size(16)));
typedef int32_t ints __attribute__((vector_size(16)));

static inline floats all(float value) { return (floats){value, value, value, value}; }

// A mask is -1 where it holds.
static inline ints choose(ints mask, ints yes, ints no) { return (mask & yes) | (~mask & no); }

static inline int64_t sum(ints mask) {
  return -((int64_t)mask[0] + mask[1] + mask[2] + mask[3]);
}

// 0 for what is NaN or infinite: those have all bits of the exponent.
static inline floats finite(floats value, ints *nonfinite) {
  ints bits = (ints)value;
  ints mask = (bits & 0x7fffffff) >= 0x7f800000;
  *nonfinite += mask;
  return (floats)(bits & ~mask);
}

static inline ints code(
    floats value, floats noise, float scale, ints *clipped, ints *nonfinite) {
  floats scaled = finite(value, nonfinite) * all(scale) + noise;
  // What would round to a code beyond the last one. At 24 bits below, and at 32 on both sides, half
  // a code is finer than floats are, and the constant is the last float that still fits.
  ints above = scaled >= all(scale - 1) + all(0.5f);
  ints below = scaled < all(-scale) - all(0.5f);
  *clipped += above + below;
  floats inside = (floats)((ints)scaled & ~(above | below));
  // Towards zero, and then one up or down by what was cut off; both are exact.
  ints whole = __builtin_convertvector(inside, ints);
  floats rest = inside - __builtin_convertvector(whole, floats);
  whole = whole - (ints)(rest >= 0.5f) + (ints)(rest < -0.5f);
  int32_t highest = scale > 1e9f ? INT32_MAX : (int32_t)scale - 1;
  int32_t lowest = -highest - 1;
  ints top = {highest, highest, highest, highest};
  ints bottom = {lowest, lowest, lowest, lowest};
  return choose(above, top, choose(below, bottom, whole));
}

cmk_mended cmk_encode_codes(
    const float *samples, size_t count, int bits, const float *noise, int32_t *codes) {
  float scale = bits == 16 ? 0x1p15f : bits == 24 ? 0x1p23f : 0x1p31f;
  ints clipped = {0};
  ints nonfinite = {0};
  for (size_t done = 0; done < count; done += 4) {
    size_t bytes = count - done < 4 ? (count - done) * 4 : 16;
    floats value = {0};
    floats added = {0};
    ints result;
    if (bytes == 16) {
      memcpy(&value, samples + done, 16);
      if (noise) memcpy(&added, noise + done, 16);
      result = code(value, added, scale, &clipped, &nonfinite);
      memcpy(codes + done, &result, 16);
    } else {
      memcpy(&value, samples + done, bytes);
      if (noise) memcpy(&added, noise + done, bytes);
      result = code(value, added, scale, &clipped, &nonfinite);
      memcpy(codes + done, &result, bytes);
    }
  }
  return (cmk_mended){.clipped = sum(clipped), .nonfinite = sum(nonfinite)};
}

static inline floats bounded(floats value, ints *clipped, ints *nonfinite) {
  value = finite(value, nonfinite);
  ints above = value > 1.0f;
  ints below = value < -1.0f;
  *clipped += above + below;
  return (floats)choose(above, (ints)all(1), choose(below, (ints)all(-1), (ints)value));
}

cmk_mended cmk_encode_floats(const float *samples, size_t count, void *target) {
  char *bytes = target;
  ints clipped = {0};
  ints nonfinite = {0};
  size_t done = 0;
  for (; done + 4 <= count; done += 4) {
    floats value;
    memcpy(&value, samples + done, 16);
    value = bounded(value, &clipped, &nonfinite);
    memcpy(bytes + done * 4, &value, 16);
  }
  if (done < count) {
    floats value = {0};
    memcpy(&value, samples + done, (count - done) * 4);
    value = bounded(value, &clipped, &nonfinite);
    memcpy(bytes + done * 4, &value, (count - done) * 4);
  }
  return (cmk_mended){.clipped = sum(clipped), .nonfinite = sum(nonfinite)};
}

cmk_mended cmk_decode_floats(const void *source, size_t count, float *samples) {
  const char *bytes = source;
  ints nonfinite = {0};
  size_t done = 0;
  for (; done + 4 <= count; done += 4) {
    floats value;
    memcpy(&value, bytes + done * 4, 16);
    value = finite(value, &nonfinite);
    memcpy(samples + done, &value, 16);
  }
  if (done < count) {
    floats value = {0};
    memcpy(&value, bytes + done * 4, (count - done) * 4);
    value = finite(value, &nonfinite);
    memcpy(samples + done, &value, (count - done) * 4);
  }
  return (cmk_mended){.nonfinite = sum(nonfinite)};
}

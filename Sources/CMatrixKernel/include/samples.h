#pragma once

#include <stddef.h>
#include <stdint.h>

// From floats to what a card or a file takes, four at a time in the registers that every processor
// has: saturated, rounded to the nearest code, and counted where something had to be mended.

typedef struct {
  /// Samples beyond full scale, which were saturated.
  int64_t clipped;
  /// Samples that were NaN or infinite, which became 0.
  int64_t nonfinite;
} cmk_mended;

/// Codes of `bits` (16, 24 or 32) bits, where full scale is 2^(bits - 1). `noise`, if there is any,
/// is added in units of a code before rounding.
__attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation"))) cmk_mended cmk_encode_codes(
    const float *_Nonnull samples, size_t count, int bits, const float *_Nullable noise,
    int32_t *_Nonnull codes);

/// Floats between -1 and 1; `target` need not be aligned.
__attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation"))) cmk_mended cmk_encode_floats(
    const float *_Nonnull samples, size_t count, void *_Nonnull target);

/// Floats as they are, but finite; `source` need not be aligned. Counts `nonfinite` only.
__attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation"))) cmk_mended cmk_decode_floats(
    const void *_Nonnull source, size_t count, float *_Nonnull samples);

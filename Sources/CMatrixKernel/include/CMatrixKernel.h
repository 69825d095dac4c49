#pragma once

#include <stddef.h>
#include <stdint.h>

#include "samples.h"

#ifdef __cplusplus
extern "C" {
#endif

// The inner loops of the matrix mixer, once per instruction set.
//
// Gains live in entries of four neighbours: a crosspoint entry is one input's gains to a group of
// four outputs. Rows are planar and may be read and written up to CMK_OVERRUN frames past the
// frames asked for (the meters never are); what lands there is overwritten by the next segment.
//
// A gain at frame n, told from an origin at frame G, is with k = n - G + 1
//   g = target + a * r^k + b * k * r^k
// and the two tables of powers come from the caller, beginning at the segment's first frame.

#define CMK_OVERRUN 16

// Vouches to the Swift compiler that a function neither locks nor allocates.
#if defined(__swift__) || defined(__clang__)
#define CMK_REALTIME __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))
#else
#define CMK_REALTIME
#endif

#pragma clang assume_nonnull begin

// Every gain's state, by slot (entry * 4 + lane), and masks with a bit per lane, by entry.
typedef struct CMKGains {
  float *target;
  float *a;
  float *b;
  double *stateA;
  double *stateB;
  uint32_t *settleBlock;
  double *fadeLevel;       // the level aimed at, times the gain's factor
  double *fadeStep;        // in decibels: what it is multiplied by per grid step; else what is added
  double *fadeSecondStep;  // and what is added to that
  double *fadeThirdStep;   // and to that
  uint32_t *fadeEndBlock;
  uint8_t *moving;
  uint8_t *fadingRatio;
  uint8_t *fadingCubic;
} CMKGains;

// Input rows of a segment: a pointer per input, and where in the row the segment begins.
typedef struct CMKRows {
  const float *_Nonnull *_Nonnull rows;
  long at;
} CMKRows;

// One instruction set's functions.
typedef struct CMKTable CMKTable;

// The table of an instruction set by its name (sse2, avx2, avx512; portable where there is no
// x86), or null when the name is unknown or this processor has not got it.
const CMKTable *_Nullable cmk_table(const char *name);
// The widest of them that this processor has.
const CMKTable *cmk_best_table(void);
const char *cmk_table_name(const CMKTable *table);
// Multiply-adds a second, in thousand millions, on at least ten independent accumulators.
double cmk_peak(const CMKTable *table);

// Four outputs = sum over the listed inputs of target * row, in the order of the list.
void cmk_mix_group(const CMKTable *table, float *out, long pitch, CMKRows in,
                   const uint16_t *list, long count, const float *target, long frames) CMK_REALTIME;
// Four outputs += r^k * sum(a * row) + k r^k * sum(b * row).
void cmk_move_group(const CMKTable *table, float *out, long pitch, CMKRows in,
                    const uint16_t *list, long count, const float *a, const float *b,
                    const float *powers, const float *scaledPowers, long frames) CMK_REALTIME;
// The same for one output; the gains begin at its lane.
void cmk_mix_single(const CMKTable *table, float *out, CMKRows in, const uint16_t *list,
                    long count, const float *target, long frames) CMK_REALTIME;
void cmk_move_single(const CMKTable *table, float *out, CMKRows in, const uint16_t *list,
                     long count, const float *a, const float *b, const float *powers,
                     const float *scaledPowers, long frames) CMK_REALTIME;

// to = from * gain; in place is allowed.
void cmk_scale(const CMKTable *table, float *to, const float *from, float gain,
               long frames) CMK_REALTIME;
// to = from * (target + a r^k + b k r^k); in place is allowed.
void cmk_glide(const CMKTable *table, float *to, const float *from, float target, float a, float b,
               const float *powers, const float *scaledPowers, long frames) CMK_REALTIME;
// to *= by.
void cmk_multiply(const CMKTable *table, float *to, const float *by, long frames) CMK_REALTIME;
void cmk_zero_rows(const CMKTable *table, float *to, long pitch, long rows,
                   long frames) CMK_REALTIME;

// Of each row: peak = max(peak, |row|), sum += row^2, over exactly `frames` frames. Rows, peaks and
// sums come in fours, the last of which may be part unused; four rows of which none is wanted are
// skipped, and an unwanted one among others is silent.
void cmk_measure_rows(const CMKTable *table, const float *row, long pitch, long rows,
                      const uint8_t *_Nullable wanted, long frames, float *peaks,
                      double *sums) CMK_REALTIME;

// Of each row counts, in three numbers, the samples at or above full scale, those that are NaN and
// those that are infinite, over exactly `frames` frames; rows and numbers come in fours like the
// meters'. While there are none it costs one comparison a vector.
void cmk_count_faults(const CMKTable *table, const float *row, long pitch, long rows,
                      const uint8_t *_Nullable wanted, long frames, float fullScale,
                      uint64_t *faults) CMK_REALTIME;

// Moves the origin of the listed entries' glides on by so many frames; `decay` is r^frames.
void cmk_rebase(const CMKTable *table, const CMKGains *gains, long firstEntry,
                const uint16_t *list, long count, double decay, double frames) CMK_REALTIME;
// Writes to `found` the list places of entries with a lane that moves, does not fade, and whose
// settle block has come; returns how many. `nearest` falls to the distance in blocks of the
// nearest settle block that is still to come.
long cmk_find_due(const CMKTable *table, const CMKGains *gains, long firstEntry,
                  const uint16_t *list, long count, uint32_t block, uint16_t *found,
                  int32_t *nearest) CMK_REALTIME;
// The same for entries with a lane that fades and whose end block has come.
long cmk_find_ended(const CMKTable *table, const CMKGains *gains, long firstEntry,
                    const uint16_t *list, long count, uint32_t block, uint16_t *found,
                    int32_t *nearest) CMK_REALTIME;
// Steps the listed entries' fades at a grid point, by ratios or by sums, and aims at their next
// levels: a change of the level adds aimA and aimB times itself to the glide. Lanes that do not fade
// (any more) stay as they are.
void cmk_step_ratio(const CMKTable *table, const CMKGains *gains, long firstEntry,
                    const uint16_t *list, long count, double aimA, double aimB) CMK_REALTIME;
void cmk_step_cubic(const CMKTable *table, const CMKGains *gains, long firstEntry,
                    const uint16_t *list, long count, double aimA, double aimB) CMK_REALTIME;

// Sends denormals to zero on this thread, in and out; returns what was set before.
uint64_t cmk_flush_denormals(void) CMK_REALTIME;
void cmk_restore_denormals(uint64_t before) CMK_REALTIME;

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

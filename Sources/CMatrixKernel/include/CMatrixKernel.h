#pragma once

#include <stdbool.h>
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

// The curves of a fade.
#define CMK_DECIBELS 0
#define CMK_LINEAR 1
#define CMK_SMOOTH 2
// The gain that counts as the end of the way in decibels for what is below it: -90 dB.
#define CMK_FLOOR_GAIN 3.1622776601683795e-05

// One gain whole: its factor, and its level on its way, all of them finite. As large as a cache line.
typedef struct CMKCommand {
  int64_t frame;
  int64_t startFrame;
  double durationFrames;
  int32_t gain;  // in the flat numbering
  uint8_t curve;
  bool endsTransaction;
  uint16_t unused;
  // In this order, which lets four commands be turned into four vectors.
  double factor;
  double start;
  double end;
  double way;  // in decibels: the logarithm of the ratio of the way's ends
} CMKCommand;

// Every gain's state, by slot (entry * 4 + lane), and masks with a bit per lane, by entry.
typedef struct CMKGains {
  float *target;
  float *a;
  float *b;
  double *stateA;
  double *stateB;
  uint32_t *settleBlock;
  // A fade in decibels: the level aimed at, and what it is multiplied by per grid step. Another: the
  // level that it began at and how far it goes. All times the gain's factor.
  double *fadeLevel;
  double *fadeStep;
  int64_t *fadeStart;      // not in decibels: the frame on which it began
  double *fadeRate;        // not in decibels: the part of its way that a frame is
  float *endTarget;        // what a fading gain aims at in the end
  uint32_t *fadeEndBlock;  // the block at whose grid point a fade's last step is
  uint8_t *moving;
  uint8_t *fadingRatio;    // in decibels
  uint8_t *fadingGain;     // in linear gain, straight or smooth
  uint8_t *fadingSmooth;
  uint8_t *active;         // crosspoints that sound or glide
  int32_t *activeOfInput;  // how many of each input's
  uint32_t *nearestEnd;    // by group: a block before which no fade of the group ends
  uint8_t *isStale;        // by group: whether its lists are out of date
  CMKCommand *master;      // the master's latest command, whether the gate lets it act or not
  long inputs;
  long outputs;
} CMKGains;

// The frame on which gains take new courses, and what it means for them.
typedef struct CMKMoment {
  int64_t position;
  int64_t next;          // the next grid point
  double aimA;           // what a change of a target adds to the glide
  double aimB;
  uint32_t settleBlock;  // the block in which a glide ends that is retargeted now
  bool isStart;          // whether stages take their targets at once
  bool isGateOpen;       // whether the master follows its commands
} CMKMoment;

// What came of it: lanes that glide and that fade, more or fewer, and whether any list is out of
// date.
typedef struct CMKChanges {
  long moving;
  long fading;
  bool isStale;
} CMKChanges;

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
// skipped, and an unwanted one among others is silent. Where there are `faults`, counts them too.
void cmk_measure_rows(const CMKTable *table, const float *row, long pitch, long rows,
                      const uint8_t *_Nullable wanted, long frames, float *peaks, double *sums,
                      float fullScale, uint64_t *_Nullable faults) CMK_REALTIME;

// Of each row counts, in three numbers, the samples at or above full scale, those that are NaN and
// those that are infinite, over exactly `frames` frames; rows and numbers come in fours like the
// meters'. While there are none it costs one comparison a vector, and with the meters nothing.
void cmk_count_faults(const CMKTable *table, const float *row, long pitch, long rows,
                      const uint8_t *_Nullable wanted, long frames, float fullScale,
                      uint64_t *faults) CMK_REALTIME;

// Moves the origin of the listed entries' glides on by so many frames; `decay` is r^frames.
void cmk_rebase(const CMKTable *table, const CMKGains *gains, long firstEntry,
                const uint16_t *list, long count, double decay, double frames) CMK_REALTIME;
// Puts gains on new courses, up to the end of the first transaction; returns how many commands
// that took, at least one of them. Fastest where the gains of an entry follow each other and have
// the course in common.
long cmk_follow(const CMKTable *table, const CMKGains *gains, const CMKCommand *commands,
                long count, const CMKMoment *now, CMKChanges *changes) CMK_REALTIME;
// Ends the glides of listed entries of a group that do not fade and whose settle block has come.
// Returns the distance in blocks of the nearest settle block that is still to come, at most
// `nearest`.
int32_t cmk_settle(const CMKTable *table, const CMKGains *gains, long group,
                   const uint16_t *list, long count, uint32_t block, int32_t nearest,
                   CMKChanges *changes) CMK_REALTIME;
// The same for fades whose end block has come: they aim at their ends exactly.
int32_t cmk_finish_fades(const CMKTable *table, const CMKGains *gains, long group,
                         const uint16_t *list, long count, uint32_t block, int32_t nearest,
                         const CMKMoment *now, CMKChanges *changes) CMK_REALTIME;
// Steps the listed entries' fades at a grid point, by ratios or in linear gain, and aims at their
// next levels: a change of the level adds aimA and aimB times itself to the glide. Lanes that do
// not fade (any more) stay as they are.
void cmk_step_ratio(const CMKTable *table, const CMKGains *gains, long firstEntry,
                    const uint16_t *list, long count, const CMKMoment *now) CMK_REALTIME;
void cmk_step_gain(const CMKTable *table, const CMKGains *gains, long firstEntry,
                   const uint16_t *list, long count, const CMKMoment *now) CMK_REALTIME;

// Lists the numbers of bytes that are not 0, ascending; returns how many. `bits` becomes the number
// of bits that are set in all of them. Bytes are masks of four lanes.
long cmk_list(const uint8_t *masks, long count, uint16_t *list, long *bits) CMK_REALTIME;

// Sends denormals to zero on this thread, in and out; returns what was set before.
uint64_t cmk_flush_denormals(void) CMK_REALTIME;
void cmk_restore_denormals(uint64_t before) CMK_REALTIME;

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#include <string.h>

#include "table.h"

const CMKTable *cmk_table(const char *name) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!strcmp(name, "sse2")) return &cmk_table_sse2;
  if (!strcmp(name, "avx2"))
    return __builtin_cpu_supports("x86-64-v3") ? &cmk_table_avx2 : NULL;
  if (!strcmp(name, "avx512"))
    return __builtin_cpu_supports("x86-64-v4") ? &cmk_table_avx512 : NULL;
#else
  if (!strcmp(name, "portable")) return &cmk_table_portable;
#endif
  return NULL;
}

const CMKTable *cmk_best_table(void) {
#if defined(__x86_64__)
  const CMKTable *table = cmk_table("avx512");
  if (!table) table = cmk_table("avx2");
  return table ? table : &cmk_table_sse2;
#else
  return &cmk_table_portable;
#endif
}

const char *cmk_table_name(const CMKTable *table) { return table->name; }

double cmk_peak(const CMKTable *table) { return table->peak(); }

void cmk_mix_group(const CMKTable *table, float *out, long pitch, CMKRows in,
                   const uint16_t *list, long count, const float *target, long frames) {
  table->mix_group(out, pitch, in, list, count, target, frames);
}

void cmk_move_group(const CMKTable *table, float *out, long pitch, CMKRows in,
                    const uint16_t *list, long count, const float *a, const float *b,
                    const float *powers, const float *scaledPowers, long frames) {
  table->move_group(out, pitch, in, list, count, a, b, powers, scaledPowers, frames);
}

void cmk_mix_single(const CMKTable *table, float *out, CMKRows in, const uint16_t *list,
                    long count, const float *target, long frames) {
  table->mix_single(out, in, list, count, target, frames);
}

void cmk_move_single(const CMKTable *table, float *out, CMKRows in, const uint16_t *list,
                     long count, const float *a, const float *b, const float *powers,
                     const float *scaledPowers, long frames) {
  table->move_single(out, in, list, count, a, b, powers, scaledPowers, frames);
}

void cmk_scale(const CMKTable *table, float *to, const float *from, float gain, long frames) {
  table->scale(to, from, gain, frames);
}

void cmk_glide(const CMKTable *table, float *to, const float *from, float target, float a, float b,
               const float *powers, const float *scaledPowers, long frames) {
  table->glide(to, from, target, a, b, powers, scaledPowers, frames);
}

void cmk_multiply(const CMKTable *table, float *to, const float *by, long frames) {
  table->multiply(to, by, frames);
}

void cmk_zero_rows(const CMKTable *table, float *to, long pitch, long rows, long frames) {
  table->zero_rows(to, pitch, rows, frames);
}

void cmk_measure_rows(const CMKTable *table, const float *row, long pitch, long rows,
                      const uint8_t *wanted, long frames, float *peaks, double *sums,
                      float fullScale, uint64_t *faults) {
  table->measure_rows(row, pitch, rows, wanted, frames, peaks, sums, fullScale, faults);
}

void cmk_count_faults(const CMKTable *table, const float *row, long pitch, long rows,
                      const uint8_t *wanted, long frames, float fullScale, uint64_t *faults) {
  table->count_faults(row, pitch, rows, wanted, frames, fullScale, faults);
}

void cmk_rebase(const CMKTable *table, const CMKGains *gains, long firstEntry,
                const uint16_t *list, long count, double decay, double frames) {
  table->rebase(gains, firstEntry, list, count, decay, frames);
}

long cmk_follow(const CMKTable *table, const CMKGains *gains, const CMKCommand *commands,
                long count, const CMKMoment *now, CMKChanges *changes) {
  return table->follow(gains, commands, count, now, changes);
}

int32_t cmk_settle(const CMKTable *table, const CMKGains *gains, long group,
                   const uint16_t *list, long count, uint32_t block, int32_t nearest,
                   CMKChanges *changes) {
  return table->settle(gains, group, list, count, block, nearest, changes);
}

int32_t cmk_finish_fades(const CMKTable *table, const CMKGains *gains, long group,
                         const uint16_t *list, long count, uint32_t block, int32_t nearest,
                         const CMKMoment *now, CMKChanges *changes) {
  return table->finish_fades(gains, group, list, count, block, nearest, now, changes);
}

void cmk_step_ratio(const CMKTable *table, const CMKGains *gains, long firstEntry,
                    const uint16_t *list, long count, const CMKMoment *now) {
  table->step_ratio(gains, firstEntry, list, count, now);
}

void cmk_step_gain(const CMKTable *table, const CMKGains *gains, long firstEntry,
                   const uint16_t *list, long count, const CMKMoment *now) {
  table->step_gain(gains, firstEntry, list, count, now);
}

#if defined(__x86_64__)
uint64_t cmk_flush_denormals(void) {
  const unsigned before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before | 0x8040u);
  return before;
}

void cmk_restore_denormals(uint64_t before) { __builtin_ia32_ldmxcsr((unsigned)before); }
#elif defined(__aarch64__)
uint64_t cmk_flush_denormals(void) {
  uint64_t before;
  __asm__ volatile("mrs %0, fpcr" : "=r"(before));
  __asm__ volatile("msr fpcr, %0" ::"r"(before | (1ull << 24)));
  return before;
}

void cmk_restore_denormals(uint64_t before) { __asm__ volatile("msr fpcr, %0" ::"r"(before)); }
#else
uint64_t cmk_flush_denormals(void) { return 0; }
void cmk_restore_denormals(uint64_t before) { (void)before; }
#endif

#pragma once

#include "CMatrixKernel.h"

struct CMKTable {
  const char *name;
  double (*peak)(void);
  void (*mix_group)(float *, long, CMKRows, const uint16_t *, long, const float *, long);
  void (*move_group)(float *, long, CMKRows, const uint16_t *, long, const float *, const float *,
                     const float *, const float *, long);
  void (*mix_single)(float *, CMKRows, const uint16_t *, long, const float *, long);
  void (*move_single)(float *, CMKRows, const uint16_t *, long, const float *, const float *,
                      const float *, const float *, long);
  void (*scale)(float *, const float *, float, long);
  void (*glide)(float *, const float *, float, float, float, const float *, const float *, long);
  void (*multiply)(float *, const float *, long);
  void (*zero_rows)(float *, long, long, long);
  void (*measure_rows)(const float *, long, long, const uint8_t *, long, float *, double *, float,
                       uint64_t *);
  void (*count_faults)(const float *, long, long, const uint8_t *, long, float, uint64_t *);
  void (*rebase)(const CMKGains *, long, const uint16_t *, long, double, double);
  long (*follow)(const CMKGains *, const CMKCommand *, long, const CMKMoment *, CMKChanges *);
  int32_t (*settle)(const CMKGains *, long, const uint16_t *, long, uint32_t, int32_t,
                    CMKChanges *);
  int32_t (*finish_fades)(const CMKGains *, long, const uint16_t *, long, uint32_t, int32_t,
                          const CMKMoment *, CMKChanges *);
  void (*step_ratio)(const CMKGains *, long, const uint16_t *, long, const CMKMoment *);
  void (*step_gain)(const CMKGains *, long, const uint16_t *, long, const CMKMoment *);
};

#if defined(__x86_64__)
extern const CMKTable cmk_table_sse2;
extern const CMKTable cmk_table_avx2;
extern const CMKTable cmk_table_avx512;
#else
extern const CMKTable cmk_table_portable;
#endif

// How gains move, four lanes of an entry at a time: commands are taken over, fades step and end,
// glides end. Part of kernel_body.h.

// All that takes or gives vectors here is inlined: there is no convention of calls to differ in.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

static const int32_t JOIN(lane_masks, KERNEL)[16][4] = {
    {0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},
    {0, 0, -1, 0},  {-1, 0, -1, 0},  {0, -1, -1, 0},  {-1, -1, -1, 0},
    {0, 0, 0, -1},  {-1, 0, 0, -1},  {0, -1, 0, -1},  {-1, -1, 0, -1},
    {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1}};

#define AT(type, array, slot) (*(type *)((array) + (slot)))
#define LANE_MASK(nibble) (*(const FourShortMasks *)JOIN(lane_masks, KERNEL)[(nibble) & 15])

// Where an entry's glide lies. Held by value: a store through one of the pointers could change
// where the others point as far as the compiler knows, and it would load all of them anew.
typedef struct {
  double *stateA;
  double *stateB;
  float *a;
  float *b;
} Glides;

INLINE Glides glides_of(const CMKGains *gains) {
  return (Glides){gains->stateA, gains->stateB, gains->a, gains->b};
}

INLINE void put_glide(Glides to, long slot, const Four *a, const Four *b) {
  AT(Four, to.stateA, slot) = *a;
  AT(Four, to.stateB, slot) = *b;
  AT(FourFloats, to.a, slot) = __builtin_convertvector(*a, FourFloats);
  AT(FourFloats, to.b, slot) = __builtin_convertvector(*b, FourFloats);
}

TARGET static void rebase(const CMKGains *gains, long firstEntry, const uint16_t *list, long count,
                          double decay, double frames) {
  const Glides glides = glides_of(gains);
  for (long n = 0; n < count; n++) {
    const long slot = 4 * (firstEntry + list[n]);
    const Four b = AT(Four, glides.stateB, slot);
    const Four nextA = (AT(Four, glides.stateA, slot) + b * frames) * decay;
    const Four nextB = b * decay;
    put_glide(glides, slot, &nextA, &nextB);
  }
}

#define CHOOSE(lanes, yes, no) \
  ((__typeof__(yes))(((__typeof__(lanes))(yes) & (lanes)) | ((__typeof__(lanes))(no) & ~(lanes))))

// The bits of four lanes as a nibble.
INLINE unsigned nibble(FourShortMasks lanes) {
#if defined(__x86_64__)
  return (unsigned)__builtin_ia32_movmskps((FourFloats)lanes);
#else
  const FourShortMasks bits = lanes & (FourShortMasks){1, 2, 4, 8};
  return (unsigned)__builtin_reduce_or(bits);
#endif
}

INLINE FourMasks wide(FourShortMasks lanes) { return __builtin_convertvector(lanes, FourMasks); }

#define STORE_LANES(type, array, slot, lanes, value) \
  (AT(type, array, slot) = CHOOSE(lanes, value, AT(type, array, slot)))

// e to the power of x, to within a unit of the last place or two.
//
// x = k ln 2 + r with |r| <= ln 2 / 2, ln 2 in two parts; the series of e^r to r^13 / 13!, which
// leaves out less than 1e-17; and k added to the exponent, where the first sum has put its bits.
INLINE Four exponential(Four x) {
  const Four highest = (Four){0} + 708.0;
  const FourMasks above = x > highest, below = x < -highest;
  x = CHOOSE(above, highest, CHOOSE(below, -highest, x));
  const Four shifted = x * 0x1.71547652b82fep0 + 0x1.8p52;
  const Four k = shifted - 0x1.8p52;
  const Four r = (x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
  const Four r2 = r * r, r4 = r2 * r2;
  const Four q0 = (r * (1.0 / 6) + 1.0 / 2) + r2 * (r * (1.0 / 120) + 1.0 / 24);
  const Four q1 = (r * (1.0 / 5040) + 1.0 / 720) + r2 * (r * (1.0 / 362880) + 1.0 / 40320);
  const Four q2 = (r * (1.0 / 39916800) + 1.0 / 3628800) +
                  r2 * (r * (1.0 / 6227020800) + 1.0 / 479001600);
  const Four power = (r2 * (q0 + r4 * (q1 + r4 * q2)) + r) + 1.0;
  return (Four)((FourMasks)power + ((FourMasks)shifted << 52));
}

// What is not finite is 0.
INLINE Four finite(Four value) {
  const FourMasks magnitude = (FourMasks)value & 0x7fffffffffffffff;
  return (Four)((FourMasks)value & (magnitude < 0x7ff0000000000000));
}

// What the kernel multiplies by: nothing that is not finite, and no denormals.
INLINE FourFloats audible(Four gain) {
  const FourShortMasks bits = (FourShortMasks)__builtin_convertvector(gain, FourFloats);
  const FourShortMasks magnitude = bits & 0x7fffffff;
  return (FourFloats)(bits & (magnitude >= 0x00800000) & (magnitude < 0x7f800000));
}

// Where an entry lies.
typedef struct {
  long entry;
  long group;
  long input;  // of a crosspoint, else negative
} EntryPlace;

INLINE void mark_stale(const CMKGains *gains, long group, CMKChanges *changes) {
  gains->isStale[group] = 1;
  changes->isStale = 1;
}

// Aims lanes of an entry at targets; answers those in which that changes anything.
//
// Lanes that take their target at once do not glide, and none of them does before.
INLINE unsigned aim(const CMKGains *gains, EntryPlace place, FourShortMasks lanes, Four wanted,
                    const CMKMoment *now, CMKChanges *changes) {
  const long slot = 4 * place.entry;
  const FourFloats before = AT(FourFloats, gains->target, slot);
  const FourFloats after = CHOOSE(lanes, audible(wanted), before);
  const Glides glides = glides_of(gains);
  if (now->isStart && place.input < 0) {
    const Four rest = {0};
    AT(FourFloats, gains->target, slot) = after;
    const Four a = CHOOSE(wide(lanes), rest, AT(Four, glides.stateA, slot));
    const Four b = CHOOSE(wide(lanes), rest, AT(Four, glides.stateB, slot));
    put_glide(glides, slot, &a, &b);
    changes->isStale = 1;
    return 0;
  }
  const unsigned changed = nibble(before != after);
  if (!changed) return 0;
  const Four change =
      __builtin_convertvector(before, Four) - __builtin_convertvector(after, Four);
  AT(FourFloats, gains->target, slot) = after;
  const Four a = AT(Four, glides.stateA, slot) + change * now->aimA;
  const Four b = AT(Four, glides.stateB, slot) + change * now->aimB;
  put_glide(glides, slot, &a, &b);
  return changed;
}

// Puts the ends of glides off and notes which lanes move from now on.
INLINE void set_moving(const CMKGains *gains, EntryPlace place, unsigned retimed, unsigned moved,
                       const CMKMoment *now, CMKChanges *changes) {
  const FourWords settleBlock = (FourWords){0} + now->settleBlock;
  STORE_LANES(FourWords, gains->settleBlock, 4 * place.entry, LANE_MASK(retimed), settleBlock);
  const unsigned begun = moved & ~gains->moving[place.entry];
  if (!begun) return;
  gains->moving[place.entry] |= (uint8_t)begun;
  changes->moving += __builtin_popcount(begun);
  if (place.input >= 0) {
    const unsigned heard = begun & ~gains->active[place.entry];
    gains->active[place.entry] |= (uint8_t)heard;
    gains->activeOfInput[place.input] += __builtin_popcount(heard);
  }
  mark_stale(gains, place.group, changes);
}

// A course as the gains of a transaction usually share it.
typedef struct {
  int64_t startFrame;
  double duration;
  uint32_t curve;
  uint32_t endBlock;  // the block at whose grid point the fade's last step is
  int hasEnded;       // by the next grid point
  double time;        // its place there, and how far a grid step takes it, in parts of the way
  double step;
  double share;  // of the way in gain that lies behind it there
  double steps[3];
} Course;

// The first three forward differences of 3 t^2 - 2 t^3. The third is constant, so that sums of them
// give every later value of the curve; in double precision their rounding stays below 1e-9 of the
// way for as many steps as a fade may have.
INLINE void set_cubic(Course *course) {
  const double t = course->time, h = course->step;
  if (course->curve == CMK_LINEAR) {
    course->share = t;
    course->steps[0] = h;
    course->steps[1] = 0;
    course->steps[2] = 0;
  } else {
    course->share = t * t * (3 - 2 * t);
    course->steps[0] = h * (6 * t * (1 - t - h) + h * (3 - 2 * h));
    course->steps[1] = h * h * (6 - 12 * (t + h));
    course->steps[2] = -12 * h * h * h;
  }
}

TARGET static void set_course(Course *course, const CMKCommand *command, const CMKMoment *now) {
  const int64_t start =
      command->startFrame < now->position ? command->startFrame : now->position;
  const double duration = command->durationFrames;
  const double age = (double)(now->next - start);
  course->startFrame = command->startFrame;
  course->duration = duration;
  course->curve = command->curve;
  course->hasEnded = age >= duration;
  if (course->hasEnded) return;
  course->time = age / duration;
  course->step = 64 / duration;
  if (command->curve != CMK_DECIBELS) set_cubic(course);
  // Blocks wrap, and only the nearer half of them lies ahead.
  const double bounded = duration < 0x1p36 ? duration : 0x1p36;
  int64_t frames = (int64_t)bounded;
  if ((double)frames < bounded) frames++;
  course->endBlock = (uint32_t)((start + frames + 63) >> 6) - 1;
}

INLINE int is_on(const Course *course, const CMKCommand *command) {
  return command->startFrame == course->startFrame &&
         command->durationFrames == course->duration && command->curve == course->curve;
}

// Sets up the fades of an entry's lanes for their steps; answers their levels at the next grid
// point, times their factors.
INLINE Four start_fades(const CMKGains *gains, long entry, FourShortMasks lanes,
                        const Course *course, Four factor, Four start, Four end, Four way) {
  const long slot = 4 * entry;
  const FourMasks chosen = wide(lanes);
  Four level;
  if (course->curve == CMK_DECIBELS) {
    const Four floor = (Four){0} + CMK_FLOOR_GAIN;
    const FourMasks above = start > floor;
    const Four from = factor * CHOOSE(above, start, floor);
    level = finite(from * exponential(way * course->time));
    STORE_LANES(Four, gains->fadeStep, slot, chosen, finite(exponential(way * course->step)));
  } else {
    level = finite(factor * (start + (end - start) * course->share));
    const Four delta = finite(factor * (end - start));
    STORE_LANES(Four, gains->fadeStep, slot, chosen, delta * course->steps[0]);
    STORE_LANES(Four, gains->fadeSecondStep, slot, chosen, delta * course->steps[1]);
    STORE_LANES(Four, gains->fadeThirdStep, slot, chosen, delta * course->steps[2]);
  }
  STORE_LANES(Four, gains->fadeLevel, slot, chosen, level);
  STORE_LANES(Four, gains->endTarget, slot, chosen, factor * end);
  const FourWords endBlock = (FourWords){0} + course->endBlock;
  STORE_LANES(FourWords, gains->fadeEndBlock, slot, lanes, endBlock);
  return level;
}

// Puts lanes of an entry on one course; the four numbers of each lane come by lane.
INLINE void follow_lanes(const CMKGains *gains, EntryPlace place, unsigned bits,
                         const Course *course, Four factor, Four start, Four end, Four way,
                         const CMKMoment *now, CMKChanges *changes) {
  const long entry = place.entry;
  const FourShortMasks lanes = LANE_MASK(bits);
  const unsigned faded = (gains->fadingRatio[entry] | gains->fadingCubic[entry]) & bits;
  unsigned fading = 0;
  Four wanted = factor * end;
  if (!course->hasEnded) {
    fading = bits;
    wanted = start_fades(gains, entry, lanes, course, factor, start, end, way);
    const int32_t left = (int32_t)(course->endBlock - gains->nearestEnd[place.group]);
    // One that has passed costs a look and is right again then.
    if (left < 0) gains->nearestEnd[place.group] = course->endBlock;
  }
  if (faded | fading) {
    const unsigned ratio = course->curve == CMK_DECIBELS ? fading : 0;
    gains->fadingRatio[entry] = (uint8_t)((gains->fadingRatio[entry] & ~bits) | ratio);
    gains->fadingCubic[entry] =
        (uint8_t)((gains->fadingCubic[entry] & ~bits) | (fading & ~ratio));
    changes->fading += __builtin_popcount(fading) - __builtin_popcount(faded);
    mark_stale(gains, place.group, changes);
  }
  const unsigned changed = aim(gains, place, lanes, wanted, now, changes);
  if (faded | fading | changed) {
    set_moving(gains, place, faded | fading | changed, fading | changed, now, changes);
  }
}

// Where a gain of the flat numbering lies; `limit` is how many of those from it on share its entry.
INLINE EntryPlace place_of(const CMKGains *gains, long gain, long *lane, long *limit) {
  const long inputs = gains->inputs, outputs = gains->outputs;
  EntryPlace place = {0, (outputs + 3) / 4, -1};
  long channel = gain - inputs * outputs, channels = inputs;
  if (channel < 0) {
    const uint32_t input = (uint32_t)gain / (uint32_t)outputs;
    channel = gain - (long)input * outputs;
    channels = outputs;
    place.group = channel >> 2;
    place.entry = place.group * inputs + input;
    place.input = input;
  } else {
    place.entry = place.group * inputs;
    if (channel >= inputs) {
      channel -= inputs;
      channels = outputs;
      place.entry += (inputs + 3) / 4;
      if (channel >= outputs) {
        channel -= outputs;
        channels = 1;
        place.entry += place.group;
      }
    }
    place.entry += channel >> 2;
  }
  *lane = channel & 3;
  *limit = channels - channel < 4 - *lane ? channels - channel : 4 - *lane;
  return place;
}

INLINE Four numbers_of(const CMKCommand *command) {
  return *(const Four *)&command->factor;
}

TARGET static long follow(const CMKGains *gains, const CMKCommand *commands, long count,
                          const CMKMoment *now, CMKChanges *changes) {
  const CMKGains held = *gains;
  const long masterGain = held.inputs * held.outputs + held.inputs + held.outputs;
  Course course;
  set_course(&course, commands, now);
  long n = 0;
  for (int ends = 0; n < count && !ends;) {
    const CMKCommand *const first = commands + n;
    if (!is_on(&course, first)) set_course(&course, first, now);
    long lane, limit, run = 1;
    const EntryPlace place = place_of(&held, first->gain, &lane, &limit);
    ends = first->endsTransaction;
    if (limit > count - n) limit = count - n;
    while (run < limit && !ends && first[run].gain == first->gain + run &&
           is_on(&course, first + run)) {
      ends = first[run].endsTransaction;
      run++;
    }
    n += run;
    if (first->gain == masterGain) {
      *held.master = *first;
      if (first->startFrame > now->position) held.master->startFrame = now->position;
      if (!now->isGateOpen) continue;
    }
    // By lane, from rows of factor, start, end and way; the other lanes repeat the first command.
    Four row[4];
    UNROLL for (long l = 0; l < 4; l++) {
      const long offset = l - lane;
      row[l] = numbers_of(first + (offset >= 0 && offset < run ? offset : 0));
    }
    const Four low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6);
    const Four high01 = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7);
    const Four low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6);
    const Four high23 = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
    follow_lanes(&held, place, ((1u << run) - 1) << lane, &course,
                 __builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                 __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                 __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                 __builtin_shufflevector(high01, high23, 2, 3, 6, 7), now, changes);
  }
  return n;
}

// Looks at lanes of listed entries: `late` are those whose block has come. `nearest` falls to the
// distance of the nearest that is still to come; blocks wrap.
#define FOR_LATE(LANES_OF_ENTRY, BLOCKS, DO)                                           \
  const FourShortMasks never = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};           \
  FourShortMasks ahead = never;                                                        \
  for (long n = 0; n < count; n++) {                                                   \
    const EntryPlace place = {firstEntry + list[n], group, isStages ? -1 : list[n]};   \
    const long entry = place.entry;                                                    \
    const FourShortMasks wanted = LANE_MASK(LANES_OF_ENTRY);                           \
    const FourShortMasks distance =                                                    \
        (FourShortMasks)(AT(FourWords, BLOCKS, 4 * entry) - block);                    \
    const FourShortMasks late = (distance <= 0) & wanted;                              \
    const FourShortMasks waiting = wanted & ~late;                                     \
    const FourShortMasks candidate = CHOOSE(waiting, distance, never);                 \
    const FourShortMasks closer = candidate < ahead;                                   \
    ahead = CHOOSE(closer, candidate, ahead);                                          \
    const unsigned bits = nibble(late);                                                \
    if (bits) DO;                                                                      \
  }                                                                                    \
  const int32_t closest = __builtin_reduce_min(ahead);                                 \
  return closest < nearest ? closest : nearest

INLINE void settle_lanes(const CMKGains *gains, EntryPlace place, FourShortMasks lanes,
                         unsigned bits, CMKChanges *changes) {
  const long slot = 4 * place.entry;
  const Glides glides = glides_of(gains);
  const FourMasks chosen = wide(lanes);
  const Four rest = {0};
  const Four a = CHOOSE(chosen, rest, AT(Four, glides.stateA, slot));
  const Four b = CHOOSE(chosen, rest, AT(Four, glides.stateB, slot));
  put_glide(glides, slot, &a, &b);
  gains->moving[place.entry] &= (uint8_t)~bits;
  changes->moving -= __builtin_popcount(bits);
  if (place.input >= 0) {
    const FourFloats silence = {0};
    const unsigned silent = nibble(AT(FourFloats, gains->target, slot) == silence) & bits &
                            gains->active[place.entry];
    gains->active[place.entry] &= (uint8_t)~silent;
    gains->activeOfInput[place.input] -= __builtin_popcount(silent);
  }
  mark_stale(gains, place.group, changes);
}

TARGET static int32_t settle(const CMKGains *gains, long group, const uint16_t *list, long count,
                             uint32_t block, int32_t nearest, CMKChanges *changes) {
  const long firstEntry = group * gains->inputs;
  const int isStages = 4 * group >= gains->outputs;
  FOR_LATE(gains->moving[entry] & ~(gains->fadingRatio[entry] | gains->fadingCubic[entry]),
           gains->settleBlock, settle_lanes(gains, place, late, bits, changes));
}

INLINE void finish_lanes(const CMKGains *gains, EntryPlace place, FourShortMasks lanes,
                         unsigned bits, const CMKMoment *now, CMKChanges *changes) {
  const long entry = place.entry;
  gains->fadingRatio[entry] &= (uint8_t)~bits;
  gains->fadingCubic[entry] &= (uint8_t)~bits;
  changes->fading -= __builtin_popcount(bits);
  mark_stale(gains, place.group, changes);
  const unsigned changed =
      aim(gains, place, lanes, AT(Four, gains->endTarget, 4 * entry), now, changes);
  set_moving(gains, place, bits, changed, now, changes);
}

TARGET static int32_t finish_fades(const CMKGains *gains, long group, const uint16_t *list,
                                   long count, uint32_t block, int32_t nearest,
                                   const CMKMoment *now, CMKChanges *changes) {
  const long firstEntry = group * gains->inputs;
  const int isStages = 4 * group >= gains->outputs;
  FOR_LATE(gains->fadingRatio[entry] | gains->fadingCubic[entry], gains->fadeEndBlock,
           finish_lanes(gains, place, late, bits, now, changes));
}

// Steps the fades of listed entries. What the glide takes up is the change of the level as a
// Double: the target beside it is rounded, by less than what is heard of any sum of floats.
INLINE void step(const CMKGains *gains, const uint8_t *fading, long firstEntry,
                 const uint16_t *list, long count, double aimA, double aimB, const int isCubic) {
  const Glides glides = glides_of(gains);
  float *const targets = gains->target;
  double *const levels = gains->fadeLevel;
  double *const steps = gains->fadeStep;
  double *const seconds = gains->fadeSecondStep;
  const double *const thirds = gains->fadeThirdStep;
  for (long n = 0; n < count; n++) {
    const long entry = firstEntry + list[n];
    const long slot = 4 * entry;
    const Four before = AT(Four, levels, slot);
    const Four by = AT(Four, steps, slot);
    Four level, nextBy, nextSecond;
    if (isCubic) {
      const Four second = AT(Four, seconds, slot);
      level = before + by;
      nextBy = by + second;
      nextSecond = second + AT(Four, thirds, slot);
    } else {
      level = before * by;
    }
    FourFloats target = __builtin_convertvector(level, FourFloats);
    if (fading[entry] != 15) {
      const FourShortMasks lanes = LANE_MASK(fading[entry]);
      const FourMasks wide = __builtin_convertvector(lanes, FourMasks);
      level = CHOOSE(wide, level, before);
      target = CHOOSE(lanes, target, AT(FourFloats, targets, slot));
      if (isCubic) {
        nextBy = CHOOSE(wide, nextBy, by);
        nextSecond = CHOOSE(wide, nextSecond, AT(Four, seconds, slot));
      }
    }
    const Four change = before - level;
    AT(Four, levels, slot) = level;
    AT(FourFloats, targets, slot) = target;
    if (isCubic) {
      AT(Four, steps, slot) = nextBy;
      AT(Four, seconds, slot) = nextSecond;
    }
    const Four a = AT(Four, glides.stateA, slot) + change * aimA;
    const Four b = AT(Four, glides.stateB, slot) + change * aimB;
    put_glide(glides, slot, &a, &b);
  }
}

TARGET static void step_ratio(const CMKGains *gains, long firstEntry, const uint16_t *list,
                              long count, double aimA, double aimB) {
  step(gains, gains->fadingRatio, firstEntry, list, count, aimA, aimB, 0);
}

TARGET static void step_cubic(const CMKGains *gains, long firstEntry, const uint16_t *list,
                              long count, double aimA, double aimB) {
  step(gains, gains->fadingCubic, firstEntry, list, count, aimA, aimB, 1);
}

#pragma clang diagnostic pop

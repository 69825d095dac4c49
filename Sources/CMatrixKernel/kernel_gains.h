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

// How many bits of a nibble are set: by a table of sixteen digits.
INLINE int bit_count(unsigned nibble) {
  return (int)(0x4332322132212110u >> (4 * (nibble & 15)) & 15);
}

INLINE FourMasks wide(FourShortMasks lanes) { return __builtin_convertvector(lanes, FourMasks); }

#define STORE_LANES(type, array, slot, lanes, value) \
  (AT(type, array, slot) = CHOOSE(lanes, value, AT(type, array, slot)))

// e to the power of x for |x| <= 708, to within a unit of the last place or two; beyond, anything.
//
// x = k ln 2 + r with |r| <= ln 2 / 2, ln 2 in two parts; the series of e^r to r^13 / 13!, which
// leaves out less than 1e-17; and k added to the exponent, where the first sum has put its bits.
INLINE Four exponential(Four x) {
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

// A fade in linear gain at its place in time, 0 to 1: straight, or as smooth-step.
INLINE Four shaped(Four base, Four delta, Four time, FourMasks isSmooth) {
  const Four smooth = time * time * (3 - 2 * time);
  return base + delta * CHOOSE(isSmooth, smooth, time);
}

// What the kernel multiplies by: nothing that is not finite, and no denormals.
INLINE FourFloats audible(FourFloats gain) {
  const FourShortMasks bits = (FourShortMasks)gain;
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
INLINE unsigned aim(const CMKGains *gains, EntryPlace place, FourShortMasks lanes, FourFloats wanted,
                    const CMKMoment *now, CMKChanges *changes) {
  const long slot = 4 * place.entry;
  const FourFloats before = AT(FourFloats, gains->target, slot);
  const FourFloats after = CHOOSE(lanes, wanted, before);
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

// Puts the ends of glides off and notes which lanes move from now on. What fades gets the end of
// its glide when the fade ends.
INLINE void set_moving(const CMKGains *gains, EntryPlace place, unsigned retimed, unsigned moved,
                       const CMKMoment *now, CMKChanges *changes) {
  if (retimed) {
    const FourWords settleBlock = (FourWords){0} + now->settleBlock;
    STORE_LANES(FourWords, gains->settleBlock, 4 * place.entry, LANE_MASK(retimed), settleBlock);
  }
  const unsigned begun = moved & ~gains->moving[place.entry];
  if (!begun) return;
  gains->moving[place.entry] |= (uint8_t)begun;
  changes->moving += bit_count(begun);
  if (place.input >= 0) {
    const unsigned heard = begun & ~gains->active[place.entry];
    gains->active[place.entry] |= (uint8_t)heard;
    gains->activeOfInput[place.input] += bit_count(heard);
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
  int steps;          // whole grid steps to the next grid point, if they are few, else 0
  int64_t start;      // the frame on which it has begun, at the latest now
  double rate;        // the part of the way that a frame is
  double time;        // the part that lies behind it at the next grid point
} Course;

TARGET static void set_course(Course *course, const CMKCommand *command, const CMKMoment *now) {
  const double duration = command->durationFrames;
  course->startFrame = command->startFrame;
  course->duration = duration;
  course->curve = command->curve;
  course->start = command->startFrame < now->position ? command->startFrame : now->position;
  const int64_t age = now->next - course->start;
  course->hasEnded = (double)age >= duration;
  if (course->hasEnded) return;
  course->steps = (age & 63) == 0 && age <= 8 * 64 ? (int)(age >> 6) : 0;
  course->rate = 1 / duration;
  course->time = (double)age * course->rate;
  // Blocks wrap, and only the nearer half of them lies ahead.
  const double bounded = duration < 0x1p36 ? duration : 0x1p36;
  int64_t frames = (int64_t)bounded;
  if ((double)frames < bounded) frames++;
  course->endBlock = (uint32_t)((course->start + frames + 63) >> 6) - 1;
}

// The kind of change that a course is: none by a fade, by one in decibels, by one in linear gain.
enum { NO_FADE, RATIO_FADE, GAIN_FADE };

INLINE int kind_of(const Course *course) {
  return course->hasEnded ? NO_FADE : course->curve == CMK_DECIBELS ? RATIO_FADE : GAIN_FADE;
}

// What the commands of an entry say, by lane.
typedef struct {
  Four factor;
  Four start;
  Four end;
  Four way;
} Numbers;

INLINE Numbers numbers_of(const CMKCommand *const command[4]) {
  Four row[4];
  UNROLL for (int l = 0; l < 4; l++) row[l] = *(const Four *)&command[l]->factor;
  const Four even01 = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6);
  const Four odd01 = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7);
  const Four even23 = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6);
  const Four odd23 = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
  return (Numbers){__builtin_shufflevector(even01, even23, 0, 1, 4, 5),
                   __builtin_shufflevector(odd01, odd23, 0, 1, 4, 5),
                   __builtin_shufflevector(even01, even23, 2, 3, 6, 7),
                   __builtin_shufflevector(odd01, odd23, 2, 3, 6, 7)};
}

// Sets up the fades of an entry's lanes for their steps; answers their levels at the next grid
// point, times their factors.
INLINE Four start_fades(const CMKGains *gains, long entry, FourShortMasks lanes, const int kind,
                        const Course *course, const Numbers *of) {
  const long slot = 4 * entry;
  const FourMasks chosen = wide(lanes);
  Four level, stored, step;
  if (kind == RATIO_FADE) {
    const Four floor = (Four){0} + CMK_FLOOR_GAIN;
    const FourMasks above = of->start > floor;
    step = exponential(of->way * (64 * course->rate));
    Four power = step;
    if (course->steps == 0) power = exponential(of->way * course->time);
    for (int n = 1; n < course->steps; n++) power *= step;
    level = of->factor * CHOOSE(above, of->start, floor) * power;
    stored = level;
  } else {
    stored = of->factor * of->start;
    step = of->factor * (of->end - of->start);
    const FourMasks isSmooth = (FourMasks){0} - (course->curve == CMK_SMOOTH);
    level = shaped(stored, step, (Four){0} + course->time, isSmooth);
    const FourMasks startFrame = (FourMasks){0} + course->start;
    const Four rate = (Four){0} + course->rate;
    STORE_LANES(FourMasks, gains->fadeStart, slot, chosen, startFrame);
    STORE_LANES(Four, gains->fadeRate, slot, chosen, rate);
  }
  STORE_LANES(Four, gains->fadeLevel, slot, chosen, stored);
  STORE_LANES(Four, gains->fadeStep, slot, chosen, step);
  const FourWords endBlock = (FourWords){0} + course->endBlock;
  STORE_LANES(FourWords, gains->fadeEndBlock, slot, lanes, endBlock);
  const FourFloats goal = __builtin_convertvector(of->factor * of->end, FourFloats);
  STORE_LANES(FourFloats, gains->endTarget, slot, lanes, goal);
  return level;
}

INLINE void put_bits(uint8_t *to, unsigned lanes, unsigned bits) {
  *to = (uint8_t)((*to & ~lanes) | bits);
}

// Puts lanes of an entry on one course; `kind` is the course's.
INLINE void follow_lanes(const CMKGains *gains, EntryPlace place, const unsigned bits,
                         const int kind, const Course *course, const Numbers *of,
                         const CMKMoment *now, CMKChanges *changes) {
  const long entry = place.entry;
  const FourShortMasks lanes = LANE_MASK(bits);
  const unsigned faded = (gains->fadingRatio[entry] | gains->fadingGain[entry]) & bits;
  const unsigned fading = kind == NO_FADE ? 0 : bits;
  Four level;
  if (kind == NO_FADE) {
    level = of->factor * of->end;
  } else {
    level = start_fades(gains, entry, lanes, kind, course, of);
  }
  const FourFloats wanted = audible(__builtin_convertvector(level, FourFloats));
  if (faded | fading) {
    put_bits(gains->fadingRatio + entry, bits, kind == RATIO_FADE ? bits : 0);
    put_bits(gains->fadingGain + entry, bits, kind == GAIN_FADE ? bits : 0);
    if (kind == GAIN_FADE) {
      put_bits(gains->fadingSmooth + entry, bits, course->curve == CMK_SMOOTH ? bits : 0);
    }
    changes->fading += bit_count(fading) - bit_count(faded);
    mark_stale(gains, place.group, changes);
  }
  const unsigned changed = aim(gains, place, lanes, wanted, now, changes);
  const unsigned retimed = (faded | changed) & ~fading;
  set_moving(gains, place, retimed, fading | changed, now, changes);
}

INLINE void note_end(const CMKGains *gains, long group, const Course *course) {
  if (course->hasEnded) return;
  // One that has passed costs a look and is right again then.
  const int32_t left = (int32_t)(course->endBlock - gains->nearestEnd[group]);
  if (left < 0) gains->nearestEnd[group] = course->endBlock;
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

// Frame, course and gain of a command, as four whole numbers.
#define HEADER(command) (*(const FourMasks *)(command))

// Follows as many commands as are for whole entries of one group, one after the other, on one
// course; returns how many commands that were.
INLINE long follow_entries(const CMKGains *gains, const CMKCommand *commands, long count,
                           EntryPlace place, const int kind, const Course *course,
                           const CMKMoment *now, CMKChanges *changes) {
  const FourMasks nextGain = {0, 0, 0, 1}, nextInput = {0, 0, 0, gains->outputs};
  FourMasks header = HEADER(commands);
  long n = 0;
  for (; n + 4 <= count && place.input < gains->inputs; n += 4) {
    const CMKCommand *const four[4] = {commands + n, commands + n + 1, commands + n + 2,
                                       commands + n + 3};
    FourMasks difference = HEADER(four[0]) ^ header;
    difference |= HEADER(four[1]) ^ (header + nextGain);
    difference |= HEADER(four[2]) ^ (header + 2 * nextGain);
    difference |= HEADER(four[3]) ^ (header + 3 * nextGain);
    if (__builtin_reduce_or(difference)) break;
    const Numbers numbers = numbers_of(four);
    follow_lanes(gains, place, 15, kind, course, &numbers, now, changes);
    header += nextInput;
    place.entry++;
    place.input++;
  }
  return n;
}

INLINE int is_on(const Course *course, const CMKCommand *command) {
  return command->startFrame == course->startFrame &&
         command->durationFrames == course->duration && command->curve == course->curve;
}

TARGET static long follow(const CMKGains *gains, const CMKCommand *commands, long count,
                          const CMKMoment *now, CMKChanges *changes) {
  const CMKGains held = *gains;
  const long masterGain = held.inputs * held.outputs + held.inputs + held.outputs;
  CMKChanges sum = {0};
  Course course;
  set_course(&course, commands, now);
  long n = 0;
  for (int ends = 0; n < count && !ends;) {
    const CMKCommand *const first = commands + n;
    if (!is_on(&course, first)) set_course(&course, first, now);
    const int kind = kind_of(&course);
    long lane, limit, run = 1;
    const EntryPlace place = place_of(&held, first->gain, &lane, &limit);
    ends = first->endsTransaction;
    note_end(&held, place.group, &course);
    if (limit == 4 && place.input >= 0 && !ends) {
      const long left = count - n;
      const long whole =
          kind == NO_FADE
              ? follow_entries(&held, first, left, place, NO_FADE, &course, now, &sum)
          : kind == RATIO_FADE
              ? follow_entries(&held, first, left, place, RATIO_FADE, &course, now, &sum)
              : follow_entries(&held, first, left, place, GAIN_FADE, &course, now, &sum);
      n += whole;
      if (whole) continue;
    }
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
    // The other lanes repeat the first command.
    const CMKCommand *four[4];
    UNROLL for (long l = 0; l < 4; l++) {
      four[l] = first + (l >= lane && l < lane + run ? l - lane : 0);
    }
    const Numbers numbers = numbers_of(four);
    const unsigned bits = ((1u << run) - 1) << lane;
    follow_lanes(&held, place, bits, kind, &course, &numbers, now, &sum);
  }
  changes->moving += sum.moving;
  changes->fading += sum.fading;
  changes->isStale |= sum.isStale;
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
  changes->moving -= bit_count(bits);
  if (place.input >= 0) {
    const FourFloats silence = {0};
    const unsigned silent = nibble(AT(FourFloats, gains->target, slot) == silence) & bits &
                            gains->active[place.entry];
    gains->active[place.entry] &= (uint8_t)~silent;
    gains->activeOfInput[place.input] -= bit_count(silent);
  }
  mark_stale(gains, place.group, changes);
}

TARGET static int32_t settle(const CMKGains *gains, long group, const uint16_t *list, long count,
                             uint32_t block, int32_t nearest, CMKChanges *changes) {
  const long firstEntry = group * gains->inputs;
  const int isStages = 4 * group >= gains->outputs;
  FOR_LATE(gains->moving[entry] & ~(gains->fadingRatio[entry] | gains->fadingGain[entry]),
           gains->settleBlock, settle_lanes(gains, place, late, bits, changes));
}

INLINE void finish_lanes(const CMKGains *gains, EntryPlace place, FourShortMasks lanes,
                         unsigned bits, const CMKMoment *now, CMKChanges *changes) {
  const long entry = place.entry;
  gains->fadingRatio[entry] &= (uint8_t)~bits;
  gains->fadingGain[entry] &= (uint8_t)~bits;
  changes->fading -= bit_count(bits);
  mark_stale(gains, place.group, changes);
  const unsigned changed =
      aim(gains, place, lanes, audible(AT(FourFloats, gains->endTarget, 4 * entry)), now, changes);
  set_moving(gains, place, bits, changed, now, changes);
}

TARGET static int32_t finish_fades(const CMKGains *gains, long group, const uint16_t *list,
                                   long count, uint32_t block, int32_t nearest,
                                   const CMKMoment *now, CMKChanges *changes) {
  const long firstEntry = group * gains->inputs;
  const int isStages = 4 * group >= gains->outputs;
  FOR_LATE(gains->fadingRatio[entry] | gains->fadingGain[entry], gains->fadeEndBlock,
           finish_lanes(gains, place, late, bits, now, changes));
}

// Aims fading lanes of an entry at their next levels. What the glide takes up is the change of the
// level as a Double: the target beside it is rounded, by less than what is heard of any sum of
// floats.
INLINE void step_to(Glides glides, float *targets, long slot, FourMasks lanes, int areAll,
                    Four before, Four level, double aimA, double aimB) {
  FourFloats target = __builtin_convertvector(level, FourFloats);
  Four change = before - level;
  if (!areAll) {
    const FourShortMasks narrow = __builtin_convertvector(lanes, FourShortMasks);
    target = CHOOSE(narrow, target, AT(FourFloats, targets, slot));
    change = (Four)((FourMasks)change & lanes);
  }
  AT(FourFloats, targets, slot) = target;
  const Four a = AT(Four, glides.stateA, slot) + change * aimA;
  const Four b = AT(Four, glides.stateB, slot) + change * aimB;
  put_glide(glides, slot, &a, &b);
}

TARGET static void step_ratio(const CMKGains *gains, long firstEntry, const uint16_t *list,
                              long count, const CMKMoment *now) {
  const CMKGains held = *gains;
  const Glides glides = glides_of(gains);
  for (long n = 0; n < count; n++) {
    const long entry = firstEntry + list[n], slot = 4 * entry;
    const unsigned fading = held.fadingRatio[entry];
    const FourMasks lanes = wide(LANE_MASK(fading));
    const Four before = AT(Four, held.fadeLevel, slot);
    const Four level = before * AT(Four, held.fadeStep, slot);
    if (fading == 15) {
      AT(Four, held.fadeLevel, slot) = level;
    } else {
      STORE_LANES(Four, held.fadeLevel, slot, lanes, level);
    }
    step_to(glides, held.target, slot, lanes, fading == 15, before, level, now->aimA, now->aimB);
  }
}

// Fades in linear gain are computed from their beginnings at each step, and at the one before.
// Nothing has to be kept but what does not change: memory is what a step waits for.
TARGET static void step_gain(const CMKGains *gains, long firstEntry, const uint16_t *list,
                             long count, const CMKMoment *now) {
  const CMKGains held = *gains;
  const Glides glides = glides_of(gains);
  const FourMasks next = (FourMasks){0} + now->next;
  const FourMasks whole = (FourMasks)((Four){0} + 0x1.8p52);
  for (long n = 0; n < count; n++) {
    const long entry = firstEntry + list[n], slot = 4 * entry;
    const unsigned fading = held.fadingGain[entry];
    const FourMasks lanes = wide(LANE_MASK(fading));
    const FourMasks isSmooth = wide(LANE_MASK(held.fadingSmooth[entry]));
    // Whole numbers below 2^51, put into the last bits of one that is that large.
    const FourMasks age = next - AT(FourMasks, held.fadeStart, slot);
    const Four frames = (Four)(age + whole) - 0x1.8p52;
    const Four rate = AT(Four, held.fadeRate, slot);
    const Four time = frames * rate, timeBefore = (frames - 64) * rate;
    const Four base = AT(Four, held.fadeLevel, slot), delta = AT(Four, held.fadeStep, slot);
    const Four level = shaped(base, delta, time, isSmooth);
    const Four before = shaped(base, delta, timeBefore, isSmooth);
    step_to(glides, held.target, slot, lanes, fading == 15, before, level, now->aimA, now->aimB);
  }
}

#pragma clang diagnostic pop

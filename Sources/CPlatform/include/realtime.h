// A mark for functions that the audio thread may call: they neither lock nor allocate.
#pragma once

#define CROSSPOINT_REALTIME \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

// The few doors to the kernel that Swift cannot open by itself, or not on the audio thread.
#pragma once
#include "clock.h"
#include "columns.h"
#include "signals.h"
#include "thread.h"
#include "wake.h"

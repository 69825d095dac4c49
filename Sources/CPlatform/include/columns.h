#pragma once
#include <stdint.h>

/// How many columns of a terminal a Unicode scalar takes: 0, 1 or 2.
int crosspoint_columns(uint32_t scalar);

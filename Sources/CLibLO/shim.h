#pragma once
#include <lo/lo.h>
#include <lo/lo_throw.h>

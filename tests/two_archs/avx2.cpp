// SPDX-License-Identifier: BSD-3-Clause
#include "two_archs/calls.hpp"

unit avx2_unit() { return this_unit(); }

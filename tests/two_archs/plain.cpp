// SPDX-License-Identifier: BSD-3-Clause
#include "two_archs/calls.hpp"

unit plain_unit() { return this_unit(); }

// SPDX-License-Identifier: BSD-3-Clause
// Catch2 of either generation.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

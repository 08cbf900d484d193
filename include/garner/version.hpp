// SPDX-License-Identifier: BSD-3-Clause
// The version of garner; CMakeLists.txt reads it from here.
#pragma once

namespace garner {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;

}  // namespace garner

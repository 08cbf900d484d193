# SPDX-License-Identifier: BSD-3-Clause
# cmake -DROOT=<checkout> -P check_readme.cmake
# The first C++ block of README.md is examples/01_first.cpp, which is compiled and run.
cmake_minimum_required(VERSION 3.24)

file(READ ${ROOT}/README.md readme)
file(READ ${ROOT}/examples/01_first.cpp example)

string(FIND "${readme}" "```cpp\n" begin)
if(begin EQUAL -1)
  message(FATAL_ERROR "README.md has no ```cpp block")
endif()
math(EXPR begin "${begin} + 7")
string(SUBSTRING "${readme}" ${begin} -1 block)
string(FIND "${block}" "```" end)
string(SUBSTRING "${block}" 0 ${end} block)

# The licence line and the like need not be repeated in the README.
foreach(text block example)
  string(REGEX REPLACE "^(//[^\n]*\n|\n)+" "" ${text} "${${text}}")
endforeach()
if(NOT block STREQUAL example)
  message(FATAL_ERROR "the first C++ block of README.md is not examples/01_first.cpp:\n${block}")
endif()

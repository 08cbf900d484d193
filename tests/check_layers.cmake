# SPDX-License-Identifier: BSD-3-Clause
# cmake -DROOT=<checkout> -P check_layers.cmake
# Includes point down, xsimd stays in the kernels, and no operation lacks a part. Each public
# function is one of those that bad inputs are tried on.
cmake_minimum_required(VERSION 3.24)

# Top first. A file may include what stands below it; kernels may also include one another.
set(layers
    garner.hpp
    interop/[^/]+.hpp
    ops/[^/]+.hpp
    detail/update.hpp
    detail/reduce.hpp
    detail/values.hpp
    detail/lines.hpp
    detail/bag_call.hpp
    detail/call.hpp
    detail/settle.hpp
    detail/lower.hpp
    detail/validate.hpp
    detail/overlap.hpp
    detail/execute.hpp
    detail/plan.hpp
    detail/indexed_copy.hpp
    detail/by_order.hpp
    detail/kernels/[^/]+.hpp
    bag.hpp
    detail/resolve.hpp
    options.hpp
    print.hpp
    tensor.hpp
    as_view.hpp
    view.hpp
    detail/buffer.hpp
    detail/layout.hpp
    shape.hpp
    error.hpp
    half.hpp
    config.hpp
    version.hpp)

function(find_layer file out)
  set(depth 0)
  foreach(layer IN LISTS layers)
    string(REPLACE ".hpp" "\\.hpp" layer "${layer}")
    if(file MATCHES "^${layer}$")
      set(${out} ${depth} PARENT_SCOPE)
      return()
    endif()
    math(EXPR depth "${depth} + 1")
  endforeach()
  set(${out} "" PARENT_SCOPE)
endfunction()

function(read path out)
  set(text "")
  if(EXISTS ${path})
    file(READ ${path} text)
  endif()
  set(${out} "\n${text}" PARENT_SCOPE)
endfunction()

set(include ${ROOT}/include/garner)
file(GLOB_RECURSE files RELATIVE ${include} ${include}/*)
if(NOT files)
  message(FATAL_ERROR "no files in ${include}")
endif()
foreach(file IN LISTS files)
  find_layer(${file} own)
  if(own STREQUAL "")
    message(SEND_ERROR "${file}: give it a layer in tests/check_layers.cmake")
    continue()
  endif()
  read(${include}/${file} text)
  string(REGEX MATCHALL "\n[ \t]*#[ \t]*include[ \t]*[<\"][^>\"\n]+" lines "${text}")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "([<\"])(.+)" _ "${line}")
    set(quote ${CMAKE_MATCH_1})
    set(target ${CMAKE_MATCH_2})
    if(target MATCHES "^xsimd[/.]" AND NOT file MATCHES "^detail/kernels/")
      message(SEND_ERROR "${file}: includes <${target}>; only detail/kernels may")
    endif()
    if(target MATCHES "^garner/(.+)")
      set(target ${CMAKE_MATCH_1})
    elseif(quote STREQUAL "\"")
      cmake_path(GET file PARENT_PATH folder)
      cmake_path(APPEND folder ${target} OUTPUT_VARIABLE target)
      cmake_path(NORMAL_PATH target)
    else()
      continue()
    endif()
    find_layer(${target} other)
    if(other STREQUAL "")
      message(SEND_ERROR "${file}: includes ${target}, which has no layer")
    elseif(other EQUAL own AND file MATCHES "^detail/kernels/")
      continue()
    elseif(NOT other GREATER own)
      message(SEND_ERROR "${file}: includes ${target}, which is not below it")
    endif()
  endforeach()
endforeach()

read(${include}/garner.hpp umbrella)
read(${ROOT}/tests/support/all_operations.hpp listed)
read(${ROOT}/docs/operations.md rows)
file(GLOB operations ${include}/ops/*.hpp)
foreach(header IN LISTS operations)
  cmake_path(GET header STEM op)
  foreach(part tests/ops/${op}.cpp bench/ops/${op}.cpp)
    if(NOT EXISTS ${ROOT}/${part})
      message(SEND_ERROR "${op}: no ${part}")
    endif()
  endforeach()
  if(NOT rows MATCHES "\n\\|[^\n]*`${op}[^a-z0-9_]")
    message(SEND_ERROR "${op}: no row in docs/operations.md")
  endif()
  if(NOT umbrella MATCHES "\n#include [<\"]garner/ops/${op}\\.hpp[>\"]")
    message(SEND_ERROR "${op}: garner.hpp does not include it")
  endif()
  # A public function stands after the last line of namespace detail.
  read(${header} text)
  string(REGEX REPLACE "\n}  // namespace detail\n" "\n@\n" text "${text}")
  string(REGEX REPLACE "^.*\n@\n" "\n" text "${text}")
  string(REGEX MATCHALL "\n(auto|void|requires[^\n]* void) [a-z_]+\\(" functions "${text}")
  if(NOT functions)
    message(SEND_ERROR "${op}: no public function found in ops/${op}.hpp")
  endif()
  foreach(function IN LISTS functions)
    string(REGEX REPLACE ".* ([a-z_]+)\\($" "\\1" function "${function}")
    if(NOT listed MATCHES "garner::${function}[<(]")
      message(SEND_ERROR "${function}: not in tests/support/all_operations.hpp")
    endif()
  endforeach()
endforeach()

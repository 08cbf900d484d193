# SPDX-License-Identifier: BSD-3-Clause
# cmake -DNM=<nm> -DAVX2=<object> -DPLAIN=<object> -P check_symbols.cmake
# What two units have in common, of which the linker keeps one, holds no loop over elements.
cmake_minimum_required(VERSION 3.24)

function(read_symbols object out)
  execute_process(COMMAND ${NM} -C --defined-only ${object} OUTPUT_VARIABLE text
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "[][;]" "_" text "${text}")
  string(REGEX MATCHALL " [WVu] [^\n]+" symbols "${text}")
  set(${out} ${symbols} PARENT_SCOPE)
endfunction()

# Fails unless many symbols name the unit's own architecture, and none the other one.
function(check_own symbols own other)
  list(FILTER symbols INCLUDE REGEX "xsimd::(${own}|${other})[^0-9a-z]")
  list(LENGTH symbols count)
  list(FILTER symbols INCLUDE REGEX "xsimd::${other}[^0-9a-z]")
  if(count LESS 10 OR symbols)
    message(SEND_ERROR "${count} symbols name ${own}; of ${other}: ${symbols}")
  endif()
endfunction()

read_symbols(${AVX2} avx2)
read_symbols(${PLAIN} plain)
check_own("${avx2}" avx2 sse2)
check_own("${plain}" sse2 avx2)
set(loops "(execute|_run|_rows|_each|lookup|_gather|within|compact|extreme|least|sort|rising)[a-z_]*<")
foreach(symbol IN LISTS avx2)
  if(symbol IN_LIST plain AND symbol MATCHES "garner::detail::[a-z_]*${loops}")
    message(SEND_ERROR "in both units: ${symbol}")
  endif()
endforeach()

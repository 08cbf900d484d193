# SPDX-License-Identifier: BSD-3-Clause
# Uses garner as a stranger would: CASE is install, installed, subdirectory, refused or pkgconfig.
cmake_minimum_required(VERSION 3.24)

if(CASE STREQUAL "install")
  file(REMOVE_RECURSE ${PREFIX}) # a file of an earlier run could stand in for one not installed now
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX}
                          COMMAND_ERROR_IS_FATAL ANY)
  return()
endif()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
if(CASE STREQUAL "pkgconfig")
  find_program(pkgconfig NAMES pkg-config pkgconf)
  if(NOT pkgconfig)
    message("SKIPPED: pkg-config is not installed")
    return()
  endif()
  set(ENV{PKG_CONFIG_PATH} "${PREFIX}/share/pkgconfig:$ENV{PKG_CONFIG_PATH}")
  execute_process(COMMAND ${pkgconfig} --exact-version=${VERSION} garner COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${pkgconfig} --cflags garner
                  OUTPUT_VARIABLE cflags COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(cflags UNIX_COMMAND "${FLAGS} ${cflags}")
  execute_process(
    COMMAND ${COMPILER} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/../../examples/01_first.cpp ${cflags}
            -o ${WORK}/app COMMAND_ERROR_IS_FATAL ANY)
else()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${CASE} -B ${WORK} -G ${GENERATOR}
            -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS}
            "-DCMAKE_PREFIX_PATH=${PREFIX};${PREFIX_PATH}" -DEXPECTED_VERSION=${VERSION}
            --no-warn-unused-cli COMMAND_ERROR_IS_FATAL ANY)
  if(CASE STREQUAL "refused")
    return()
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK} COMMAND_ERROR_IS_FATAL ANY)
  if(EXISTS ${WORK}/garner/tests OR EXISTS ${WORK}/garner/bench OR EXISTS ${WORK}/garner/examples)
    message(FATAL_ERROR "a subproject must not build garner's own tests, benchmarks or examples")
  endif()
endif()
execute_process(COMMAND ${WORK}/app COMMAND_ERROR_IS_FATAL ANY)

# SPDX-License-Identifier: BSD-3-Clause
# Runs ports/garner/portfile.cmake into WORK/package, with stand-ins for what vcpkg provides.
cmake_minimum_required(VERSION 3.24)

set(package ${WORK}/package)
file(REMOVE_RECURSE ${WORK})

file(READ ${ROOT}/ports/garner/vcpkg.json manifest)
string(JSON name GET "${manifest}" name)
string(JSON version GET "${manifest}" version)
string(JSON license GET "${manifest}" license)
if(NOT "${name} ${version} ${license}" STREQUAL "garner ${VERSION} BSD-3-Clause")
  message(SEND_ERROR "vcpkg.json: ${name} ${version} ${license}, but this is garner ${VERSION}")
endif()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" SOURCE_PATH OPTIONS)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${WORK}/build -G ${GENERATOR}
            -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${PREFIX_PATH}
            -DCMAKE_INSTALL_PREFIX=${package} ${arg_OPTIONS}
    ERROR_VARIABLE errors COMMAND_ERROR_IS_FATAL ANY)
  if(errors)
    message(SEND_ERROR "configuring is not silent:\n${errors}")
  endif()
endfunction()

function(vcpkg_cmake_install)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build --target install
                          COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# share/cmake/garner becomes share/garner, one level nearer to the prefix.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" CONFIG_PATH "")
  file(GLOB files ${package}/${arg_CONFIG_PATH}/*.cmake)
  if(NOT files)
    message(FATAL_ERROR "the package has no CMake files in ${arg_CONFIG_PATH}")
  endif()
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(REPLACE "LIST_DIR}/../../../" "LIST_DIR}/../../" text "${text}")
    string(REGEX REPLACE "(get_filename_component\\(_IMPORT_PREFIX \"\\\${_IMPORT_PREFIX}\" PATH.\n)+"
                         "\\1\\1" text "${text}")
    cmake_path(GET file FILENAME leaf)
    file(WRITE ${package}/share/garner/${leaf} "${text}")
  endforeach()
  file(REMOVE_RECURSE ${package}/share/cmake)
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" FILE_LIST)
  file(COPY_FILE ${arg_FILE_LIST} ${package}/share/garner/copyright)
endfunction()

include(${ROOT}/ports/garner/portfile.cmake)

# What vcpkg itself refuses in a header-only package.
foreach(path include/garner/version.hpp share/garner/copyright share/garner/garnerConfig.cmake
             share/pkgconfig/garner.pc)
  if(NOT EXISTS ${package}/${path})
    message(SEND_ERROR "the package lacks ${path}")
  endif()
endforeach()
foreach(path lib debug share/cmake share/doc)
  if(EXISTS ${package}/${path})
    message(SEND_ERROR "the package must not have ${path}")
  endif()
endforeach()
file(GLOB_RECURSE files ${package}/*.cmake ${package}/*.pc)
foreach(file IN LISTS files)
  file(READ ${file} text)
  foreach(path ${WORK} ${ROOT})
    string(FIND "${text}" ${path} at)
    if(NOT at EQUAL -1)
      message(SEND_ERROR "${file} names ${path}")
    endif()
  endforeach()
endforeach()

# SPDX-License-Identifier: BSD-3-Clause
# SOURCE must compile; with GARNER_MISTAKE it must not, and the first error must hold the sentence
# that its first line expects: a reader sees the first error, not the tenth. Without SOURCE, the
# HEADER that all of them begin with is made and parsed, once for all.
cmake_minimum_required(VERSION 3.24)
set(ENV{LC_ALL} C)

separate_arguments(FLAGS UNIX_COMMAND "${FLAGS}")
list(TRANSFORM INCLUDES PREPEND -I)
set(compile ${COMPILER} ${FLAGS} -std=c++20 ${INCLUDES})
if(NOT SOURCE)
  file(WRITE ${HEADER} "#include <garner/garner.hpp>\n")
  execute_process(COMMAND ${compile} -x c++-header ${HEADER} -o ${HEADER}.gch
                          COMMAND_ERROR_IS_FATAL ANY)
  return()
endif()

file(READ ${SOURCE} text)
if(NOT text MATCHES "^// expect: ([^\n]+)")
  message(FATAL_ERROR "${SOURCE}: the first line must be `// expect: <sentence>`")
endif()
set(sentence "${CMAKE_MATCH_1}")

list(APPEND compile -fsyntax-only -include ${HEADER} ${SOURCE})
execute_process(COMMAND ${compile} RESULT_VARIABLE status ERROR_VARIABLE output)
if(status)
  message(FATAL_ERROR "does not compile even without the mistake:\n${output}")
endif()
execute_process(COMMAND ${compile} -DGARNER_MISTAKE RESULT_VARIABLE status ERROR_VARIABLE output)
if(NOT status)
  message(FATAL_ERROR "the mistake compiles; expected: ${sentence}")
endif()
string(REGEX MATCH "[^\n]*error:[^\n]*" first "${output}")
string(FIND "${first}" "${sentence}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "expected first error: ${sentence}\nactual first error: ${first}\n${output}")
endif()

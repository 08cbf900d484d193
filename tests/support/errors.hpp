// SPDX-License-Identifier: BSD-3-Clause
// The text of the error that a call throws.
#pragma once

#include <string>

#include <garner/error.hpp>

namespace test {

template <class Error, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

template <class Call>
std::string shape_error_of(const Call& call) {
  return message_of<garner::shape_error>(call);
}

template <class Call>
std::string index_error_of(const Call& call) {
  return message_of<garner::index_error>(call);
}

}  // namespace test

// SPDX-License-Identifier: BSD-3-Clause
// Built without exceptions and RTTI: the error's text reaches the handler, then the program aborts.
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <garner/garner.hpp>

namespace {

volatile std::sig_atomic_t handled = 0;

}  // namespace

int main() {
  garner::set_error_handler([](const char* message) {
    handled = std::strcmp(message, "gather: index[0,1] = 9 is out of range for dim 1 of extent 4") == 0;
  });
  std::signal(SIGABRT, [](int) { std::_Exit(handled ? 0 : 1); });
  const garner::tensor<float, 2> input({5, 4});
  const garner::tensor<int, 2> index{{0, 9}};
  garner::gather(input, 1, index);
  return 2;
}

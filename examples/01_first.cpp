// SPDX-License-Identifier: BSD-3-Clause
// The first block of README.md.
#include <garner/garner.hpp>
#include <iostream>

int main() {
  const garner::tensor<float, 2> x{{10, 20, 30, 40}, {50, 60, 70, 80}, {90, 100, 110, 120}};
  const garner::tensor<int, 2> index{{0, 2}, {1, 3}, {2, 0}};

  const auto picked = garner::gather(x, 1, index);  // picked[i][j] = x[i][index[i][j]]
  std::cout << picked << '\n';
  return picked == garner::tensor<float, 2>{{10, 30}, {60, 80}, {110, 90}} ? 0 : 1;
}

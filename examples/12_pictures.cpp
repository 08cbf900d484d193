// SPDX-License-Identifier: BSD-3-Clause
// A picture by a palette, the same remapped through a lens, and a histogram: lookups, coordinates
// and scattered sums. Writes palette.ppm and lens.ppm into the working directory, to look at.
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>

#include <garner/garner.hpp>

#include "check.hpp"

using garner::dims;
using garner::index_t;
using garner::tensor;
using byte = std::uint8_t;

namespace {

constexpr index_t size = 256;

void write(const std::string& path, const tensor<byte, 3>& picture) {
  std::ofstream file(path, std::ios::binary);
  file << "P6\n" << picture.extent(1) << ' ' << picture.extent(0) << "\n255\n";
  file.write(reinterpret_cast<const char*>(picture.data()), picture.size());
  show("wrote " + path, file.good(), true);
}

}  // namespace

int main() {
  // Rings, as numbers of colours.
  tensor<byte, 2> rings(dims{size, size});
  for (index_t y = 0; y < size; ++y) {
    for (index_t x = 0; x < size; ++x) {
      const auto d = std::hypot(static_cast<double>(x) - 90, static_cast<double>(y) - 120);
      rings(y, x) = static_cast<byte>(static_cast<int>(d / 6) % 16);
    }
  }

  // palette[ring]: sixteen colours of three bytes; the index's dims take the place of dim 0.
  tensor<byte, 2> palette(dims{16, 3});
  for (index_t c = 0; c < 16; ++c) {
    palette(c, 0) = static_cast<byte>(255 - 16 * c);
    palette(c, 1) = static_cast<byte>(c * c);
    palette(c, 2) = static_cast<byte>(16 * c);
  }
  const tensor<byte, 3> picture = garner::take(palette, rings, 0);
  show_shape("shape of take(palette, rings, 0)", picture.shape(), size, size, 3);
  show("its first pixel", picture.select(0, 0).select(0, 0), palette.select(0, rings(0, 0)));
  write("palette.ppm", picture);

  // Remap: for each pixel the coordinates of the one it shows; what lies outside is black.
  tensor<std::int32_t, 3> from(dims{size, size, 2});
  for (index_t y = 0; y < size; ++y) {
    for (index_t x = 0; x < size; ++x) {
      const double u = static_cast<double>(x) / 128 - 1, v = static_cast<double>(y) / 128 - 1;
      const double stretch = 128 * (0.4 + 0.9 * (u * u + v * v));
      from(y, x, 0) = static_cast<std::int32_t>(std::floor(128 + v * stretch));
      from(y, x, 1) = static_cast<std::int32_t>(std::floor(128 + u * stretch));
    }
  }
  const tensor<byte, 3> lens(
      garner::gather_nd(picture, from, garner::fill(byte{0}), garner::reject_negative));
  show("the middle of the lens", lens.select(0, 128).select(0, 128),
       picture.select(0, 128).select(0, 128));
  show("its corner, from outside", lens.select(0, 0).select(0, 0), tensor<byte, 1>{0, 0, 0});
  write("lens.ppm", lens);

  // How many pixels each colour has: ones, added where the ring number says.
  tensor<std::int64_t, 1> histogram(16);
  garner::scatter_add_into(histogram, 0, rings.flatten(), 1);
  std::int64_t total = 0;
  for (const auto count : histogram) total += count;
  std::cout << "pixels per colour: " << histogram << '\n';
  show("pixels in all", total, std::int64_t{size * size});
}

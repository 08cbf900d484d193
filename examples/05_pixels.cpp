// SPDX-License-Identifier: BSD-3-Clause
// Images: a channel chosen for each pixel, palettes, and what happens at the border.
#include <cstdint>
#include <ostream>
#include <vector>

#include <garner/garner.hpp>

#include "check.hpp"

using garner::index_select;
using garner::index_t;
using garner::take;
using garner::tensor;

struct rgb {
  std::uint8_t r, g, b;
  friend bool operator==(const rgb&, const rgb&) = default;
  friend std::ostream& operator<<(std::ostream& out, const rgb& c) {
    return out << +c.r << '/' << +c.g << '/' << +c.b;
  }
};

int main() {
  say("images (2, 32, 32, 3), one channel per pixel (2, 32, 32)");
  tensor<int, 4> images({2, 32, 32, 3});
  tensor<std::uint8_t, 3> channel({2, 32, 32});
  for (index_t n = 0; n < 2; ++n) {
    for (index_t y = 0; y < 32; ++y) {
      for (index_t x = 0; x < 32; ++x) {
        for (index_t c = 0; c < 3; ++c) {
          images(n, y, x, c) = static_cast<int>(((n * 100 + y) * 100 + x) * 10 + c);
        }
        channel(n, y, x) = static_cast<std::uint8_t>((n + y + x) % 3);
      }
    }
  }
  const auto chosen = garner::gather(images, 3, channel.unsqueeze(-1)).squeeze(-1);
  show_shape("shape of gather(images, 3, channel.unsqueeze(-1)).squeeze(-1)", chosen.shape(), 2, 32,
             32);
  show("one corner: image, row, column and channel are the digits of each value",
       chosen.select(0, 1).slice(0, 30, garner::end).slice(1, 29, garner::end),
       tensor<int, 2>{{130290, 130301, 130312}, {131291, 131302, 131310}});

  say("a palette of 3-byte structs under a picture of 8-bit numbers");
  const tensor<rgb, 1> palette{{0, 0, 0}, {255, 0, 0}, {0, 128, 255}, {255, 255, 255}};
  const tensor<std::uint8_t, 2> picture{{0, 1, 3}, {2, 2, 1}};
  show("take(palette, picture)", take(palette, picture),
       tensor<rgb, 2>{{{0, 0, 0}, {255, 0, 0}, {255, 255, 255}},
                      {{0, 128, 255}, {0, 128, 255}, {255, 0, 0}}});

  say("256 entries under an 8-bit index: no index can be wrong, so none is checked");
  tensor<std::uint8_t, 1> inverted(256);
  for (index_t i = 0; i < 256; ++i) inverted(i) = static_cast<std::uint8_t>(255 - i);
  show("take(inverted, [[0,1,128],[200,254,255]])",
       take(inverted, tensor<std::uint8_t, 2>{{0, 1, 128}, {200, 254, 255}}),
       tensor<std::uint8_t, 2>{{255, 254, 127}, {55, 1, 0}});

  say("beyond the border of a row [10 20 30 40], positions -2 to 5");
  const std::vector<int> row{10, 20, 30, 40};
  const std::vector<int> around{-2, -1, 0, 1, 2, 3, 4, 5};
  show("index_select(row, 0, around, clip): the border repeats",
       index_select(row, 0, around, garner::clip), tensor<int, 1>{10, 10, 10, 20, 30, 40, 40, 40});
  show("index_select(row, 0, around, wrap): the row starts again",
       index_select(row, 0, around, garner::wrap), tensor<int, 1>{30, 40, 10, 20, 30, 40, 10, 20});
  show("index_select(row, 0, around, fill(0)): nothing is there",
       index_select(row, 0, around, garner::fill(0)), tensor<int, 1>{0, 0, 10, 20, 30, 40, 0, 0});

  say("a frame of one pixel around a picture: one dim, then the other");
  const tensor<int, 2> tile{{1, 2}, {3, 4}};
  const std::vector<int> framed{-1, 0, 1, 2};
  const auto taller = index_select(tile, 0, framed, garner::clip);
  show("index_select(index_select(tile, 0, framed, clip), 1, framed, clip)",
       index_select(taller, 1, framed, garner::clip),
       tensor<int, 2>{{1, 1, 2, 2}, {1, 1, 2, 2}, {3, 3, 4, 4}, {3, 3, 4, 4}});
}

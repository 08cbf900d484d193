// SPDX-License-Identifier: BSD-3-Clause
// Threads that call operations at the same time, on shared inputs and outs of their own, get what
// one thread gets; errors included. For the thread sanitizer, too.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <garner/garner.hpp>

namespace {

using garner::index_t;

struct inputs {
  garner::tensor<float, 2> x{garner::dims{200, 70}};
  std::vector<std::int64_t> rows;
  garner::tensor<std::int32_t, 2> columns{garner::dims{200, 9}};
  std::vector<std::int64_t> bad{3, 200};

  inputs() {
    for (index_t k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(k * 7919 % 1013);
    for (index_t k = 0; k < 150; ++k) rows.push_back(k * 31 % 200);
    for (index_t k = 0; k < columns.size(); ++k) {
      columns.data()[k] = static_cast<std::int32_t>(k * 13 % 70);
    }
  }
};

/// All that one thread makes of the inputs.
std::vector<float> work(const inputs& in) {
  std::vector<float> all;
  const auto keep = [&](const auto& result) {
    for (index_t k = 0; k < result.size(); ++k) all.push_back(static_cast<float>(result.data()[k]));
  };
  keep(garner::index_select(in.x, 0, in.rows));
  keep(garner::gather(in.x, 1, in.columns));
  keep(garner::take(in.x.transpose(0, 1), in.rows, garner::wrap));
  keep(garner::argsort(in.x, 1));
  keep(garner::embedding_bag<garner::bag_mode::sum>(in.x, in.rows, std::vector<int>{0, 60}));
  keep(garner::token_log_probs(
      in.x, garner::index_select(in.columns, 1, std::vector<int>{0}).squeeze(1)));
  garner::tensor<float, 2> own(in.x.shape());
  garner::index_add_into(own, 0, in.rows, garner::index_select(in.x, 0, in.rows));
  garner::scatter_reduce_into<garner::reduce::mean>(own, 1, in.columns, in.x);
  keep(own);
  try {
    garner::index_select(in.x, 0, in.bad);
  } catch (const garner::index_error& error) {
    all.push_back(static_cast<float>(std::string(error.what()).size()));
  }
  return all;
}

}  // namespace

int main() {
  const inputs in;
  const auto expected = work(in);
  constexpr std::size_t count = 6;
  std::vector<char> is_right(count, 1);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < count; ++t) {
      threads.emplace_back([&, t] {
        for (int k = 0; k < 20; ++k) is_right[t] = is_right[t] && work(in) == expected;
      });
    }
  }
  int wrong = 0;
  for (std::size_t t = 0; t < count; ++t) wrong += !is_right[t];
  std::printf("%d of %zu threads got other results than one alone\n", wrong, count);
  return wrong;
}

// SPDX-License-Identifier: BSD-3-Clause
// What is refused, how it is told, and what to do about it.
#include <cstdint>
#include <string>
#include <vector>

#include <garner/garner.hpp>

#include "check.hpp"

using garner::gather;
using garner::gather_into;
using garner::tensor;

/// The text of the Error that `call` must throw.
template <class Error, class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

int main() {
  const tensor<int, 2> x{{10, 20, 30}, {40, 50, 60}};
  const tensor<int, 2> bad{{0, 1, 2, 2, 0}, {2, 1, 0, -1, 9}};

  say("an index out of range is an error that names the first one");
  show("gather(x, 1, bad)", error_of<garner::index_error>([&] { gather(x, 1, bad); }),
       "gather: index[1,3] = -1 is out of range for dim 1 of extent 3");
  show("gather(x, 1, bad, from_end), where -1 is the last element",
       error_of<garner::index_error>([&] { gather(x, 1, bad, garner::from_end); }),
       "gather: index[1,4] = 9 is out of range for dim 1 of extent 3");
  try {
    gather(x, 1, bad);
  } catch (const garner::index_error& error) {
    show("the parts of the message: position", garner::as_view(error.position()),
         tensor<garner::index_t, 1>{1, 3});
    show("value", error.value().text(), "-1");
    show("dim", error.dim(), 1);
    show("extent", error.extent(), 3);
  }

  say("nothing is written when a call fails");
  tensor<int, 2> out{{7, 7, 7, 7, 7}, {7, 7, 7, 7, 7}};
  show("gather_into(out, x, 1, bad)",
       error_of<garner::index_error>([&] { gather_into(out, x, 1, bad); }),
       "gather: index[1,3] = -1 is out of range for dim 1 of extent 3");
  show("out", out, tensor<int, 2>{{7, 7, 7, 7, 7}, {7, 7, 7, 7, 7}});

  say("or say what such an index shall mean");
  show("clip: the nearest end", gather(x, 1, bad, garner::clip),
       tensor<int, 2>{{10, 20, 30, 30, 10}, {60, 50, 40, 40, 60}});
  show("clip, from_end: -1 is the last element first",
       gather(x, 1, bad, garner::clip, garner::from_end),
       tensor<int, 2>{{10, 20, 30, 30, 10}, {60, 50, 40, 60, 60}});
  show("wrap: modulo 3", gather(x, 1, bad, garner::wrap),
       tensor<int, 2>{{10, 20, 30, 30, 10}, {60, 50, 40, 60, 40}});
  show("fill(-1): a value of its own", gather(x, 1, bad, garner::fill(-1)),
       tensor<int, 2>{{10, 20, 30, 30, 10}, {60, 50, 40, -1, -1}});

  say("shapes that do not fit");
  show("an index longer than the input off dim", error_of<garner::shape_error>([&] {
         gather(x, 1, tensor<int, 2>{{0}, {0}, {0}});
       }),
       "gather: index has extent 3 in dim 0, but input only 2");
  show("a dim that is not there", error_of<garner::shape_error>([&] { gather(x, 2, bad); }),
       "gather: dim 2 is out of range for a tensor of 2 dims");
  show("an out of the wrong shape; it is never resized", error_of<garner::shape_error>([&] {
         gather_into(out, x, 1, tensor<int, 2>{{0}, {0}});
       }),
       "gather: out has shape (2, 5), but the result has shape (2, 1)");

  say("out may not overlap an input, nor itself");
  std::vector<int> memory{0, 1, 2, 3, 4, 5};
  const auto front = garner::make_view(memory, {4});
  const auto back = garner::make_view(memory, {4}, {1}, 2);
  const std::vector<int> reversed{3, 2, 1, 0};
  show("reading elements 0 to 3, writing 2 to 5",
       error_of<garner::shape_error>([&] { gather_into(back, front, 0, reversed); }),
       "gather: out overlaps the input");
  const auto even = garner::make_view(memory, {3}, {2}, 0);
  const auto odd = garner::make_view(memory, {3}, {2}, 1);
  gather_into(odd, even, 0, std::vector<int>{2, 1, 0});
  show("reading the even elements, writing the odd ones: they share none", garner::as_view(memory),
       tensor<int, 1>{0, 4, 2, 2, 4, 0});
  show("writing one element many times", error_of<garner::shape_error>([&] {
         gather_into(garner::make_view(memory, {1}).expand({4}), reversed, 0, reversed);
       }),
       "gather: out overlaps itself: shape (4) with strides (0)");

  say("an index that serves many calls is checked once");
  const tensor<std::int64_t, 2> index{{2, 0}, {1, 1}};
  const auto proven = garner::validate(index, 3);
  show("gather(x, 1, proven)", gather(x, 1, proven), tensor<int, 2>{{30, 10}, {50, 50}});
  const tensor<int, 2> narrow{{1, 2}, {3, 4}};
  show("on a shorter axis the proof does not hold",
       error_of<garner::shape_error>([&] { gather(narrow, 1, proven); }),
       "gather: the index was validated for extent 3, but the axis has extent 2");
}

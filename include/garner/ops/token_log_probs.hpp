// SPDX-License-Identifier: BSD-3-Clause
// token_log_probs: the log-probability that each row of logits gives to one id, and its gradient.
// log_softmax and gather in one; the log_softmax is never stored.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

#include <garner/detail/call.hpp>
#include <garner/detail/kernels/log_sum_exp.hpp>
#include <garner/half.hpp>

namespace garner {

namespace detail {

/// Forward and backward are lowered alike, under the name of either. The axis is the last dim of
/// the logits, and what is read at an id is a whole row.
template <class Op>
struct token_rows {
  static constexpr bool takes_batch_dims = false;
  using negatives = reject_negative_t;

  template <int R, int Q>
  static constexpr auto lower(const layout<R>& logits, const layout<Q>& ids) {
    static_assert(R == dynamic_rank || Q == dynamic_rank || R == Q + 1,
                  "garner: logits (..., V) must have one dim more than ids (...)");
    bool fits = logits.rank() == ids.rank() + 1;
    for (int d = 0; fits && d < ids.rank(); ++d) fits = logits.shape[d] == ids.shape[d];
    if (!fits) {
      fail_shape(Op::name, "logits have shape ", logits.shape, " and ids ", ids.shape,
                 ": logits must have the extents of ids, and one dim more");
    }
    auto problem = along<common_rank(plus_rank(R, -1), Q)>(Op::name, logits, -1, ids.rank());
    for (int d = 0; d < ids.rank(); ++d) {
      problem.shape[d] = ids.shape[d];
      problem.src_strides[d] = logits.strides[d];
      problem.index_strides[d] = ids.strides[d];
    }
    return problem;
  }
};
struct token_log_probs_op : token_rows<token_log_probs_op> {
  static constexpr const char* name = "token_log_probs";
};
struct token_log_probs_backward_op : token_rows<token_log_probs_backward_op> {
  static constexpr const char* name = "token_log_probs_backward";
};

/// What log-probabilities of logits of type T are.
template <class T>
constexpr auto log_prob_of() {
  using result = accumulator_t<T>;
  static_assert(std::same_as<result, float> || std::same_as<result, double>,
                "garner: logits are float, double, half or bfloat16");
  return result{};
}
template <class Logits>
using log_prob_t = decltype(log_prob_of<typename Logits::value_type>());

/// The resolver of a call's options.
template <class Rules, class Ids>
using id_resolver =
    resolver<typename Ids::value_type, typename Rules::outside, typename Rules::negatives>;

/// Every id is legal.
template <class Arch, class Rules, class Out, class Logits, class Ids, int Rank, class Options>
void write_log_probs(const Out& out, const Logits& logits, const Ids& ids,
                     const indexed_copy<Rank>& problem, const Options& options) {
  using element = typename Out::element_type;
  using stored = typename Logits::value_type;
  constexpr std::size_t batch = short_rows<Arch, element>::count;
  const id_resolver<Rules, Ids> resolve{problem.axis_extent()};
  element fill{};
  if constexpr (resolve.fills) {
    const auto& value = options.outside().value;
    static_assert(std::convertible_to<decltype(value), element>,
                  "garner: fill(v) needs a value that converts to the element type");
    fill = static_cast<element>(value);
  }
  const stored* rows[batch];
  index_t picked[batch];
  element* to[batch];
  std::size_t used = 0;
  const auto flush = [&] {
    for (std::size_t r = used; r < batch; ++r) {
      rows[r] = rows[used - 1];
      picked[r] = picked[used - 1];
    }
    element results[batch];
    log_probs_of_rows<Arch>(rows, problem.axis.strides[0], problem.axis_extent(), picked, results,
                            used);
    for (std::size_t r = 0; r < used; ++r) *to[r] = results[r];
    used = 0;
  };
  const std::array strides{dims<Rank>(out.strides()), problem.src_strides, problem.index_strides};
  all_of_offsets(problem.shape, strides, [&](const std::array<index_t, 3>& at) {
    const index_t id = resolve(ids.data()[at[2]]);
    if (resolve.fills && id == resolve.outside) {
      out.data()[at[0]] = fill;
      return true;
    }
    rows[used] = logits.data() + at[1];
    picked[used] = id;
    to[used] = out.data() + at[0];
    if (++used == batch) flush();
    return true;
  });
  if (used > 0) flush();
}

/// Every id is legal.
template <class Arch, class Rules, class Gradient, class GradOut, class Logits, class Ids, int Rank>
void add_gradients(const Gradient& gradient, const GradOut& grad_out, const Logits& logits,
                   const Ids& ids, const indexed_copy<Rank>& problem) {
  using element = typename GradOut::value_type;
  using stored = typename Logits::value_type;
  constexpr std::size_t batch = short_rows<Arch, element>::count;
  const id_resolver<Rules, Ids> resolve{problem.axis_extent()};
  const int last = gradient.rank() - 1;
  const stored* rows[batch];
  index_t picked[batch];
  stored* to[batch];
  element g[batch];
  std::size_t used = 0;
  const auto flush = [&] {
    for (std::size_t r = used; r < batch; ++r) rows[r] = rows[used - 1];
    add_log_prob_gradients<Arch>(to, gradient.strides()[last], rows, problem.axis.strides[0],
                                 problem.axis_extent(), picked, g, used);
    used = 0;
  };
  const std::array strides{dims<Rank>(erase(gradient.strides(), last)),
                           dims<Rank>(grad_out.strides()), problem.src_strides,
                           problem.index_strides};
  all_of_offsets(problem.shape, strides, [&](const std::array<index_t, 4>& at) {
    const index_t id = resolve(ids.data()[at[3]]);
    if (resolve.fills && id == resolve.outside) return true;
    to[used] = gradient.data() + at[0];
    g[used] = grad_out.data()[at[1]];
    rows[used] = logits.data() + at[2];
    picked[used] = id;
    if (++used == batch) flush();
    return true;
  });
  if (used > 0) flush();
}

}  // namespace detail

/// out[b][l] = logits[b][l][ids[b][l]] - log(sum over v of exp(logits[b][l][v]))
/// torch's log_softmax(logits, -1), then gather. Logits are float or double, or half or bfloat16
/// with a float result, of any layout; the result has the shape of ids. Throws shape_error or
/// index_error. Costs one pass over the ids, one allocation, one pass over the logits.
template <class Logits, class Ids, class... Options, class Arch = detail::default_arch>
auto token_log_probs(const Logits& logits_argument, const Ids& ids_argument,
                     const Options&... options) {
  using namespace detail;
  using op = token_log_probs_op;
  const option_set set(options...);
  using rules = policy<op, Ids, std::remove_const_t<decltype(set)>>;
  const auto logits = read_only(logits_argument);
  const auto ids = index_view(ids_argument);
  using element = log_prob_t<decltype(logits)>;
  const auto problem = lower<op>(logits, ids, set);
  check_indices<op, Arch, rules>(ids_argument, ids, problem);
  auto out = [&]<int Rank>(const dims<Rank>& shape) {
    return tensor<element, Rank>::uninitialized(shape);
  }(problem.shape);
  write_log_probs<Arch, rules>(as_view(out), logits, ids, problem, set);
  return out;
}

/// The same into `out`, which has the shape of ids; allocates nothing, and writes nothing if it
/// throws.
template <class Out, class Logits, class Ids, class... Options, class Arch = detail::default_arch>
void token_log_probs_into(Out&& out_argument, const Logits& logits_argument,
                          const Ids& ids_argument, const Options&... options) {
  using namespace detail;
  using op = token_log_probs_op;
  const option_set set(options...);
  using rules = policy<op, Ids, std::remove_const_t<decltype(set)>>;
  const auto logits = read_only(logits_argument);
  const auto ids = index_view(ids_argument);
  const auto out = writable<log_prob_t<decltype(logits)>>(std::forward<Out>(out_argument));
  const auto problem = lower<op>(logits, ids, set);
  check_out<!decltype(set)::template has<noalias_t>>(op::name, out, problem.shape, logits, ids);
  check_indices<op, Arch, rules>(ids_argument, ids, problem);
  write_log_probs<Arch, rules>(out, logits, ids, problem, set);
}

/// grad_logits[b][l][v] += grad_out[b][l] * ((v == ids[b][l]) - softmax(logits[b][l])[v])
/// The gradient of token_log_probs under the same options, added to what is there; a position that
/// fill(v) filled has none. Throws shape_error or index_error, and has written nothing then. Costs
/// two passes over the logits; allocates nothing.
template <class Gradient, class GradOut, class Logits, class Ids, class... Options,
          class Arch = detail::default_arch>
void token_log_probs_backward(Gradient&& gradient_argument, const GradOut& grad_out_argument,
                              const Logits& logits_argument, const Ids& ids_argument,
                              const Options&... options) {
  using namespace detail;
  using op = token_log_probs_backward_op;
  const option_set set(options...);
  using rules = policy<op, Ids, std::remove_const_t<decltype(set)>>;
  const auto logits = read_only(logits_argument);
  const auto ids = index_view(ids_argument);
  const auto grad_out = read_only(grad_out_argument);
  using stored = typename decltype(logits)::value_type;
  using element = log_prob_t<decltype(logits)>;
  const auto gradient = writable<stored>(std::forward<Gradient>(gradient_argument));
  static_assert(std::same_as<typename decltype(grad_out)::value_type, element>,
                "garner: grad_out holds another element type than token_log_probs returns");
  const auto problem = lower<op>(logits, ids, set);
  const auto reject = [&](const char* what, const auto& shape, const auto& wanted) {
    fail_shape(op::name, what, " has shape ", shape, ", but needs ", wanted);
  };
  if (gradient.shape() != logits.shape()) reject("grad_logits", gradient.shape(), logits.shape());
  if (grad_out.shape() != ids.shape()) reject("grad_out", grad_out.shape(), ids.shape());
  if (!decltype(set)::template has<noalias_t> && !gradient.is_empty()) {
    check_distinct(op::name, "grad_logits", gradient);
    check_apart(op::name, "grad_logits", gradient, "grad_out", grad_out);
    check_apart(op::name, "grad_logits", gradient, "logits", logits);
    check_apart(op::name, "grad_logits", gradient, "ids", ids);
  }
  check_indices<op, Arch, rules>(ids_argument, ids, problem);
  add_gradients<Arch, rules>(gradient, grad_out, logits, ids, problem);
}

}  // namespace garner

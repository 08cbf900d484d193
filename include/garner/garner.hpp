// SPDX-License-Identifier: BSD-3-Clause
// garner: read and write tensors through an index.
#pragma once

#include <garner/as_view.hpp>
#include <garner/bag.hpp>
#include <garner/config.hpp>
#include <garner/error.hpp>
#include <garner/half.hpp>
#include <garner/ops/argmax.hpp>
#include <garner/ops/argsort.hpp>
#include <garner/ops/backward.hpp>
#include <garner/ops/compress.hpp>
#include <garner/ops/embedding.hpp>
#include <garner/ops/embedding_backward.hpp>
#include <garner/ops/embedding_bag.hpp>
#include <garner/ops/embedding_bag_backward.hpp>
#include <garner/ops/gather.hpp>
#include <garner/ops/gather_nd.hpp>
#include <garner/ops/index_add.hpp>
#include <garner/ops/index_copy.hpp>
#include <garner/ops/index_select.hpp>
#include <garner/ops/masked_select.hpp>
#include <garner/ops/per_sample_weights_backward.hpp>
#include <garner/ops/put.hpp>
#include <garner/ops/scatter.hpp>
#include <garner/ops/scatter_nd.hpp>
#include <garner/ops/take.hpp>
#include <garner/ops/take_along_dim.hpp>
#include <garner/ops/token_log_probs.hpp>
#include <garner/ops/topk.hpp>
#include <garner/ops/validate.hpp>
#include <garner/options.hpp>
#include <garner/print.hpp>
#include <garner/shape.hpp>
#include <garner/tensor.hpp>
#include <garner/version.hpp>
#include <garner/view.hpp>

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/fused_embedding.h"

#include "core/engine/cuda/fused_update.h"
#include "core/engine/nn/ops.h"

#include <torch/csrc/autograd/custom_function.h>

namespace roadtune::engine::cuda {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct EmbeddingFunction : torch::autograd::Function<EmbeddingFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& table, const at::Tensor& ids,
                            const KernelTable* kernels, std::int64_t padding, std::int64_t type) {
    context->save_for_backward({ids});
    context->saved_data["kernels"] = reinterpret_cast<std::int64_t>(kernels);
    context->saved_data["padding"] = padding;
    context->saved_data["rows"] = table.size(0);
    auto shape = ids.sizes().vec();
    shape.push_back(table.size(1));
    return table.index_select(0, ids.flatten()).to(static_cast<at::ScalarType>(type)).view(shape);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto ids = context->get_saved_variables()[0];
    const auto& kernels = *reinterpret_cast<const KernelTable*>(context->saved_data["kernels"].toInt());
    const auto rows = flatRows(gradients[0]);
    auto table = at::zeros({context->saved_data["rows"].toInt(), rows.size(1)}, rows.options().dtype(at::kFloat));
    scatterRows(kernels, table, ids, rows, context->saved_data["padding"].toInt());
    return {table, at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor embedded(const KernelTable& kernels, const at::Tensor& table, const at::Tensor& ids, std::int64_t padding,
                    at::ScalarType type) {
  return EmbeddingFunction::apply(table, ids, &kernels, padding, static_cast<std::int64_t>(type));
}

}  // namespace roadtune::engine::cuda

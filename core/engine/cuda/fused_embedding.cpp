// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/fused_embedding.h"

#include "core/engine/cuda/fused_update.h"
#include "core/engine/cuda/kept_kernels.h"
#include "core/engine/nn/ops.h"

namespace roadtune::engine::cuda {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct EmbeddingFunction : torch::autograd::Function<EmbeddingFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& table, const at::Tensor& ids,
                            const KernelTable* kernels, std::int64_t padding, std::int64_t type, bool direct) {
    context->save_for_backward({ids, direct ? table : at::Tensor()});
    keepKernels(context, kernels);
    context->saved_data["padding"] = padding;
    context->saved_data["direct"] = direct;
    context->saved_data["rows"] = table.size(0);
    context->saved_data["type"] = static_cast<std::int64_t>(table.scalar_type());
    auto shape = ids.sizes().vec();
    shape.push_back(table.size(1));
    return table.index_select(0, ids.flatten()).to(static_cast<at::ScalarType>(type)).view(shape);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& ids = saved[0];
    const auto& kernels = kernelsIn(context);
    const auto rows = flatRows(gradients[0]);
    const bool direct = context->saved_data["direct"].toBool();
    const auto count = context->saved_data["rows"].toInt();
    const auto type = static_cast<at::ScalarType>(context->saved_data["type"].toInt());
    auto table = direct ? saved[1].grad() : at::zeros({count, rows.size(1)}, rows.options().dtype(type));
    scatterRows(kernels, table, ids, rows, context->saved_data["padding"].toInt());
    variable_list result(6);
    if (!direct) result[0] = table;
    return result;
  }
};

}  // namespace

at::Tensor embedded(const KernelTable& kernels, const at::Tensor& table, const at::Tensor& ids, std::int64_t padding,
                    at::ScalarType type, bool addsDirectly) {
  return EmbeddingFunction::apply(table, ids, &kernels, padding, static_cast<std::int64_t>(type), addsDirectly);
}

}  // namespace roadtune::engine::cuda

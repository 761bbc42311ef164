// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/token_table.h"

#include "core/engine/nn/ops.h"

#include <torch/csrc/autograd/custom_function.h>

#include <utility>

namespace roadtune::engine {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct LookUpHolder : torch::CustomClassHolder {
  explicit LookUpHolder(std::shared_ptr<TableGradient> g) : gradient(std::move(g)) {}
  std::shared_ptr<TableGradient> gradient;
};

struct LookUp : torch::autograd::Function<LookUp> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& table, const at::Tensor& ids,
                            std::int64_t padding, const c10::intrusive_ptr<LookUpHolder>& holder, bool direct) {
    context->save_for_backward({ids, table});
    context->saved_data["direct"] = direct;
    context->saved_data["padding"] = padding;
    context->saved_data["holder"] = c10::IValue::make_capsule(holder);
    auto shape = ids.sizes().vec();
    shape.push_back(table.size(1));
    return table.index_select(0, ids.flatten()).view(shape);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto holder = c10::static_intrusive_pointer_cast<LookUpHolder>(context->saved_data["holder"].toCapsule());
    const auto saved = context->get_saved_variables();
    const auto ids = saved[0].flatten();
    const auto rows = flatRows(gradients[0]);
    const bool direct = context->saved_data["direct"].toBool();
    auto table = direct ? saved[1].grad() : std::exchange(holder->gradient->value, {});
    if (!table.defined()) table = at::zeros_like(saved[1]);
    const auto used = ids.ne(context->saved_data["padding"].toInt()).nonzero().flatten();
    table.index_add_(0, ids.index_select(0, used), rows.index_select(0, used).to(table.scalar_type()));
    return {direct ? at::Tensor() : table, at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor lookUp(const at::Tensor& table, const at::Tensor& ids, std::int64_t padding,
                  const std::shared_ptr<TableGradient>& fromHead, bool addsDirectly) {
  return LookUp::apply(table, ids, padding, c10::make_intrusive<LookUpHolder>(fromHead), addsDirectly);
}

}  // namespace roadtune::engine

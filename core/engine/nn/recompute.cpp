// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/recompute.h"

#include "core/engine/nn/block_gate.h"
#include "core/engine/nn/ops.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

namespace roadtune::engine {
namespace {

struct BlockHolder : torch::CustomClassHolder {
  BlockHolder(Block b, const ForwardContext& c) : block(std::move(b)), context(c) {
    context.lastProduct = &last;
    last.mayStay = context.recomputedUnits != kAllUnits;
  }
  at::Tensor run(const at::Tensor& x) const { return block(x, context); }

  Block block;
  ForwardContext context;
  LastProduct last;
};

// `anchor` is an empty tensor that asks for gradients, so that a block below which nothing trains still gets its
// backward pass.
struct Recompute : torch::autograd::Function<Recompute> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, const at::Tensor& anchor,
                            const c10::intrusive_ptr<BlockHolder>& holder) {
    (void)anchor;
    context->save_for_backward({x});
    context->saved_data["needs"] = x.requires_grad();
    context->saved_data["block"] = c10::IValue::make_capsule(holder);
    const c10::NoGradGuard noGrad;
    return holder->run(x);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto holder = c10::static_intrusive_pointer_cast<BlockHolder>(context->saved_data["block"].toCapsule());
    const bool needsInput = context->saved_data["needs"].toBool();
    const auto x = context->get_saved_variables()[0].detach().requires_grad_(needsInput);
    const c10::AutoGradMode on(true);
    holder->last.again = true;
    const auto y = holder->run(x);
    holder->last.result.reset();  // what still needs it has it
    torch::autograd::backward({y}, {gradients[0]});
    return {needsInput ? x.grad() : at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

at::Tensor kept(const at::Tensor& x, const ForwardContext& context, bool trains, std::size_t unit, Block block) {
  const bool graph = c10::GradMode::is_enabled() && (trains || x.requires_grad());
  if (!graph || unit > context.recomputedUnits) return block(x, context);
  const auto anchor = at::empty({0}, x.options().dtype(at::kFloat)).requires_grad_(true);
  return Recompute::apply(x, anchor, c10::make_intrusive<BlockHolder>(std::move(block), context));
}

}  // namespace

at::Tensor recomputed(const at::Tensor& x, const ForwardContext& context, bool trains, std::size_t unit, Block block) {
  auto* gate = context.gate;
  if (!gate) return kept(x, context, trains, unit, std::move(block));
  const auto y = kept(x, context, trains, unit,
                      [gate, unit, block = std::move(block)](const at::Tensor& in, const ForwardContext& inside) {
                        gate->enter(unit);
                        auto out = block(in, inside);
                        gate->leave(unit);
                        return out;
                      });
  // Its gradient arrives just before the block's backward pass.
  if (y.requires_grad()) y.register_hook([gate, unit](const at::TensorBase&) { gate->enter(unit); });
  return y;
}

}  // namespace roadtune::engine

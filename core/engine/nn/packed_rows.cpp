// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/packed_rows.h"

#include "core/engine/nn/ops.h"

#include <torch/csrc/autograd/custom_function.h>

namespace roadtune::engine {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor taken(const at::Tensor& rectangle, const at::Tensor& places) {
  return flatRows(rectangle).index_select(0, places);
}

at::Tensor put(const at::Tensor& rows, const at::Tensor& places, std::int64_t batch, std::int64_t length) {
  auto whole = at::zeros({batch * length, rows.size(1)}, rows.options());
  return whole.index_copy_(0, places, rows).view({batch, length, rows.size(1)});
}

// Each is the other's gradient. Places are distinct, so nothing has to be added up.
struct Spread : torch::autograd::Function<Spread> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& rows, const at::Tensor& places,
                            std::int64_t batch, std::int64_t length) {
    context->save_for_backward({places});
    return put(rows, places, batch, length);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {taken(gradients[0], context->get_saved_variables()[0]), at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

struct Gathered : torch::autograd::Function<Gathered> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& rectangle, const at::Tensor& places) {
    context->save_for_backward({places});
    context->saved_data["batch"] = rectangle.size(0);
    context->saved_data["length"] = rectangle.size(1);
    return taken(rectangle, places);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {put(gradients[0], context->get_saved_variables()[0], context->saved_data["batch"].toInt(),
                context->saved_data["length"].toInt()),
            at::Tensor()};
  }
};

}  // namespace

at::Tensor PackedRows::spread(const at::Tensor& rows) const { return Spread::apply(rows, places, batch, length); }

at::Tensor PackedRows::gathered(const at::Tensor& rectangle) const { return Gathered::apply(rectangle, places); }

void PackedRows::turnAround() {
  const c10::NoGradGuard noGrad;
  rowAt = at::full({batch * length}, -1, places.options());
  rowAt.index_copy_(0, places, at::arange(places.size(0), places.options()));
}

}  // namespace roadtune::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/fused_heads.h"

#include "core/engine/cuda/kept_kernels.h"
#include "core/engine/nn/ops.h"

#include <optional>

namespace roadtune::engine::cuda {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

enum class Outermost { Heads, Positions };

// Of [B, heads, L, d] and what becomes of it.
RopeArgs ropeArgs(const at::Tensor& x, at::Tensor& out, const at::Tensor& cosine, const at::Tensor& sine,
                  bool backwards) {
  RopeArgs args{};
  args.type = elementOf(x);
  args.x = x.const_data_ptr();
  args.cosine = cosine.defined() ? cosine.const_data_ptr() : nullptr;
  args.sine = sine.defined() ? sine.const_data_ptr() : nullptr;
  args.out = out.mutable_data_ptr();
  args.batch = out.size(0);
  args.heads = out.size(1);
  args.length = out.size(2);
  args.width = out.size(3);
  args.inBatch = x.stride(0);
  args.inHead = x.stride(1);
  args.inPosition = x.stride(2);
  args.outBatch = out.stride(0);
  args.outHead = out.stride(1);
  args.outPosition = out.stride(2);
  args.backwards = backwards;
  return args;
}

at::Tensor positionsOutermost(std::int64_t batch, std::int64_t heads, std::int64_t length, const at::Tensor& like) {
  return at::empty({batch, length, heads, like.size(-1)}, like.options()).transpose(1, 2);
}

at::Tensor turned(const KernelTable& kernels, const at::Tensor& given, const at::Tensor& cosine, const at::Tensor& sine,
                  bool backwards, Outermost outermost) {
  const auto x = given.stride(3) == 1 ? given : given.contiguous();
  auto out = outermost == Outermost::Heads ? at::empty(x.sizes(), x.options())
                                           : positionsOutermost(x.size(0), x.size(1), x.size(2), x);
  started(kernels, kernels.rope(ropeArgs(x, out, cosine, sine, backwards)), "rotary embedding");
  return out;
}

// Rows [rows, heads * d] to the heads [B, heads, L, d] of their rectangle, zero where nothing stands.
at::Tensor rowsToHeads(const KernelTable& kernels, const at::Tensor& given, const RowPlaces& places, std::int64_t heads,
                       const at::Tensor& cosine, const at::Tensor& sine) {
  const auto rows = given.contiguous().view({1, given.size(0), heads, -1}).transpose(1, 2);
  auto out = at::empty({places.batch, heads, places.length, rows.size(3)}, rows.options());
  auto args = ropeArgs(rows, out, cosine, sine, false);
  args.from = places.rowAt.const_data_ptr<std::int64_t>();
  args.fromLength = rows.size(2);
  started(kernels, kernels.rope(args), "heads of rows");
  return out;
}

// And back, turned the other way; [rows, heads * d].
at::Tensor headsToRows(const KernelTable& kernels, const at::Tensor& given, const RowPlaces& places,
                       const at::Tensor& cosine, const at::Tensor& sine) {
  const auto x = given.stride(3) == 1 ? given : given.contiguous();
  const auto count = places.placeOf.size(0);
  auto out = positionsOutermost(1, x.size(1), count, x);
  auto args = ropeArgs(x, out, cosine, sine, true);
  args.from = places.placeOf.const_data_ptr<std::int64_t>();
  args.fromLength = places.length;
  args.anglesOfX = true;
  started(kernels, kernels.rope(args), "rows of heads");
  return out.transpose(1, 2).view({count, -1});
}

// Saves and finds again where rows stand.
void keepPlaces(AutogradContext* context, const RowPlaces& places, const at::Tensor& cosine, const at::Tensor& sine) {
  context->save_for_backward({places.placeOf, places.rowAt, cosine, sine});
  context->saved_data["batch"] = places.batch;
  context->saved_data["length"] = places.length;
}

RowPlaces keptPlaces(AutogradContext* context, const variable_list& saved) {
  return {saved[0], saved[1], context->saved_data["batch"].toInt(), context->saved_data["length"].toInt()};
}

struct HeadsOfRows : torch::autograd::Function<HeadsOfRows> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& rows, const RowPlaces& places,
                            std::int64_t heads, const std::optional<at::Tensor>& cosine,
                            const std::optional<at::Tensor>& sine, const KernelTable* kernels) {
    const auto cosines = cosine.value_or(at::Tensor()), sines = sine.value_or(at::Tensor());
    keepPlaces(context, places, cosines, sines);
    keepKernels(context, kernels);
    return rowsToHeads(*kernels, rows, places, heads, cosines, sines);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    variable_list result(6);
    result[0] = headsToRows(kernelsIn(context), gradients[0], keptPlaces(context, saved), saved[2], saved[3]);
    return result;
  }
};

struct RowsOfHeads : torch::autograd::Function<RowsOfHeads> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const RowPlaces& places,
                            const KernelTable* kernels) {
    keepPlaces(context, places, {}, {});
    keepKernels(context, kernels);
    context->saved_data["heads"] = x.size(1);
    return headsToRows(*kernels, x, places, {}, {});
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto heads = context->saved_data["heads"].toInt();
    return {rowsToHeads(kernelsIn(context), gradients[0], keptPlaces(context, saved), heads, {}, {}), at::Tensor(),
            at::Tensor()};
  }
};

struct RopeFunction : torch::autograd::Function<RopeFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& cosine,
                            const at::Tensor& sine, const KernelTable* kernels, Outermost outermost) {
    context->save_for_backward({cosine, sine});
    keepKernels(context, kernels);
    return turned(*kernels, x, cosine, sine, false, outermost);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    // Gradients go back to a projection, whose rows are positions.
    const auto forInput = turned(kernelsIn(context), gradients[0], saved[0], saved[1], true, Outermost::Positions);
    return {forInput, at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor rotated(const KernelTable& kernels, const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine) {
  return RopeFunction::apply(x, cosine, sine, &kernels, Outermost::Heads);
}

at::Tensor rotatedRows(const KernelTable& kernels, const at::Tensor& x, const at::Tensor& cosine,
                       const at::Tensor& sine) {
  const auto one = x.unsqueeze(0).transpose(1, 2);
  return RopeFunction::apply(one, cosine, sine, &kernels, Outermost::Positions).squeeze(0).transpose(0, 1);
}

at::Tensor headsOfRows(const KernelTable& kernels, const at::Tensor& rows, const RowPlaces& places, std::int64_t heads,
                       const at::Tensor& cosine, const at::Tensor& sine) {
  const auto given = [](const at::Tensor& x) { return x.defined() ? std::optional<at::Tensor>(x) : std::nullopt; };
  return HeadsOfRows::apply(rows, places, heads, given(cosine), given(sine), &kernels);
}

at::Tensor rowsOfHeads(const KernelTable& kernels, const at::Tensor& x, const RowPlaces& places) {
  return RowsOfHeads::apply(x, places, &kernels);
}

}  // namespace roadtune::engine::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/fused_update.h"

#include "core/engine/nn/ops.h"

#include <ATen/ops/sort.h>

#include <cmath>

namespace roadtune::engine::cuda {

namespace {

ByteMoment bytesOf(const Moment& moment) {
  return {moment.values.mutable_data_ptr<std::uint8_t>(), moment.scales.mutable_data_ptr<float>(),
          moment.map.const_data_ptr<float>()};
}

}  // namespace

void adamW(const KernelTable& kernels, at::Tensor& values, const at::Tensor& gradients, const Moment& first,
           const Moment& second, const at::Tensor& copy, const Update& update, const at::Tensor& remainders) {
  AdamWArgs args{};
  args.type = elementOf(values);
  args.gradientType = elementOf(gradients);
  args.values = values.mutable_data_ptr();
  args.gradients = gradients.const_data_ptr();
  if (first.inBytes()) {
    args.firstBytes = bytesOf(first);
    args.secondBytes = bytesOf(second);
  } else {
    args.first = first.values.mutable_data_ptr<float>();
    args.second = second.values.mutable_data_ptr<float>();
  }
  args.copy = copy.defined() ? static_cast<Bf16*>(copy.mutable_data_ptr()) : nullptr;
  if (remainders.defined())
    args.remainders = reinterpret_cast<std::uint16_t*>(remainders.mutable_data_ptr<std::int16_t>());
  args.count = values.numel();
  args.rate = static_cast<float>(update.rate);
  args.beta1 = static_cast<float>(update.beta1);
  args.beta2 = static_cast<float>(update.beta2);
  args.epsilon = static_cast<float>(update.epsilon);
  args.decay = static_cast<float>(update.decay);
  args.gradientFactor = update.gradientFactor.const_data_ptr<float>();
  const double step = static_cast<double>(update.step);
  args.correction1 = static_cast<float>(1.0 - std::pow(update.beta1, step));
  args.root2 = static_cast<float>(std::sqrt(1.0 - std::pow(update.beta2, step)));
  args.seed = static_cast<std::uint64_t>(update.step);
  started(kernels, kernels.adamW(args), "AdamW");
}

void average(const KernelTable& kernels, at::Tensor& averages, const at::Tensor& upper, const at::Tensor& lower,
             const at::Tensor& weight) {
  const AverageArgs args{averages.mutable_data_ptr<float>(), static_cast<const Bf16*>(upper.const_data_ptr()),
                         reinterpret_cast<const std::uint16_t*>(lower.const_data_ptr<std::int16_t>()),
                         weight.const_data_ptr<float>(), averages.numel()};
  started(kernels, kernels.average(args), "average");
}

void quantiseNf4(const KernelTable& kernels, const at::Tensor& values, at::Tensor& codes, at::Tensor& scales) {
  const Nf4QuantiseArgs args{values.const_data_ptr<float>(), codes.mutable_data_ptr<std::uint8_t>(),
                             scales.mutable_data_ptr<float>(), values.numel()};
  started(kernels, kernels.nf4Quantise(args), "NF4 quantisation");
}

namespace {

Nf4DequantiseArgs partsOf(const Nf4Parts& parts, at::ScalarType stored) {
  Nf4DequantiseArgs args{};
  args.stored = stored == at::kBFloat16 ? Element::Bf16 : Element::Float;
  args.codes = parts.codes.const_data_ptr<std::uint8_t>();
  if (parts.nested.defined()) {
    args.scaleCodes = parts.scales.const_data_ptr<std::uint8_t>();
    args.nested = parts.nested.const_data_ptr<float>();
    args.byteMap = parts.byteMap.const_data_ptr<float>();
    args.offset = static_cast<float>(parts.offset);
  } else {
    args.scales = parts.scales.const_data_ptr<float>();
  }
  return args;
}

}  // namespace

at::Tensor dequantiseNf4(const KernelTable& kernels, const Nf4Parts& parts, at::IntArrayRef shape,
                         at::ScalarType stored, at::ScalarType type) {
  auto out = at::empty(shape, parts.codes.options().dtype(type));
  auto args = partsOf(parts, stored);
  args.type = elementOf(out);
  args.out = out.mutable_data_ptr();
  args.count = out.numel();
  started(kernels, kernels.nf4Dequantise(args), "NF4 dequantisation");
  return out;
}

at::Tensor nf4Product(const KernelTable& kernels, const Nf4Parts& parts, at::IntArrayRef shape, at::ScalarType stored,
                      const at::Tensor& x) {
  const auto rows = x.reshape({-1, shape[1]}).contiguous();
  auto out = at::empty({rows.size(0), shape[0]}, x.options());
  Nf4ProductArgs args{};
  args.weight = partsOf(parts, stored);
  args.weight.type = elementOf(x);
  args.weight.count = shape[0] * shape[1];
  args.x = rows.const_data_ptr();
  args.out = out.mutable_data_ptr();
  args.rows = rows.size(0);
  args.width = shape[1];
  args.columns = shape[0];
  started(kernels, kernels.nf4Product(args), "NF4 product");
  auto size = x.sizes().vec();
  size.back() = shape[0];
  return out.view(size);
}

void scatterRows(const KernelTable& kernels, at::Tensor& table, const at::Tensor& ids, const at::Tensor& gradient,
                 std::int64_t padding) {
  const auto [sorted, order] = at::sort(ids.reshape({-1}), /*stable=*/true, 0, false);
  const auto rows = gradient.contiguous();
  const ScatterArgs args{elementOf(rows),
                         elementOf(table),
                         rows.const_data_ptr(),
                         sorted.const_data_ptr<std::int64_t>(),
                         order.const_data_ptr<std::int64_t>(),
                         table.mutable_data_ptr(),
                         sorted.numel(),
                         table.size(1),
                         table.size(0),
                         padding};
  started(kernels, kernels.scatter(args), "scatter of rows");
}

}  // namespace roadtune::engine::cuda

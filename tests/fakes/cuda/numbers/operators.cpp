// SPDX-License-Identifier: GPL-3.0-or-later
// Part of a plugin for a card that is none: torch's operators for CUDA are worked out by those of the CPU over the same
// memory. Products go torch's own way to the stand-in's cuBLAS.
#include "attention.h"
#include "tests/fakes/cuda/card.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace fake_cuda {
namespace {

using torch::jit::Stack;

at::Tensor onHost(const at::Tensor& x) {
  if (!x.defined() || !x.is_cuda()) return x;
  if (x.numel() == 0) return at::empty_strided(x.sizes(), x.strides(), x.options().device(at::kCPU));  // it may grow
  return at::from_blob(x.data_ptr(), x.sizes(), x.strides(), x.options().device(at::kCPU));
}

at::Tensor onCard(const at::Tensor& x) {
  if (!x.defined() || !x.is_cpu()) return x;
  const auto dense = x.is_non_overlapping_and_dense() ? x : x.contiguous();
  const at::Device card(at::kCUDA, c10::cuda::current_device());
  auto result = at::empty_strided(dense.sizes(), dense.strides(), dense.options().device(card));
  if (dense.nbytes() > 0) std::memcpy(result.data_ptr(), dense.data_ptr(), dense.nbytes());
  return result;
}

// The value with every tensor, device or generator in it changed to its like on the other side.
template <class Change>
c10::IValue changed(const c10::IValue& value, Change&& change) {
  if (value.isTensor()) return change(value.toTensor());
  if (value.isTensorList()) {
    std::vector<at::Tensor> all;
    for (const at::Tensor& one : value.toTensorList()) all.push_back(change(one));
    return all;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> all;
    for (const std::optional<at::Tensor>& one : value.toOptionalTensorList())
      all.push_back(one ? std::optional(change(*one)) : std::nullopt);
    return all;
  }
  if (value.isDevice()) return at::Device(at::kCPU);
  if (value.isGenerator()) return at::make_generator<at::CPUGeneratorImpl>(value.toGenerator().current_seed());
  return value;
}

// Which argument comes back as this result, if one does.
std::optional<std::size_t> writtenArgument(const c10::FunctionSchema& schema, std::size_t result) {
  const auto* alias = schema.returns()[result].alias_info();
  if (!alias || !alias->isWrite()) return std::nullopt;
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const auto* other = schema.arguments()[i].alias_info();
    if (other && other->isWrite() && other->beforeSets() == alias->beforeSets()) return i;
  }
  return std::nullopt;
}

void onTheCpu(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
  const at::AutoDispatchBelowADInplaceOrView below;
  const auto& schema = op.schema();
  const auto begin = stack->end() - static_cast<std::ptrdiff_t>(schema.arguments().size());
  const std::vector<c10::IValue> given(begin, stack->end());
  std::vector<c10::IValue> onCpu;
  for (const auto& value : given) onCpu.push_back(changed(value, onHost));
  stack->erase(begin, stack->end());
  stack->insert(stack->end(), onCpu.begin(), onCpu.end());
  op.callBoxed(stack);
  const auto results = stack->end() - static_cast<std::ptrdiff_t>(schema.returns().size());
  for (std::size_t i = 0; i < schema.returns().size(); ++i) {
    auto& result = *(results + static_cast<std::ptrdiff_t>(i));
    const auto place = writtenArgument(schema, i);
    if (!place) {
      result = changed(result, onCard);
      continue;
    }
    if (given[*place].isTensor() && result.toTensor().sizes() != given[*place].toTensor().sizes())
      given[*place].toTensor().resize_(result.toTensor().sizes()).copy_(result.toTensor());  // it was empty
    result = given[*place];
  }
}

at::Tensor& copy(at::Tensor& to, const at::Tensor& from, bool) {
  const at::AutoDispatchBelowADInplaceOrView below;
  onHost(to).copy_(onHost(from));
  return to;
}

// A card adds as a tree does, which is exact enough; the CPU one after the other, which is not.
at::Tensor norm(const at::Tensor& x, const at::Scalar& order, at::OptionalIntArrayRef along, bool keep,
                std::optional<at::ScalarType> type) {
  const at::AutoDispatchBelowADInplaceOrView below;
  const auto exact = at::linalg_vector_norm(onHost(x).to(at::kDouble), order, along, keep);
  return onCard(exact.to(type.value_or(x.scalar_type())));
}

using Flash = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor>;
using MaybeTensor = std::optional<at::Tensor>;
using MaybeSize = std::optional<c10::SymInt>;

double scaleOf(const at::Tensor& q, std::optional<double> scale) {
  return scale.value_or(1 / std::sqrt(static_cast<double>(q.size(-1))));
}

Flash flash(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const MaybeTensor& queryEnds,
            const MaybeTensor& keyEnds, c10::SymInt, c10::SymInt, double dropout, bool causal, bool,
            std::optional<double> scale, MaybeSize, MaybeSize, const MaybeTensor&, const MaybeTensor&) {
  TORCH_CHECK(queryEnds && keyEnds && dropout == 0, "a card that is none takes packed rows without dropout");
  const at::AutoDispatchBelowADInplaceOrView below;
  const auto [out, logSum] =
      attention({onHost(q), onHost(*queryEnds)}, {onHost(k), onHost(*keyEnds)}, onHost(v), causal, scaleOf(q, scale));
  const auto none = at::empty({0}, q.options());
  return {onCard(out), onCard(logSum), at::zeros({2}, q.options().dtype(at::kUInt64)), none, none};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> flashGradients(
    const at::Tensor& gradient, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& out,
    const at::Tensor& logSum, const at::Tensor& queryEnds, const at::Tensor& keyEnds, c10::SymInt, c10::SymInt, double,
    bool causal, const at::Tensor&, const at::Tensor&, std::optional<double> scale, MaybeSize, MaybeSize) {
  const at::AutoDispatchBelowADInplaceOrView below;
  const auto all = attentionGradients(onHost(gradient), {onHost(q), onHost(queryEnds)}, {onHost(k), onHost(keyEnds)},
                                      onHost(v), onHost(out), onHost(logSum), causal, scaleOf(q, scale));
  return {onCard(all[0]), onCard(all[1]), onCard(all[2])};
}

// What CUDA's half does on the stand-in as on a card: memory, views, products, waits.
bool staysThere(const std::string& name) {
  static const std::set<std::string> names = {"aten::empty",
                                              "aten::empty_strided",
                                              "aten::as_strided",
                                              "aten::view",
                                              "aten::_reshape_alias",
                                              "aten::resize_",
                                              "aten::set_",
                                              "aten::record_stream",
                                              "aten::unfold",
                                              "aten::is_set_to",
                                              "aten::_local_scalar_dense",
                                              "aten::mm",
                                              "aten::addmm",
                                              "aten::addmm_",
                                              "aten::bmm",
                                              "aten::baddbmm",
                                              "aten::baddbmm_",
                                              "aten::addmv",
                                              "aten::addmv_",
                                              "aten::dot",
                                              "aten::_pin_memory",
                                              "aten::is_pinned"};
  return names.count(name) > 0;
}

class Silence : public c10::WarningHandler {
  void process(const c10::Warning&) override {}
};
Silence s_silence;

// A library that is loaded replaces what torch registered before.
const bool s_replaced = [] {
  fake_cuda_work_out();
  const c10::WarningUtils::WarningHandlerGuard quiet(&s_silence);  // about each that is replaced
  static torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::CUDA, __FILE__, __LINE__);
  for (const auto& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (!op || name.name.rfind("aten::", 0) != 0 || staysThere(name.name)) continue;
    const auto has = [&](c10::DispatchKey key) { return op->hasKernelForDispatchKey(key); };
    const bool onCpu = has(c10::DispatchKey::CPU) || has(c10::DispatchKey::CompositeExplicitAutograd);
    if (!has(c10::DispatchKey::CUDA) || !onCpu) continue;
    const auto full = name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
    library.impl(full.c_str(), torch::CppFunction::makeFromBoxedFunction<&onTheCpu>());
  }
  library.impl("copy_", copy);
  library.impl("linalg_vector_norm", norm);
  library.impl("_flash_attention_forward", flash);
  library.impl("_flash_attention_backward", flashGradients);
  // Other ways to attend have kernels alone; products and softmax are there.
  at::globalContext().setSDPUseFlash(false);
  at::globalContext().setSDPUseMemEfficient(false);
  return true;
}();

}  // namespace
}  // namespace fake_cuda

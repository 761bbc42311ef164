// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/quant/nf4_files.h"

#include "core/engine/nn/ops.h"
#include "core/engine/nn/tensor_bytes.h"
#include "core/engine/quant/nf4_codec.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>

namespace roadtune::engine {
namespace {

std::int64_t product(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const auto size : shape) count *= size;
  return count;
}

Status checkSizes(const Nf4Weight& weight, const std::string& name, const std::string& where) {
  const auto values = product(weight.shape), blocks = (values + 63) / 64;
  const bool nestedFits = !weight.doubleQuant || weight.nestedAbsmax.numel() == (blocks + 255) / 256;
  const auto scaleType = weight.doubleQuant ? at::kByte : at::kFloat;
  if (weight.codes.numel() == (values + 1) / 2 && weight.absmax.numel() == blocks && nestedFits &&
      weight.absmax.scalar_type() == scaleType)
    return {};
  return badInput("the 4-bit parts of " + name + " do not fit together", where);
}

template <class Values>
at::Tensor vectorTensor(const Values& values) {
  auto tensor = at::empty({static_cast<std::int64_t>(values.size())}, at::TensorOptions().dtype(at::kFloat));
  std::copy(values.begin(), values.end(), tensor.template data_ptr<float>());
  return tensor;
}

// The quantisation state as Python's json.dumps spells it.
std::string stateText(const Nf4Weight& weight) {
  std::string shape;
  for (const auto size : weight.shape) shape += (shape.empty() ? "" : ", ") + std::to_string(size);
  std::string text = R"({"quant_type": "nf4", "blocksize": 64, "dtype": ")" +
                     std::string(model::torchName(dtypeOf(weight.storedType))) + R"(", "shape": [)" + shape + "]";
  if (weight.doubleQuant)
    text += R"(, "nested_blocksize": 256, "nested_dtype": "float32", "nested_offset": )" +
            nlohmann::json(weight.nestedOffset).dump();
  return text + "}";
}

}  // namespace

bool isStoredNf4(const model::WeightFiles& files, const model::TensorView& view) {
  return view.dtype == model::Dtype::U8 && files.findOnDisk(view.name + ".absmax");
}

Result<std::shared_ptr<Nf4Weight>> readStoredNf4(const model::WeightFiles& files, const model::TensorView& view,
                                                 const std::vector<std::int64_t>& expected, const std::string& where) {
  const auto* stateBytes = files.findOnDisk(view.name + ".quant_state.bitsandbytes__nf4");
  if (!stateBytes)
    return badInput(view.name + " is stored in 4 bits, but not in NF4", where, "use the checkpoint it was made from");
  const auto state = nlohmann::json::parse(stateBytes->bytes.begin(), stateBytes->bytes.end(), nullptr, false);
  if (!state.is_object()) return badInput("the quantisation state of " + view.name + " cannot be read", where);
  auto weight = std::make_shared<Nf4Weight>();
  try {
    weight->shape = state.at("shape").get<std::vector<std::int64_t>>();
    if (weight->shape != expected) return badInput(view.name + " has another shape than config.json asks for", where);
    if (state.at("blocksize").get<int>() != 64)
      return badInput(view.name + " has blocks of another size than 64", where);
    const auto dtype = model::dtypeFromTorch(state.at("dtype").get<std::string>());
    weight->storedType = dtype ? scalarType(*dtype).value_or(at::kFloat) : at::kFloat;
    weight->codes = tensorFrom(view);
    weight->absmax = tensorFrom(*files.findOnDisk(view.name + ".absmax"));
    weight->doubleQuant = state.contains("nested_offset");
    if (weight->doubleQuant) {
      const auto* nested = files.findOnDisk(view.name + ".nested_absmax");
      if (!nested) return badInput(view.name + ".nested_absmax is missing", where);
      weight->nestedAbsmax = tensorFrom(*nested, at::kFloat);
      weight->nestedOffset = state.at("nested_offset").get<double>();
    }
  } catch (const nlohmann::json::exception& error) {
    return badInput("the quantisation state of " + view.name + " is damaged: " + error.what(), where);
  }
  ROADTUNE_CHECK(checkSizes(*weight, view.name, where));
  return weight;
}

std::vector<StoredTensor> storedNf4(const std::string& name, const Nf4Weight& weight) {
  std::vector<StoredTensor> parts;
  const auto add = [&](const std::string& suffix, const at::Tensor& tensor) {
    parts.push_back({name + suffix, plain(tensor, tensor.scalar_type())});
  };
  add("", weight.codes);
  add(".absmax", weight.absmax);
  add(".quant_map", vectorTensor(nf4Map()));
  if (weight.doubleQuant) {
    add(".nested_absmax", weight.nestedAbsmax);
    add(".nested_quant_map", vectorTensor(signedByteMap()));
  }
  const auto state = stateText(weight);
  auto bytes = at::empty({static_cast<std::int64_t>(state.size())}, at::TensorOptions().dtype(at::kByte));
  std::memcpy(bytes.data_ptr(), state.data(), state.size());
  add(".quant_state.bitsandbytes__nf4", bytes);
  return parts;
}

}  // namespace roadtune::engine

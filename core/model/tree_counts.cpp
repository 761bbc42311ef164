// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/model/module_tree.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::model {
namespace {

// Four-bit storage holds two values per byte; peft counts its bytes twice.
std::int64_t counted(const Tensor& tensor) {
  const std::int64_t elements = tensor.elements();
  return tensor.nf4 ? (elements + 1) / 2 * 2 : elements;
}

}  // namespace

std::string_view nameOf(Part part) {
  switch (part) {
    case Part::Vision: return "vision_tower";
    case Part::Projector: return "multi_modal_projector";
    case Part::Text: return "language_model";
  }
  return {};
}

std::int64_t Tensor::elements() const {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

std::uint64_t Tensor::bytes() const {
  if (!nf4) return static_cast<std::uint64_t>(elements()) * sizeOf(dtype);
  const Nf4Bytes parts = nf4Bytes(elements(), doubleQuant);
  return parts.codes + parts.constants;
}

Nf4Bytes nf4Bytes(std::int64_t elements, bool doubleQuant, int blockSize) {
  constexpr std::uint64_t kNestedBlock = 256, kCodeBook = 16 * 4, kNestedCodeBook = 256 * 4;
  const auto count = static_cast<std::uint64_t>(elements), block = static_cast<std::uint64_t>(blockSize);
  const std::uint64_t blocks = (count + block - 1) / block;
  Nf4Bytes bytes;
  bytes.codes = (count + 1) / 2;
  bytes.constants = doubleQuant
                        ? blocks + (blocks + kNestedBlock - 1) / kNestedBlock * 4 + kCodeBook + kNestedCodeBook + 4
                        : blocks * 4 + kCodeBook;
  return bytes;
}

std::int64_t ModuleTree::trainableParameters() const {
  std::int64_t count = 0;
  for (const Tensor& tensor : tensors)
    if (tensor.trainable) count += tensor.elements();
  return count;
}

std::int64_t ModuleTree::allParameters() const {
  std::int64_t count = 0;
  for (const Tensor& tensor : tensors) {
    count += counted(tensor);
    const Module& owner = moduleOf(tensor);
    const bool tiedHead = owner.path == "lm_head" && config.tieWordEmbeddings;
    if (owner.saved && tensor.role == TensorRole::Base && !tiedHead) count += tensor.elements();
  }
  return count;
}

const Tensor* ModuleTree::find(std::string_view canonical) const {
  const auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& tensor) { return tensor.name == canonical; });
  return found == tensors.end() ? nullptr : &*found;
}

std::string stateWord(const ModuleTree& tree, const Tensor& tensor) {
  if (tensor.role != TensorRole::Base) return fmt::format("lora({})", tree.moduleOf(tensor).lora->r);
  if (tensor.trainable) return "full";
  return tensor.nf4 ? "nf4" : "frozen";
}

std::string stateText(const ModuleTree& tree, const Tensor& tensor) {
  const Module& module = tree.moduleOf(tensor);
  const std::string word = stateWord(tree, tensor);
  if (tensor.role != TensorRole::Base)
    return fmt::format("{}{}, alpha {}", word, module.lora->dora ? ", DoRA" : "", module.lora->alpha);
  return module.saved ? word + ", saved copy" : word;
}

std::string trainableLine(const ModuleTree& tree) {
  const std::int64_t trainable = tree.trainableParameters(), all = tree.allParameters();
  return fmt::format("trainable params: {} || all params: {} || trainable%: {:.4f}", formatCount(trainable),
                     formatCount(all), 100.0 * static_cast<double>(trainable) / static_cast<double>(all));
}

}  // namespace roadtune::model

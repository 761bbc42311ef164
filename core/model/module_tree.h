// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/model/dtype.h"
#include "core/model/method.h"
#include "core/model/pali_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::model {

enum class Part { Vision, Projector, Text };
enum class ModuleKind { Linear, Embedding, PositionTable, Conv2d, LayerNorm, RmsNorm };

std::string_view nameOf(Part part);  // "vision_tower", "multi_modal_projector", "language_model"

// A LoRA branch on one module, fully resolved.
struct LoraBranch {
  int r = 8;
  double alpha = 8;
  double dropout = 0;
  double scale = 1;       // alpha/r, or alpha/sqrt(r) with rsLoRA
  bool dora = false;      // adds lora_magnitude_vector
  bool loraBias = false;  // lora_B carries a bias
};

// A leaf module that owns tensors. `path` is canonical without the tensor's last word.
struct Module {
  std::string path;  // "model.language_model.layers.0.self_attn.q_proj"
  ModuleKind kind = ModuleKind::Linear;
  Part part = Part::Text;
  int layer = -1;  // block number within its part, -1 outside the blocks
  std::int64_t in = 0, out = 0;
  bool nf4 = false;    // its weight is stored in four bits
  bool saved = false;  // in modules_to_save: frozen original plus a trained copy
  std::optional<LoraBranch> lora = {};
  std::optional<double> learningRate = {};  // from a `modules:` line, for what is trained here
  std::optional<Dtype> dtype = {};          // from such a line: what it computes in and its frozen weights are kept in
};

enum class TensorRole { Base, LoraA, LoraB, LoraBBias, LoraEmbeddingA, LoraEmbeddingB, Magnitude };

struct Tensor {
  std::string name;  // canonical: "<module path>.weight", "<module path>.lora_A.weight"
  std::vector<std::int64_t> shape;
  Dtype dtype = Dtype::F32;  // how it lives in memory (an NF4 weight keeps the dtype it was quantised from)
  TensorRole role = TensorRole::Base;
  std::size_t module = 0;  // index into ModuleTree::modules
  bool trainable = false;
  bool nf4 = false;
  bool doubleQuant = false;  // of an NF4 weight's constants

  std::int64_t elements() const;
  std::uint64_t bytes() const;  // NF4: codes and absmax constants, see nf4Bytes()
};

// What one weight of `elements` values takes in NF4: packed codes, and constants with or without double quantisation.
struct Nf4Bytes {
  std::uint64_t codes = 0, constants = 0;
};
Nf4Bytes nf4Bytes(std::int64_t elements, bool doubleQuant, int blockSize = 64);

// Every tensor of a model under a training method: the one place where "what is trained" is decided. `params`,
// `model tree`, `estimate`, the studio and the engine all read this.
struct ModuleTree {
  PaliGemmaConfig config;
  Method method;
  std::vector<Module> modules;     // in the order of named_modules()
  std::vector<Tensor> tensors;     // base tensors in the order of named_parameters(), each followed by its adapters
  std::vector<std::string> notes;  // things a user should know: "target_modules also match 81 modules of vision_tower"
  std::vector<std::string> untrainable;  // modules to be trained whole whose weights are stored in 4 bits

  // Counts as peft's print_trainable_parameters() does: four-bit weights by their element count, tied weights once,
  // a modules_to_save copy on top of its original.
  std::int64_t trainableParameters() const;
  std::int64_t allParameters() const;

  const Tensor* find(std::string_view canonical) const;
  // Are checkpoints adapters, with what else is trained beside? Also those of a full fine-tuning with adapters on some
  // modules: the files of a model have no place for them.
  bool writesAdapter() const;
  const Module& moduleOf(const Tensor& tensor) const { return modules[tensor.module]; }
};

// Fails when a target matches nothing, a rank is invalid, or an override names no module.
Result<ModuleTree> buildModuleTree(const PaliGemmaConfig& config, const Method& method);

// Refuses to train what cannot be: weights that the checkpoint stores in 4 bits, in full; an adapter to start from on
// other layers, or with other ranks, than it has.
Status requireTrainable(const ModuleTree& tree);

// "frozen", "full", "nf4" or "lora(8)".
std::string stateWord(const ModuleTree& tree, const Tensor& tensor);
// The same with what else there is to say: "lora(8), DoRA, alpha 8", "full, saved copy".
std::string stateText(const ModuleTree& tree, const Tensor& tensor);

// peft's words: "trainable params: 11,298,816 || all params: 2,934,765,296 || trainable%: 0.3850".
std::string trainableLine(const ModuleTree& tree);

}  // namespace roadtune::model

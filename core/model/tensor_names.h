// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::model {

// How checkpoints spell tensor names. The canonical spelling is the module path that transformers 5 and peft see in
// memory, which is layout L2:
//   model.language_model.embed_tokens.weight          model.language_model.layers.0.self_attn.q_proj.weight
//   model.vision_tower.encoder.layers.0.mlp.fc1.bias  model.multi_modal_projector.linear.weight   lm_head.weight
enum class NameLayout {
  L0,   // the hub: language_model.model.layers..., vision_tower.vision_model..., multi_modal_projector...
  L1,   // transformers 4.52-5.5: model.language_model.layers..., model.vision_tower.vision_model...
  L2,   // canonical
  Hf5,  // written by transformers 5.23 for models made there: as L0, but vision_tower... without vision_model
};

std::string_view nameOf(NameLayout layout);  // "L0", "L1", "L2", "hf5"

// Any of the four layouts, with or without "base_model.model." in front -> canonical. None for a name that is not a
// tensor or module path of PaliGemma.
std::optional<std::string> canonicalName(std::string_view name);

// A canonical tensor or module path in the words of a layout.
std::string nameIn(NameLayout layout, std::string_view canonical);

// The layout that a set of names on disk is written in; none when nothing is recognisable.
std::optional<NameLayout> detectLayout(const std::vector<std::string>& names);

// How adapter files spell module paths; each is "base_model.model." plus the path in a layout.
enum class AdapterLayout { A, B, C };  // L0, L1, L2
NameLayout layoutOf(AdapterLayout layout);

// "base_model.model.model.language_model.layers.0.self_attn.q_proj.lora_A.weight" from a canonical name such as
// "model.language_model.layers.0.self_attn.q_proj.lora_A.weight", and back. A base tensor of an adapted module is found
// under "base_layer" there: `onAdapted` puts the word in; the way back leaves it out, and "modules_to_save" too.
std::string adapterName(AdapterLayout layout, std::string_view canonical, bool onAdapted = false);
std::optional<std::string> canonicalAdapterName(std::string_view name);

// The untouched original that peft keeps beside a trained copy, and sometimes saves: nothing to read.
bool isOriginalCopy(std::string_view adapterTensor);
std::optional<AdapterLayout> detectAdapterLayout(const std::vector<std::string>& names);

inline constexpr std::string_view kEmbedTokens = "model.language_model.embed_tokens.weight";
inline constexpr std::string_view kLmHead = "lm_head.weight";

}  // namespace roadtune::model

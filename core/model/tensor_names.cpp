// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tensor_names.h"

#include "core/base/text.h"

#include <algorithm>

namespace roadtune::model {
namespace {

constexpr std::string_view kAdapterPrefix = "base_model.model.";

// Takes `word` and a dot (or the end) off the front.
bool takeWord(std::string_view& name, std::string_view word) {
  if (!startsWith(name, word)) return false;
  if (name.size() == word.size()) {
    name = {};
    return true;
  }
  if (name[word.size()] != '.') return false;
  name.remove_prefix(word.size() + 1);
  return true;
}

std::string joined(std::string_view head, std::string_view rest) {
  std::string name(head);
  if (!rest.empty()) name.append(1, '.').append(rest);
  return name;
}

struct LayoutPrefixes {
  std::string_view text, vision, projector, head;
};

LayoutPrefixes prefixesOf(NameLayout layout) {
  switch (layout) {
    case NameLayout::L0:
      return {"language_model.model", "vision_tower.vision_model", "multi_modal_projector", "language_model.lm_head"};
    case NameLayout::L1:
      return {"model.language_model", "model.vision_tower.vision_model", "model.multi_modal_projector", "lm_head"};
    case NameLayout::L2:
      return {"model.language_model", "model.vision_tower", "model.multi_modal_projector", "lm_head"};
    case NameLayout::Hf5:
      return {"language_model.model", "vision_tower", "multi_modal_projector", "language_model.lm_head"};
  }
  return {};
}

}  // namespace

std::string_view nameOf(NameLayout layout) {
  switch (layout) {
    case NameLayout::L0: return "L0";
    case NameLayout::L1: return "L1";
    case NameLayout::L2: return "L2";
    case NameLayout::Hf5: return "hf5";
  }
  return {};
}

std::optional<std::string> canonicalName(std::string_view name) {
  if (startsWith(name, kAdapterPrefix)) name.remove_prefix(kAdapterPrefix.size());
  takeWord(name, "model");
  if (takeWord(name, "language_model")) {
    if (takeWord(name, "lm_head")) return joined("lm_head", name);
    takeWord(name, "model");
    return joined("model.language_model", name);
  }
  if (takeWord(name, "vision_tower")) {
    takeWord(name, "vision_model");
    return joined("model.vision_tower", name);
  }
  if (takeWord(name, "multi_modal_projector")) return joined("model.multi_modal_projector", name);
  if (takeWord(name, "lm_head")) return joined("lm_head", name);
  return std::nullopt;
}

std::string nameIn(NameLayout layout, std::string_view canonical) {
  const LayoutPrefixes prefixes = prefixesOf(layout);
  std::string_view rest = canonical;
  if (takeWord(rest, "lm_head")) return joined(prefixes.head, rest);
  if (takeWord(rest, "model.language_model")) return joined(prefixes.text, rest);
  if (takeWord(rest, "model.vision_tower")) return joined(prefixes.vision, rest);
  if (takeWord(rest, "model.multi_modal_projector")) return joined(prefixes.projector, rest);
  return std::string(canonical);
}

std::optional<NameLayout> detectLayout(const std::vector<std::string>& names) {
  bool known = false, outer = false, visionModel = false, vision = false;
  for (std::string_view name : names) {
    if (startsWith(name, kAdapterPrefix)) name.remove_prefix(kAdapterPrefix.size());
    if (!canonicalName(name)) continue;
    known = true;
    outer |= takeWord(name, "model");
    if (!takeWord(name, "vision_tower")) continue;
    vision = true;
    visionModel |= takeWord(name, "vision_model");
  }
  if (!known) return std::nullopt;
  if (outer) return visionModel || !vision ? NameLayout::L1 : NameLayout::L2;
  return visionModel || !vision ? NameLayout::L0 : NameLayout::Hf5;
}

NameLayout layoutOf(AdapterLayout layout) {
  switch (layout) {
    case AdapterLayout::A: return NameLayout::L0;
    case AdapterLayout::B: return NameLayout::L1;
    case AdapterLayout::C: return NameLayout::L2;
  }
  return NameLayout::L2;
}

std::string adapterName(AdapterLayout layout, std::string_view canonical, bool onAdapted) {
  std::string name = std::string(kAdapterPrefix) + nameIn(layoutOf(layout), canonical);
  if (onAdapted) name.insert(name.rfind('.'), ".base_layer");
  return name;
}

bool isOriginalCopy(std::string_view adapterTensor) {
  return adapterTensor.find(".original_module.") != std::string_view::npos;
}

std::optional<std::string> canonicalAdapterName(std::string_view name) {
  if (!startsWith(name, kAdapterPrefix)) return std::nullopt;
  auto canonical = canonicalName(name);
  for (const std::string_view word : {".base_layer", ".modules_to_save.default", ".modules_to_save"})
    if (canonical)
      if (const auto at = canonical->find(std::string(word) + "."); at != std::string::npos)
        canonical->erase(at, word.size());
  return canonical;
}

std::optional<AdapterLayout> detectAdapterLayout(const std::vector<std::string>& names) {
  const auto layout = detectLayout(names);
  if (!layout) return std::nullopt;
  if (*layout == NameLayout::L1) return AdapterLayout::B;
  if (*layout == NameLayout::L2) return AdapterLayout::C;
  return AdapterLayout::A;
}

}  // namespace roadtune::model

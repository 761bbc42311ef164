// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/module_tree.h"
#include "core/model/tiny_model.h"

namespace roadtune::testing {

inline model::PaliGemmaConfig smallConfig(model::Family family = model::Family::PaliGemma2) {
  model::TinyModelOptions options;
  options.family = family;
  auto config = model::tinyConfig(options);
  config.text.vocab = 640;
  return config;
}

inline model::Method lora(std::vector<std::string> names) {
  model::Method method;
  method.type = model::FinetuningType::Lora;
  method.targets.names = std::move(names);
  return method;
}

inline model::Method full() {
  model::Method method;
  method.type = model::FinetuningType::Full;
  return method;
}

}  // namespace roadtune::testing

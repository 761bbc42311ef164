// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/model/dtype.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roadtune::config {
class RunConfig;
}

namespace roadtune::model {

struct PaliGemmaConfig;

// Names of modules: entries of a list match a path that equals one or ends with "." + entry; a pattern must match the
// whole path (Python's re.fullmatch); "all-linear" stands for every linear layer except the output head.
struct TargetNames {
  std::vector<std::string> names = {};
  std::string pattern = {};
  bool allLinear = false;

  bool empty() const { return names.empty() && pattern.empty() && !allLinear; }
};

enum class ModuleMode { Frozen, Full, Lora, Qlora };

// One line of `modules:`. The path covers a module and everything below it; later lines win.
struct ModuleRule {
  std::string
      path;  // canonical, or any tail or layout of it: "language_model.layers.17", "vision_tower", "layers.3.mlp"
  std::optional<ModuleMode> mode = ModuleMode::Frozen;  // none: as it would be without this line
  std::optional<int> r = {};
  std::optional<double> alpha = {};
  std::optional<double> dropout = {};
  std::optional<double> learningRate = {};
  // What it computes in, and what its frozen weights are kept in; an empty inner one: the run's type again.
  std::optional<std::optional<Dtype>> dtype = {};
};

enum class FinetuningType { Full, Lora, Qlora };
enum class BiasMode { None, All, LoraOnly };
enum class AdapterInit {
  Default,
  Gaussian,
  Random,
  Orthogonal
};                                                  // init_lora_weights true, gaussian, false, orthogonal
enum class QuantizedSet { HuggingFace, TextOnly };  // every linear layer but the head, or those of the text model

// What of a model is trained, and how: the training method of a RunConfig in types.
struct Method {
  FinetuningType type = FinetuningType::Lora;
  bool freezeVisionTower = false;
  bool freezeProjector = false;
  bool freezeLanguageModel = false;

  int r = 8;
  double loraAlpha = 8;
  double loraDropout = 0;
  TargetNames targets = {};
  TargetNames exclude = {};
  std::vector<int> layersToTransform = {};
  std::vector<std::string> layersPattern = {};
  std::vector<std::pair<std::string, int>> rankPattern = {};  // in the order written: the first match counts
  std::vector<std::pair<std::string, double>> alphaPattern = {};
  std::vector<std::string> modulesToSave = {};
  BiasMode bias = BiasMode::None;
  bool rslora = false, dora = false, loraBias = false;
  AdapterInit init = AdapterInit::Default;
  bool startsFromAdapter = false;  // one that is there already: where it is, and its ranks, are no longer a choice
  bool adapterDtype32 = true;      // autocast_adapter_dtype: adapters in float32 whatever the base has
  std::vector<ModuleRule> rules = {};

  bool load4bit = false;
  bool doubleQuant = false;
  QuantizedSet quantizedSet = QuantizedSet::HuggingFace;
  std::vector<std::string> quantizeSkip = {};  // llm_int8_skip_modules: patterns at the start, or endings
  std::optional<Dtype> weightDtype = {};       // base weights in memory; none: as on disk
};

// Folder of the adapter that a run starts from (adapter_name_or_path), or of the named checkpoint from which such a run
// goes on; empty: none that is there already.
std::filesystem::path adapterOf(const config::RunConfig& run);

// What such a run trains is as adapter_config.json there says; or in `checkpoint`, where that turned out to be the one.
Result<Method> methodFrom(const config::RunConfig& run, const std::filesystem::path& checkpoint = {});

// Refuses an image_size other than the model's.
Status checkImageSize(const config::RunConfig& run, const PaliGemmaConfig& model);

}  // namespace roadtune::model

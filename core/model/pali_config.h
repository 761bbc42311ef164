// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/model/dtype.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::model {

enum class Family { PaliGemma1, PaliGemma2 };  // text model gemma or gemma2

// What the MLPs bend with. GeluTanh is the one of every published checkpoint.
enum class Activation { GeluTanh, Gelu, QuickGelu, Relu, Silu };

// A picture becomes one token for each patch; every PaliGemma cuts it into patches of this many pixels.
inline constexpr int kPatchSize = 14;
constexpr int imageTokensAt(int imageSize) { return (imageSize / kPatchSize) * (imageSize / kPatchSize); }

struct VisionConfig {
  int hidden = 768;
  int intermediate = 3072;
  int layers = 12;
  int heads = 12;
  int channels = 3;
  int imageSize = 224;
  int patchSize = 16;
  double layerNormEps = 1e-6;
  double attentionDropout = 0.0;
  Activation activation = Activation::GeluTanh;

  int headDim() const { return hidden / heads; }
  int grid() const { return imageSize / patchSize; }
  int tokens() const { return grid() * grid(); }
};

struct TextConfig {
  std::int64_t vocab = 256000;
  int hidden = 3072;
  int intermediate = 24576;
  int layers = 28;
  int heads = 16;
  int kvHeads = 16;
  int headDim = 256;
  double rmsNormEps = 1e-6;
  double ropeTheta = 10000.0;
  double attentionDropout = 0.0;
  Activation activation = Activation::GeluTanh;
  bool attentionBias = false;
  int maxPositions = 8192;
  double queryPreAttnScalar = 0;                // 0: head_dim counts (Gemma 1)
  std::optional<double> attentionSoftcap = {};  // Gemma 2
  std::optional<double> finalSoftcap = {};      // Gemma 2
  int slidingWindow = 0;                        // 0: none
  std::vector<bool> slidingLayers = {};         // one per layer; all false for Gemma 1

  double queryScale() const;  // what q.k is multiplied with
};

// How 4-bit weights in a checkpoint were made (config.json, quantization_config).
struct StoredQuantization {
  std::string type = "nf4";
  bool doubleQuantized = false;
  std::string computeDtype = "float32";
  std::vector<std::string> skip = {};  // llm_int8_skip_modules: linear layers that are not
};

// A PaliGemma or PaliGemma 2 model, from its config.json. Fields that the file leaves out have the defaults of the
// class that wrote it; old and new spellings are read.
struct PaliGemmaConfig {
  Family family = Family::PaliGemma1;
  VisionConfig vision;
  TextConfig text;
  int projectionDim = 2048;
  std::int64_t imageTokenId = 257152;
  std::int64_t padTokenId = 0, bosTokenId = 2, eosTokenId = 1;
  Dtype dtype = Dtype::F32;  // as stored on disk
  bool tieWordEmbeddings = true;
  std::string name = {};  // "PaliGemma 2 3B 224" when the sizes are known ones, else "PaliGemma 2 (custom)"
  std::optional<StoredQuantization> quantization = {};

  int imageTokens() const { return vision.tokens(); }

  static Result<PaliGemmaConfig> fromFolder(const std::filesystem::path& folder);
  static Result<PaliGemmaConfig> fromText(const std::string& json, const std::string& where);
};

}  // namespace roadtune::model

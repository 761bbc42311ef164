// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/kept_features.h"

#include "core/base/hash.h"
#include "core/model/feature_cache.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>

#include <cinttypes>
#include <cstdio>

namespace roadtune::engine {
namespace {

constexpr std::string_view kTower = "vision_tower.";

// The tower's weights, and all else that what it computes depends on.
std::string towerName(const Session& session) {
  std::uint64_t hash = 0;
  const auto& parameters = session.model->parameters.all();
  std::int64_t looked = 0;
  for (const auto& parameter : parameters) {
    session.reporter->progress("loading", looked++, static_cast<std::int64_t>(parameters.size()));
    if (parameter->name.find(kTower) == std::string::npos || !parameter->value.defined()) continue;
    const auto bytes = parameter->value.detach().to(at::kCPU).contiguous();
    hash = mix64(hash ^ hash64({static_cast<const char*>(bytes.const_data_ptr()), bytes.nbytes()}));
  }
  for (const auto& [name, weight] : session.model->quantised) {
    if (name.find(kTower) == std::string::npos) continue;
    const auto codes = weight->codes.to(at::kCPU).contiguous();
    hash = mix64(hash ^ hash64({static_cast<const char*>(codes.const_data_ptr()), codes.nbytes()}));
  }
  const auto levels = pixelLevels(session.encoder->processor());
  hash = mix64(hash ^ hash64({reinterpret_cast<const char*>(levels->data()), levels->size() * sizeof(float)}));
  if (!session.encoder->processor().convertRgb) hash = mix64(hash);
  char name[64];
  std::snprintf(name, sizeof name, "%016" PRIx64 "-%d-%s", hash, session.encoder->imageSize(),
                session.context.type == at::kBFloat16 ? "bf16" : "f32");
  return name;
}

Status requireFrozenTower(const Session& session) {
  for (const auto* parameter : session.model->parameters.trainable())
    if (parameter->name.find(kTower) != std::string::npos)
      return badInput("the vision tower changes in this run: " + parameter->name + " is trained",
                      "cache_vision_features", "freeze_vision_tower: true and exclude_modules: '.*vision_tower.*'");
  return {};
}

}  // namespace

Status prepareFeatures(Session& session) {
  const auto& config = session.config;
  const auto kind = config.text("cache_vision_features");
  if (kind == "off") return {};
  ROADTUNE_CHECK(requireFrozenTower(session));
  const auto type = session.context.type == at::kBFloat16 ? model::Dtype::BF16 : model::Dtype::F32;
  const std::size_t bytes = model::featureBytes(session.model->tree.config, type);
  const std::uint64_t limitBytes = model::featureLimit(config);
  if (kind == "memory") {
    session.features = data::makeMemoryCache(limitBytes);
  } else {
    const auto folder = config.has("vision_cache_dir") ? fs::path(config.text("vision_cache_dir"))
                                                       : data::defaultImageCacheFolder().parent_path() / "features";
    ROADTUNE_TRY(session.features, data::openDiskCache(folder, towerName(session), bytes, limitBytes));
  }
  session.encoder->keepFeatures(session.features, bytes);
  return {};
}

void tellOfFeatures(const Session& session) {
  if (!session.features) return;
  const auto counts = session.features->counts();
  session.reporter->print("vision features: " + std::to_string(counts.misses) + " computed, " +
                          std::to_string(counts.hits) + " kept from before");
}

std::vector<data::ImageKey> newPictures(const std::vector<EncodedSample>& samples) {
  std::vector<data::ImageKey> keys;
  for (const auto& sample : samples)
    if (sample.key && sample.features.empty()) keys.push_back(*sample.key);
  return keys;
}

BatchOfFeatures withFeatures(const Session& session, Batch batch, const std::vector<data::ImageKey>& newOnes,
                             const ForwardContext& context) {
  if (!batch.keptFeatures.defined()) return {std::move(batch)};
  const c10::NoGradGuard noGrad;
  const auto rows = batch.inputIds.size(0), tokens = std::int64_t{session.model->tree.config.imageTokens()};
  const auto width = std::int64_t{session.model->tree.config.vision.hidden};
  const auto options = at::TensorOptions().dtype(context.type).device(session.device);
  const bool someKnown = static_cast<std::int64_t>(newOnes.size()) < rows;
  batch.features = someKnown ? batch.keptFeatures.view(context.type).view({rows, tokens, width})
                             : at::empty({rows, tokens, width}, options);
  NewFeatures found;
  if (!newOnes.empty()) {
    // One by one on the CPU: what is computed then does not depend on who else is in the batch.
    const auto together = session.device.is_cpu() ? 1 : static_cast<std::int64_t>(newOnes.size());
    std::vector<at::Tensor> parts;
    for (std::int64_t i = 0; i < batch.pixelValues.size(0); i += together)
      parts.push_back(session.model->network->pictureFeatures(
          batch.pixelValues.narrow(0, i, std::min(together, batch.pixelValues.size(0) - i)), context));
    found = {newOnes, at::cat(parts).to(context.type)};
    batch.features.index_copy_(0, batch.newRows, found.values);
  }
  batch.pixelValues = batch.keptFeatures = batch.newRows = at::Tensor();
  return {std::move(batch), std::move(found)};
}

void keepFeatures(Session& session, const NewFeatures& made) {
  if (made.pictures.empty()) return;
  const auto here = made.values.to(at::kCPU).contiguous();
  for (std::size_t i = 0; i < made.pictures.size(); ++i) {
    const auto one = here.select(0, static_cast<std::int64_t>(i));
    session.features->store(made.pictures[i], {static_cast<const std::uint8_t*>(one.const_data_ptr()), one.nbytes()});
  }
}

Batch withKeptFeatures(Session& session, Batch placed, const std::vector<data::ImageKey>& newOnes,
                       const ForwardContext& context) {
  auto [batch, made] = withFeatures(session, std::move(placed), newOnes, context);
  keepFeatures(session, made);
  return std::move(batch);
}

}  // namespace roadtune::engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Passes over a tiny model with adapters that are no zeros and samples of different lengths.
#pragma once
#include "core/engine/nn/model_state.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/packed_rows.h"
#include "core/model/tiny_model.h"
#include "tests/support/temp_folder.h"

#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn_like.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>

namespace roadtune::engine {

constexpr int kSide = 56, kImageTokens = 16;

inline std::unique_ptr<ModelState> unevenModel(model::Family family, const model::Method& method, int window = 0) {
  const testing::TempFolder folder;
  EXPECT_TRUE(model::writeTinyModel(folder.path(), {.family = family, .imageSize = kSide}).ok());
  if (window > 0)
    folder.write("config.json",
                 std::regex_replace(testing::readAll(folder / "config.json"), std::regex(R"("sliding_window": *\d+)"),
                                    "\"sliding_window\": " + std::to_string(window)));
  LoadOptions options;
  options.folder = folder.path();
  options.method = method;
  options.trainableType = at::kFloat;
  auto model = std::move(loadModel(options)).value();
  if (window > 0) EXPECT_EQ(model->tree.config.text.slidingWindow, window);
  for (const auto* parameter : model->parameters.trainable())  // B of an adapter begins at zero
    if (parameter->name.find("lora_B") != std::string::npos) {
      at::Tensor value = parameter->value.detach();
      value.copy_(at::randn_like(value) * 0.1);
    }
  return model;
}

constexpr std::int64_t kAnswer = 5;

// Four samples of 24 to 45 tokens, padded on the left, or on the right.
inline Batch unevenBatch(const ModelState& model, bool right = false) {
  const std::vector<std::int64_t> lengths = {31, 45, 24, 39};
  const std::int64_t length = 45, answer = kAnswer;
  const auto options = at::TensorOptions().dtype(at::kLong);
  Batch batch;
  batch.inputIds = at::zeros({4, length}, options);
  batch.attentionMask = at::zeros({4, length}, options);
  batch.tokenTypeIds = at::zeros({4, length}, options);
  batch.labels = at::full({4, length}, -100, options);
  for (std::int64_t i = 0; i < 4; ++i) {
    const auto count = lengths[static_cast<std::size_t>(i)], begin = right ? 0 : length - count;
    auto ids = batch.inputIds[i].narrow(0, begin, count);
    ids.copy_(at::randint(5, 200, {count}, options));
    ids.narrow(0, 0, kImageTokens).fill_(model.tree.config.imageTokenId);
    batch.attentionMask[i].narrow(0, begin, count).fill_(1);
    batch.tokenTypeIds[i].narrow(0, begin + count - answer, answer).fill_(1);
    batch.labels[i].narrow(0, begin + count - answer, answer).copy_(ids.narrow(0, count - answer, answer));
  }
  batch.pixelValues = at::rand({4, 3, kSide, kSide}) * 2 - 1;
  return batch;
}

struct Passed {
  double loss = 0;
  std::map<std::string, at::Tensor> gradients;
};

inline Passed passOver(const ModelState& model, const Batch& batch, const ForwardContext& context, bool collected) {
  for (auto* parameter : model.parameters.trainable())
    parameter->value.mutable_grad() = collected ? at::zeros(parameter->value.sizes()) : at::Tensor();
  const auto rows = labelRows(batch.labels, batch.places, batch.asked.rows);
  const auto weights = at::full({rows.count()}, 1.0 / static_cast<double>(rows.count()));
  const auto loss = model.network->loss(model.network->hidden(batch, context), rows, context, weights).loss;
  loss.backward();
  Passed passed{loss.item<double>(), {}};
  for (const auto* parameter : model.parameters.trainable())
    if (const auto& gradient = parameter->value.grad(); gradient.defined())
      passed.gradients[parameter->name] = gradient.clone();
  return passed;
}

inline model::Method withAdapters(double dropout) {
  model::Method method;
  method.targets.names = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj", "linear"};
  method.loraDropout = dropout;
  method.rankPattern = {{"v_proj", 3}};
  return method;
}

inline ForwardContext seeded() {
  ForwardContext context;
  context.training = true;
  context.dropoutSeed = 11;
  return context;
}

}  // namespace roadtune::engine

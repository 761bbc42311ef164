// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loader/collate.h"

#include <ATen/ops/empty.h>

#include <cstring>

namespace roadtune::engine {
namespace {

at::Tensor idTensor(const text::TokenIds& ids, std::int64_t rows, std::int64_t length) {
  auto tensor = at::empty({rows, length}, at::TensorOptions().dtype(at::kLong));
  std::memcpy(tensor.data_ptr(), ids.data(), ids.size() * sizeof(std::int64_t));
  return tensor;
}

}  // namespace

Batch collate(const std::vector<EncodedSample>& samples, int imageSize, std::int64_t padId) {
  std::vector<text::EncodedPrompt> prompts;
  for (const auto& sample : samples) prompts.push_back(sample.prompt);
  const auto padded = text::padBatch(prompts, padId);
  Batch batch;
  batch.inputIds = idTensor(padded.inputIds, padded.rows, padded.length);
  batch.attentionMask = idTensor(padded.attentionMask, padded.rows, padded.length);
  batch.tokenTypeIds = idTensor(padded.tokenTypeIds, padded.rows, padded.length);
  batch.labels = idTensor(padded.labels, padded.rows, padded.length);
  const auto rows = static_cast<std::int64_t>(samples.size());
  batch.pixelValues = at::empty({rows, 3, imageSize, imageSize}, at::TensorOptions().dtype(at::kFloat));
  auto* pixels = batch.pixelValues.data_ptr<float>();
  for (const auto& sample : samples) {
    std::memcpy(pixels, sample.pixels.data(), sample.pixels.size() * sizeof(float));
    pixels += sample.pixels.size();
  }
  return batch;
}

}  // namespace roadtune::engine

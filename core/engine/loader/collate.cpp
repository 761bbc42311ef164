// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loader/collate.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>

namespace roadtune::engine {
namespace {

at::Tensor idTensor(const text::TokenIds& ids, std::int64_t rows, std::int64_t length) {
  auto tensor = at::empty({rows, length}, at::TensorOptions().dtype(at::kLong));
  std::memcpy(tensor.data_ptr(), ids.data(), ids.size() * sizeof(std::int64_t));
  return tensor;
}

// The samples' pictures, one after the other; those whose features are known have none.
template <class T>
void copyAll(const std::vector<EncodedSample>& samples, std::vector<T> EncodedSample::*picture, at::Tensor& into) {
  auto* place = into.data_ptr<T>();
  for (const auto& sample : samples) {
    std::memcpy(place, (sample.*picture).data(), (sample.*picture).size() * sizeof(T));
    place += (sample.*picture).size();
  }
}

void addPixels(Batch& batch, const std::vector<EncodedSample>& samples, std::int64_t rows, int side) {
  batch.pixelValues = at::empty({rows, 3, side, side}, at::TensorOptions().dtype(at::kFloat));
  copyAll(samples, &EncodedSample::pixels, batch.pixelValues);
}

void addBytes(Batch& batch, const std::vector<EncodedSample>& samples, std::int64_t rows, int side) {
  batch.pixelValues = at::empty({rows, side, side, 3}, at::TensorOptions().dtype(at::kByte));
  copyAll(samples, &EncodedSample::bytes, batch.pixelValues);
  batch.pixelTable = at::empty({3, 256}, at::TensorOptions().dtype(at::kFloat));
  for (const auto& sample : samples)
    if (sample.levels) std::memcpy(batch.pixelTable.data_ptr(), sample.levels->data(), batch.pixelTable.nbytes());
}

// The features that are known, and which rows have none.
std::int64_t addFeatures(Batch& batch, const std::vector<EncodedSample>& samples) {
  std::vector<std::int64_t> unknown;
  std::size_t bytes = 0;
  for (std::size_t row = 0; row < samples.size(); ++row) {
    bytes = std::max(bytes, samples[row].features.size());
    if (samples[row].features.empty()) unknown.push_back(static_cast<std::int64_t>(row));
  }
  const auto rows = static_cast<std::int64_t>(samples.size()), count = static_cast<std::int64_t>(unknown.size());
  batch.keptFeatures = at::empty({rows, static_cast<std::int64_t>(bytes)}, at::TensorOptions().dtype(at::kByte));
  for (std::size_t row = 0; row < samples.size(); ++row)
    if (!samples[row].features.empty())
      std::memcpy(batch.keptFeatures.data_ptr<std::uint8_t>() + row * bytes, samples[row].features.data(), bytes);
  batch.newRows = at::empty({count}, at::TensorOptions().dtype(at::kLong));
  std::copy(unknown.begin(), unknown.end(), batch.newRows.data_ptr<std::int64_t>());
  return count;
}

}  // namespace

Batch collate(const std::vector<EncodedSample>& samples, int imageSize, std::int64_t padId, std::int64_t multipleOf) {
  std::vector<text::EncodedPrompt> prompts;
  for (const auto& sample : samples) prompts.push_back(sample.prompt);
  const auto padded = text::padBatch(prompts, padId, text::PaddingSide::Left, multipleOf);
  Batch batch;
  batch.inputIds = idTensor(padded.inputIds, padded.rows, padded.length);
  batch.attentionMask = idTensor(padded.attentionMask, padded.rows, padded.length);
  batch.tokenTypeIds = idTensor(padded.tokenTypeIds, padded.rows, padded.length);
  batch.labels = idTensor(padded.labels, padded.rows, padded.length);
  auto pictures = static_cast<std::int64_t>(samples.size());
  if (samples.front().key) pictures = addFeatures(batch, samples);
  if (pictures == 0) return batch;
  const auto withLevels = std::find_if(samples.begin(), samples.end(),
                                       [](const EncodedSample& sample) { return sample.levels != nullptr; });
  if (withLevels != samples.end())
    addBytes(batch, samples, pictures, imageSize);
  else
    addPixels(batch, samples, pictures, imageSize);
  return batch;
}

}  // namespace roadtune::engine

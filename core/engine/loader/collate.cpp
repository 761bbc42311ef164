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

// The samples' pictures, one after the other.
template <class T>
void copyAll(const std::vector<EncodedSample>& samples, std::vector<T> EncodedSample::*picture, at::Tensor& into) {
  auto* place = into.data_ptr<T>();
  for (const auto& sample : samples) {
    std::memcpy(place, (sample.*picture).data(), (sample.*picture).size() * sizeof(T));
    place += (sample.*picture).size();
  }
}

void addPixels(Batch& batch, const std::vector<EncodedSample>& samples, int side) {
  const auto rows = static_cast<std::int64_t>(samples.size());
  batch.pixelValues = at::empty({rows, 3, side, side}, at::TensorOptions().dtype(at::kFloat));
  copyAll(samples, &EncodedSample::pixels, batch.pixelValues);
}

void addBytes(Batch& batch, const std::vector<EncodedSample>& samples, int side) {
  const auto rows = static_cast<std::int64_t>(samples.size());
  batch.pixelValues = at::empty({rows, side, side, 3}, at::TensorOptions().dtype(at::kByte));
  copyAll(samples, &EncodedSample::bytes, batch.pixelValues);
  batch.pixelTable = at::empty({3, 256}, at::TensorOptions().dtype(at::kFloat));
  std::memcpy(batch.pixelTable.data_ptr(), samples.front().levels->data(), batch.pixelTable.nbytes());
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
  if (samples.front().levels)
    addBytes(batch, samples, imageSize);
  else
    addPixels(batch, samples, imageSize);
  return batch;
}

}  // namespace roadtune::engine

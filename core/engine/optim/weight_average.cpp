// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/optim/weight_average.h"

#include "core/engine/cuda/fused_update.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/tensor_bytes.h"
#include "core/engine/optim/parts.h"
#include "core/model/safetensors.h"
#include "core/model/safetensors_writer.h"

namespace roadtune::engine {
namespace {

constexpr const char* kAverageFile = "ema_state.safetensors";

}  // namespace

WeightAverage::WeightAverage(double decay, const std::vector<FlatGroup>& groups) : m_decay(decay) {
  for (const auto& group : groups) {
    m_averages.push_back(at::empty({group.values.numel()}, group.values.options().dtype(at::kFloat)));
    inParts(group.values.numel(), [&](std::int64_t begin, std::int64_t count) {
      m_averages.back().narrow(0, begin, count).copy_(group.exact(begin, count));
    });
  }
}

void WeightAverage::update(const std::vector<FlatGroup>& groups, const at::Tensor& gradientFactor) {
  const c10::NoGradGuard noGrad;
  const auto weight = gradientFactor.isfinite().to(at::kFloat).mul_(1.0 - m_decay);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!groups[i].inHalves()) {
      m_averages[i].lerp_(groups[i].values, weight);
      continue;
    }
    if (const auto* kernels = cuda::kernelsFor(groups[i].values)) {
      cuda::average(*kernels, m_averages[i], groups[i].values, groups[i].remainders, weight);
      continue;
    }
    inParts(m_averages[i].numel(), [&](std::int64_t begin, std::int64_t count) {
      m_averages[i].narrow(0, begin, count).lerp_(groups[i].exact(begin, count), weight);
    });
  }
}

void WeightAverage::swap(std::vector<FlatGroup>& groups) {
  const c10::NoGradGuard noGrad;
  for (std::size_t i = 0; i < groups.size(); ++i)
    inParts(m_averages[i].numel(), [&](std::int64_t begin, std::int64_t count) {
      const auto average = m_averages[i].narrow(0, begin, count), kept = groups[i].exact(begin, count).clone();
      groups[i].setValues(begin, average);
      average.copy_(kept);
    });
}

Status WeightAverage::write(const std::vector<FlatGroup>& groups, const fs::path& folder) const {
  std::vector<model::TensorPlan> plan;
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t k = 0; k < groups[i].members.size(); ++k)
      plan.push_back({groups[i].members[k]->name, model::Dtype::F32, groups[i].slice(m_averages[i], k).sizes().vec()});
  ROADTUNE_TRY(const auto writer, model::SafetensorsWriter::create(folder / kAverageFile, std::move(plan)));
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t k = 0; k < groups[i].members.size(); ++k) {
      const auto here = groups[i].slice(m_averages[i], k).to(at::kCPU);  // one at a time: the host may be small
      ROADTUNE_CHECK(writer->write(groups[i].members[k]->name, bytesOf(here)));
    }
  return writer->finish();
}

Status WeightAverage::read(const std::vector<FlatGroup>& groups, const fs::path& folder) {
  const c10::NoGradGuard noGrad;
  std::error_code code;
  if (!fs::exists(folder / kAverageFile, code))
    return badInput("the checkpoint holds no averaged weights", folder.string(),
                    "it was written without ema_decay: remove the key, or start anew");
  ROADTUNE_TRY(const auto file, model::SafetensorsFile::open(folder / kAverageFile));
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t k = 0; k < groups[i].members.size(); ++k) {
      const auto& name = groups[i].members[k]->name;
      auto into = groups[i].slice(m_averages[i], k);
      const auto* view = file->find(name);
      if (!view || view->shape != into.sizes().vec())
        return badInput("the averaged weights lack " + name + ", or hold it in another shape", file->path().string(),
                        "train the same modules as before, or start anew");
      into.copy_(tensorFrom(*view));
    }
  return {};
}

}  // namespace roadtune::engine

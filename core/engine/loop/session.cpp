// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/session.h"

#include <algorithm>

namespace roadtune::engine {
namespace {

std::int64_t limited(const data::SampleSource* source, const config::RunConfig& config, const char* limit) {
  if (!source) return 0;
  const auto size = static_cast<std::int64_t>(source->size());
  return config.has(limit) ? std::min(size, config.integer(limit)) : size;
}

}  // namespace

std::int64_t Session::trainSamples() const { return limited(trainData.get(), config, "max_train_samples"); }

std::int64_t Session::evalSamples() const { return limited(evalData.get(), config, "max_eval_samples"); }

double Session::rate() const { return schedule->rate(state.globalStep) * state.rateScale(); }

}  // namespace roadtune::engine

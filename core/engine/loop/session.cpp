// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/session.h"

namespace roadtune::engine {
namespace {

std::int64_t sizeOf(const data::SampleSource* source) { return source ? static_cast<std::int64_t>(source->size()) : 0; }

}  // namespace

std::int64_t Session::trainSamples() const { return sizeOf(trainData.get()); }

std::int64_t Session::evalSamples() const { return sizeOf(evalData.get()); }

double Session::rate() const { return schedule->rate(state.globalStep) * state.rateScale(); }

}  // namespace roadtune::engine

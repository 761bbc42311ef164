// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/probe_predictions.h"

#include "core/engine/generate/greedy.h"
#include "core/engine/loader/collate.h"
#include "core/engine/nn/placement.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace roadtune::engine {
namespace {

using nlohmann::json;

std::string line(const Session& session, const data::Sample& sample, const Generated& generated) {
  const auto& p = generated.probabilities;
  const double score = p.empty() ? 0.0 : std::accumulate(p.begin(), p.end(), 0.0) / static_cast<double>(p.size());
  const json object = {{"step", session.state.globalStep},
                       {"image", sample.id},
                       {"prompt", sample.prefix},
                       {"expected", sample.suffix},
                       {"text", session.encoder->tokenizer().decode(generated.ids)},
                       {"score", score},
                       {"ended", generated.ended}};
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

Status writeProbePredictions(Session& session) {
  // Ranks that hold a share each say the same together.
  if (!session.environment.leads() && !session.distribution->shares()) return {};
  const auto count = std::min(session.settings.probeSamples, session.evalSamples());
  std::string lines;
  for (std::int64_t begin = 0; begin < count; begin += session.settings.evalBatch) {
    std::vector<data::Sample> samples;
    std::vector<EncodedSample> encoded;
    for (auto i = begin; i < std::min(begin + session.settings.evalBatch, count); ++i) {
      auto sample = session.evalData->get(static_cast<std::size_t>(i));
      if (!sample.ok()) continue;
      auto ready = session.encoder->encode(sample.value(), false);
      if (!ready.ok()) continue;
      samples.push_back(std::move(sample).value());
      encoded.push_back(std::move(ready).value());
    }
    if (samples.empty()) continue;
    const auto batch = placed(collate(encoded, session.encoder->imageSize(), session.padId()), session.device,
                              session.model->tree.config.imageTokenId);
    const auto generated =
        generateGreedily(*session.model->network, batch, session.context, session.settings.maxNewTokens);
    for (std::size_t i = 0; i < samples.size(); ++i) lines += line(session, samples[i], generated[i]);
  }
  session.distribution->endForward();
  if (lines.empty() || !session.environment.leads()) return {};
  ROADTUNE_CHECK(makeFolders(session.layout.predictions()));
  return writeFileAtomically(
      session.layout.predictions() / ("step-" + std::to_string(session.state.globalStep) + ".jsonl"), lines);
}

}  // namespace roadtune::engine

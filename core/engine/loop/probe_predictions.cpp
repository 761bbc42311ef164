// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/probe_predictions.h"

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/engine/generate/greedy.h"
#include "core/engine/loader/collate.h"
#include "core/engine/loop/kept_features.h"
#include "core/engine/nn/placement.h"
#include "core/text/detection_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace roadtune::engine {
namespace {

using nlohmann::json;

json boxesOf(const Session& session, const EncodedSample& encoded, const Generated& generated) {
  json boxes = json::array();
  const auto parsed = text::parseDetections(session.encoder->tokenizer(), generated.ids, encoded.width, encoded.height,
                                            session.settings.locDecoding)
                          .boxes;
  for (const auto& found : parsed) {
    if (!found.valid) continue;
    const auto& box = found.box;
    boxes.push_back({{"label", trim(found.label)},
                     {"bbox", {box.x1, box.y1, box.x2 - box.x1, box.y2 - box.y1}},
                     {"score", meanProbability(generated, found.firstToken, found.tokens)}});
  }
  return boxes;
}

std::string line(const Session& session, const data::Sample& sample, const EncodedSample& encoded,
                 const Generated& generated) {
  const json object = {{"step", session.state.globalStep},
                       {"image", sample.id},
                       {"prompt", sample.prefix},
                       {"expected", sample.suffix},
                       {"text", session.encoder->tokenizer().decode(generated.ids)},
                       {"score", meanProbability(generated, 0, generated.ids.size())},
                       {"boxes", boxesOf(session, encoded, generated)},
                       {"ended", generated.ended}};
  return jsonLine(object) + "\n";
}

}  // namespace

Result<ProbeScores> writeProbePredictions(Session& session, const LongLoop::Asked& stop) {
  // Ranks that hold a share each say the same together; others only hear how far the one that leads is.
  const bool speaks = session.environment.leads() || session.distribution->shares();
  ProbeScorer scorer(session.settings.locDecoding);
  const auto count = std::min(session.settings.probeSamples, session.evalSamples());
  std::string lines;
  LongLoop loop(*session.reporter, *session.ranks, "predicting", count, stop);
  const auto givenUp = [&] {
    session.distribution->endForward();
    return cancelled("the predictions were given up");
  };
  // Several ranks stop after the same batch; one alone between two tokens.
  const auto goesOn = [&] { return session.ranks->size() > 1 || !stop || !stop(); };
  for (std::int64_t begin = 0; begin < count; begin += session.settings.evalBatch) {
    if (begin > 0 && !loop.goesOn(begin)) return givenUp();
    if (!speaks) continue;
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
    const auto batch = withKeptFeatures(session,
                                        placed(collate(encoded, session.encoder->imageSize(), session.padId()),
                                               session.device, session.model->tree.config.imageTokenId),
                                        newPictures(encoded), session.context);
    const auto generated =
        generateGreedily(*session.model->network, batch, session.context, session.settings.maxNewTokens, goesOn);
    if (generated.empty()) return givenUp();
    for (std::size_t i = 0; i < samples.size(); ++i) {
      lines += line(session, samples[i], encoded[i], generated[i]);
      scorer.add(samples[i], encoded[i], generated[i], session.encoder->tokenizer());
    }
  }
  if (speaks) session.distribution->endForward();
  if (lines.empty() || !session.environment.leads()) return ProbeScores();
  ROADTUNE_CHECK(makeFolders(session.layout.predictions()));
  ROADTUNE_CHECK(writeFileAtomically(
      session.layout.predictions() / ("step-" + std::to_string(session.state.globalStep) + ".jsonl"), lines));
  return scorer.scores();
}

}  // namespace roadtune::engine

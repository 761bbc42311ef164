// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/evaluation.h"

#include "core/base/clock.h"
#include "core/engine/loader/batch_loader.h"
#include "core/engine/loop/kept_features.h"
#include "core/engine/loop/training_loader.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/placement.h"

#include <algorithm>
#include <optional>

namespace roadtune::engine {
namespace {

// The most batches that a rank has.
std::int64_t evalRounds(const Session& session) {
  const auto size = session.settings.evalBatch * session.ranks->size();
  return (session.evalSamples() + size - 1) / size;
}

// This rank's batches: dealt out in turn, nothing repeated.
std::vector<std::vector<std::int64_t>> evalBatches(const Session& session) {
  std::vector<std::vector<std::int64_t>> batches;
  const auto size = session.settings.evalBatch, total = session.evalSamples();
  const auto world = session.ranks->size();
  for (std::int64_t begin = 0, index = 0; begin < total; begin += size, ++index) {
    if (index % world != session.ranks->rank()) continue;
    auto& batch = batches.emplace_back();
    for (auto i = begin; i < std::min(begin + size, total); ++i) batch.push_back(i);
  }
  return batches;
}

constexpr double kNamedBadEvalSamples = 5;

bool stopsRun(const Session& session, const Error& error) {
  return isTooLong(error) ? session.config.text("on_long_sample") == "stop" : !session.settings.skipBadSamples;
}

}  // namespace

Result<EvalResult> evaluate(Session& session, const LongLoop::Asked& stop) {
  return evaluate(session, evalBatches(session), evalRounds(session), stop);
}

Result<EvalResult> evaluate(Session& session, std::vector<std::vector<std::int64_t>> batches, std::int64_t rounds,
                            const LongLoop::Asked& stop) {
  const c10::NoGradGuard noGrad;
  const double begin = monotonicSeconds();
  auto context = session.context;
  context.training = false;
  BatchLoader loader(
      [&](std::int64_t i) -> Result<EncodedSample> {
        ROADTUNE_TRY(const auto sample, session.evalData->get(static_cast<std::size_t>(i)));
        return session.encoder->encode(sample);
      },
      std::move(batches), {session.settings.workers, session.settings.workers * session.settings.prefetch},
      intoBatch(session));
  auto weighted = at::zeros({}, at::TensorOptions().dtype(at::kDouble).device(session.device));
  double samples = 0, passes = 0, bad = 0;
  std::optional<Error> first;
  LongLoop loop(*session.reporter, *session.ranks, "evaluating", session.evalSamples(), stop);
  const auto perRound = session.settings.evalBatch * session.ranks->size();
  for (std::int64_t round = 0; round < rounds; ++round) {
    if (round > 0 && !loop.goesOn(std::min(round * perRound, session.evalSamples())))
      return cancelled("the evaluation was given up");
    auto loaded = loader.remaining() > 0 ? loader.next() : LoadedBatch();
    if (loaded.failed) return *loaded.failed;
    for (const auto& error : loaded.bad) {
      if (stopsRun(session, error)) return error;
      if (!first) first = error;
      if (bad++ < kNamedBadEvalSamples) session.reporter->warning(error);
    }
    const auto batch = loaded.ready ? std::move(*loaded.ready) : Batch();
    const auto rows = batch.labels.defined() ? labelRows(batch.labels, batch.places, batch.asked.rows) : LabelRows();
    if (!rows.positions.defined() || rows.count() == 0) {
      session.distribution->idlePass(false);
      continue;
    }
    const auto& network = *session.model->network;
    const auto there = withKeptFeatures(session, placed(batch, session.device, network.config().imageTokenId),
                                        newPictures(loaded.samples), context);
    const auto loss =
        network.loss(network.hidden(there, context), placed(rows, session.device), context).rowLoss.mean();
    session.distribution->endForward();
    weighted += loss.to(at::kDouble) * static_cast<double>(loaded.samples.size());  // nobody waits for the device
    samples += static_cast<double>(loaded.samples.size());
    passes += 1;
  }
  const auto sums = session.ranks->sum({weighted.item<double>(), samples, passes, bad});
  if (sums[3] > 0)
    session.reporter->warning(
        failed(std::to_string(static_cast<std::int64_t>(sums[3])) + " samples could not be read", "eval_data"));
  if (sums[1] == 0)
    return badInput("no sample of the evaluation data can be used" + (first ? "; the first: " + first->what : ""),
                    "eval_data", first ? first->hint : "");
  return EvalResult{sums[0] / sums[1], static_cast<std::int64_t>(sums[1]), static_cast<std::int64_t>(sums[2]),
                    monotonicSeconds() - begin};
}

}  // namespace roadtune::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/training_loader.h"

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/engine/loader/collate.h"
#include "core/engine/loader/data_order.h"
#include "core/engine/loader/pack.h"
#include "core/engine/nn/placement.h"

#include <algorithm>

namespace roadtune::engine {

namespace {

Batch batchOf(const Session& session, const std::vector<EncodedSample>& samples) {
  // Products over scores are fast on a GPU only where their rows begin at multiples of 16 bytes.
  const std::int64_t multiple = session.device.is_cpu() ? 1 : 8;
  auto batch = collate(samples, session.encoder->imageSize(), session.padId(), multiple);
  if (!session.settings.paddingFree) return batch;
  session.attendsRows ? packExamples(batch) : packTokens(batch);
  askForLabels(batch);
  return batch;
}

}  // namespace

std::vector<std::vector<std::int64_t>> trainingBatches(const Session& session, std::int64_t epoch) {
  const auto& settings = session.settings;
  const auto order = epochOrder(session.trainSamples(), settings.shuffle, settings.dataSeed, epoch);
  return rankBatches(order, {settings.perDeviceBatch, session.ranks->size(), session.ranks->rank(), settings.dropLast});
}

BatchLoader::Finish intoBatch(const Session& session) {
  return [&session](LoadedBatch& loaded) {
    loaded.ready = pinned(batchOf(session, loaded.samples), session.device, session.model->tree.config.imageTokenId);
  };
}

std::unique_ptr<BatchLoader> trainingLoader(const Session& session, std::vector<std::vector<std::int64_t>> batches,
                                            std::int64_t epoch) {
  const auto& settings = session.settings;
  // A step asks for all its batches at once.
  const auto ahead = std::max<std::int64_t>(settings.workers * settings.prefetch, settings.accumulation);
  return std::make_unique<BatchLoader>(
      [&source = *session.trainData, &encoder = *session.encoder, epoch = static_cast<std::uint64_t>(epoch),
       seed = settings.seed](std::int64_t i) -> Result<EncodedSample> {
        const auto place = static_cast<std::uint64_t>(i);
        const double begin = monotonicSeconds();
        ROADTUNE_TRY(auto sample, source.get(static_cast<std::size_t>(i), epoch));
        const double read = monotonicSeconds() - begin;
        ROADTUNE_TRY(auto encoded,
                     encoder.encodeForTraining(std::move(sample), mix64(seed ^ mix64(epoch ^ mix64(place)))));
        encoded.readSeconds = read;
        return encoded;
      },
      std::move(batches), LoaderThreads{settings.workers, static_cast<int>(ahead)}, intoBatch(session));
}

}  // namespace roadtune::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/image_losses.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace roadtune::data {

namespace {

Error noLosses(const protocol::RunLayout& layout) {
  const runs::NoLossesReason reason = runs::whyNoLosses(layout);
  const std::string run = layout.root().string();
  if (reason.why == runs::NoLosses::Elsewhere)
    return badInput("the run's losses of samples lie on " + join(reason.machines, ", ") + " and are not here yet", run,
                    "`roadtune attach " + run + "` brings them");
  if (reason.why == runs::NoLosses::NotYet)
    return badInput("the run has no losses of samples yet", run, "they come with its first steps");
  return badInput("the run has no losses of samples", run, "record_sample_losses: true keeps them");
}

}  // namespace

const ImageLosses::Entry* ImageLosses::of(ImageId image) const {
  const auto at = std::lower_bound(entries.begin(), entries.end(), image,
                                   [](const Entry& entry, ImageId wanted) { return entry.image < wanted; });
  return at != entries.end() && at->image == image ? &*at : nullptr;
}

Result<std::shared_ptr<const ImageLosses>> readImageLosses(const Index& index, const std::filesystem::path& run) {
  const protocol::RunLayout layout(run);
  if (!layout.isRun()) return badInput("holds no run", run.string(), "the output_dir of a run");
  ROADTUNE_TRY(const auto all, runs::readSampleLosses(layout));
  if (all.empty()) return noLosses(layout);
  auto losses = std::make_shared<ImageLosses>();
  losses->run = run;
  std::vector<runs::SampleSummary> samples = runs::summarizeSamples(all);
  const auto images = imagesOf(index, samples);
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (images[i]) losses->entries.push_back({*images[i], std::move(samples[i])});
  std::sort(losses->entries.begin(), losses->entries.end(),
            [](const auto& a, const auto& b) { return a.image < b.image; });
  return std::shared_ptr<const ImageLosses>(std::move(losses));
}

std::vector<std::optional<ImageId>> imagesOf(const Index& index, const std::vector<runs::SampleSummary>& samples) {
  std::vector<std::string_view> labels;
  for (const runs::SampleSummary& one : samples) labels.push_back(one.sample);
  return index.find(labels);
}

std::string ledgerStamp(const std::filesystem::path& run) {
  const protocol::RunLayout layout(run);
  std::string stamp;
  for (const int rank : layout.ranksWithLedgers()) {
    std::error_code ignored;
    const auto changed = std::filesystem::last_write_time(layout.rankLedger(rank), ignored).time_since_epoch().count();
    stamp += std::to_string(std::filesystem::file_size(layout.rankLedger(rank), ignored)) + "@" +
             std::to_string(changed) + " ";
  }
  return stamp;
}

double lossRank(double loss) { return std::isfinite(loss) ? loss : std::numeric_limits<double>::infinity(); }

}  // namespace roadtune::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/index/index.h"
#include "core/runs/sample_losses.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::data {

// What the images of an index cost a run, from the run's ledger.
struct ImageLosses {
  struct Entry {
    ImageId image = 0;
    runs::SampleSummary summary;
  };
  std::filesystem::path run;
  std::vector<Entry> entries;  // by image; those that the run never saw have none

  const Entry* of(ImageId image) const;
};

// badInput for a folder that is no run, and for a run that kept no losses. A run that learnt from other data has no
// entry here, which is no error. Reads whole files.
Result<std::shared_ptr<const ImageLosses>> readImageLosses(const Index& index, const std::filesystem::path& run);

// The images that samples of a run are, where the index has them.
std::vector<std::optional<ImageId>> imagesOf(const Index& index, const std::vector<runs::SampleSummary>& samples);

// Changes whenever a ledger of the run has grown.
std::string ledgerStamp(const std::filesystem::path& run);

// A loss as a number to sort by: what is not finite counts as higher than any other.
double lossRank(double loss);

}  // namespace roadtune::data

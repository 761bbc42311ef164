// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"
#include "core/runs/sample_losses.h"

#include <QMetaType>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace roadtune::widgets {

// The samples that cost a run most when it saw them last, the hardest first.
struct WorstSamples {
  struct Sample {
    runs::SampleSummary summary;
    std::optional<data::ImageId> image;  // in the index below
  };
  QString folder;
  std::vector<Sample> samples;
  std::size_t all = 0;                       // that the run has seen
  std::shared_ptr<const data::Index> index;  // that has them: the one on show, else the run's own; null: neither
  QString place;                             // of their pictures, when no index has them
  QString failure;                           // why there are none, in words
};
using WorstSamplesPtr = std::shared_ptr<const WorstSamples>;

}  // namespace roadtune::widgets

Q_DECLARE_METATYPE(roadtune::widgets::WorstSamplesPtr)

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/index/index.h"
#include "widgets/panels/data/quality_report.h"

#include <QByteArray>

#include <vector>

namespace roadtune::studio {

// A picture size and how many images have it.
struct PictureSize {
  int width = 0, height = 0;
  std::size_t images = 0;
};
// The sizes of an index, the most frequent first. Walks over all images: not for the UI thread.
std::vector<PictureSize> pictureSizes(const data::Index& index);

// Images with boxes of the class (all: empty) whose shorter side is below `pixels` at a model of `side`.
QString tooSmallQuery(const std::vector<PictureSize>& sizes, const QString& className, int side, int pixels);

QString cutTag(int maxLength);  // carried by the images whose samples are longer

// What `roadtune data quality --json` printed of the index, as figures with their queries.
Result<widgets::QualityReportPtr> qualityReportOf(const QByteArray& printed, const data::Index& index,
                                                  const std::vector<PictureSize>& sizes);

}  // namespace roadtune::studio

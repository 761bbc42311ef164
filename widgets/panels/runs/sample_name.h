// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <QString>

#include <optional>

namespace roadtune::widgets {

// A sample as a list names it. What tells samples apart comes first: "Side left · frame 3 · recording"; a narrow column
// cuts the name of the recording. `image`: which one of the index it is, where it is one.
QString sampleName(const QString& sample, const data::Index* index, std::optional<data::ImageId> image);

}  // namespace roadtune::widgets

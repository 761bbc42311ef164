// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace roadtune::studio {

// Samples by the names that runs and reports give them, as images of the index; those that it does not have are left
// out.
std::vector<data::ImageId> imagesNamed(const data::Index& index, const QStringList& samples);

QString queryOfImages(const data::Index& index, const std::vector<data::ImageId>& images);  // finds them and no other

}  // namespace roadtune::studio

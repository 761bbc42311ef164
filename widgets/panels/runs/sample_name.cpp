// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/sample_name.h"

#include "widgets/canvas/tile_text.h"

#include <QStringList>

namespace roadtune::widgets {

QString sampleName(const QString& sample, const data::Index* index, std::optional<data::ImageId> image) {
  const QStringList parts = sample.split(QLatin1Char('/'));
  const auto camera = parts.size() == 3 ? data::cameraFromName(parts[2].toStdString()) : std::nullopt;
  if (index && image && camera) return tileText(*index, index->image(*image)) + QStringLiteral(" · ") + parts[0];
  return camera ? QStringList{cameraText(*camera), parts[1], parts[0]}.join(QStringLiteral(" · ")) : sample;
}

}  // namespace roadtune::widgets

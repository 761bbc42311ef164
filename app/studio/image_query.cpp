// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/image_query.h"

#include "core/base/text.h"
#include "widgets/models/query_text.h"

#include <string>
#include <string_view>

namespace roadtune::studio {

std::vector<data::ImageId> imagesNamed(const data::Index& index, const QStringList& samples) {
  std::vector<std::string> names;
  for (const QString& sample : samples) names.push_back(sample.toStdString());
  std::vector<data::ImageId> images;
  for (const auto& image : index.find(std::vector<std::string_view>(names.begin(), names.end())))
    if (image) images.push_back(*image);
  return images;
}

QString queryOfImages(const data::Index& index, const std::vector<data::ImageId>& images) {
  QStringList terms;
  for (const data::ImageId image : images) {
    const data::ImageInfo info = index.image(image);
    QString term = QStringLiteral("segment=%1 and timestamp=%2")
                       .arg(widgets::queryValue(QString::fromStdString(index.segment(info.segment).info().name)))
                       .arg(info.timestamp);
    if (info.camera != data::Camera::Unknown)
      term += QStringLiteral(" and camera=%1")
                  .arg(QString::fromStdString(lower(std::string(data::cameraName(info.camera)))));
    terms << QLatin1Char('(') + term + QLatin1Char(')');
  }
  terms.removeDuplicates();
  return terms.join(QStringLiteral(" or "));
}

}  // namespace roadtune::studio

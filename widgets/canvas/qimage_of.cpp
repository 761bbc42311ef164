// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/qimage_of.h"

namespace roadtune::widgets {

QImage toQImage(data::Image&& image) {
  if (image.empty()) return {};
  auto* kept = new data::Image(std::move(image));
  return QImage(
      kept->pixels.data(), kept->width, kept->height, static_cast<qsizetype>(kept->rowBytes()), QImage::Format_RGB888,
      [](void* owner) { delete static_cast<data::Image*>(owner); }, kept);
}

}  // namespace roadtune::widgets

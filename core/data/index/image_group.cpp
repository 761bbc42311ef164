// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/image_group.h"

#include "core/base/text.h"

namespace roadtune::data {

std::string groupOf(const Index& index, ImageId image) {
  const SegmentInfo& segment = index.segment(index.locate(image).first).info();
  const bool recorded =  // also what was exported from there
      startsWith(segment.format, "waymo") || index.image(image).camera != Camera::Unknown;
  return recorded ? segment.name : index.imageLabel(image);
}

}  // namespace roadtune::data

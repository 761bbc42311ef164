// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/model_text.h"

#include "core/data/source/sources.h"
#include "core/data/source/task_text.h"

#include <algorithm>

namespace roadtune::widgets {

ModelText modelTextOf(const data::Index& index, data::ImageId image, int side) {
  data::TaskTemplate task;
  data::keepKnownClasses(index, task);
  task.order = data::BoxOrder::TopLeft;
  std::vector<std::uint8_t> classes;
  for (const std::string& name : task.classes) {
    if (const auto number = index.findClass(name)) classes.push_back(*number);
  }
  const data::ImageInfo info = index.image(image);
  data::Sample sample;
  sample.width = info.width;  // boxes become shares of the picture
  sample.height = info.height;
  data::writeTaskText(index, image, task, classes, 0, sample);
  ModelText text{.prompt = QString::fromStdString(sample.prefix), .target = QString::fromStdString(sample.suffix)};
  text.boxes = static_cast<int>(sample.boxes.size());
  text.locTokens = 4 * text.boxes;
  for (const auto& one : sample.boxes) {
    const double wide = (one.box.x2 - one.box.x1) * side / std::max(1, info.width),
                 tall = (one.box.y2 - one.box.y1) * side / std::max(1, info.height);
    text.survive += std::min(wide, tall) >= kLeastModelSide;
  }
  return text;
}

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/answer_boxes.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/data/index/label_reading.h"
#include "core/text/detection_text.h"

#include <string>
#include <utility>
#include <vector>

namespace roadtune::data {

std::optional<Problem> addAnsweredBoxes(RecordedImage& image, ClassList& classes) {
  if (image.width <= 0 || image.suffix.find("<loc") == std::string::npos) return std::nullopt;
  const auto parsed = text::parseDetections(image.suffix, image.width, image.height);
  std::size_t flat = 0;
  for (const text::ParsedBox& found : parsed.boxes) {
    if (!found.valid) {
      ++flat;
      continue;
    }
    Box box = boxOfSides(found.box.x1, found.box.y1, found.box.x2, found.box.y2);
    box.type = classes.numberOfBox(found.label);
    image.boxes.push_back(std::move(box));
  }
  if (flat + parsed.malformed == 0) return std::nullopt;
  const bool nothing = image.boxes.empty();
  if (nothing) image.labelled = false;
  std::vector<std::string> parts;
  if (flat > 0) parts.push_back(counted(flat, "box", "boxes") + " of no size");
  if (parsed.malformed > 0) parts.push_back(counted(parsed.malformed, "part", "parts") + " that cannot be read");
  return Problem{.what = "its answer has " + join(parts, " and "),
                 .done = nothing ? "the picture counts as not labelled" : "left out"};
}

bool saysWhatIsThere(const RecordedImage& image) {
  return startsWith(image.prefix, "detect") || image.suffix.find("<loc") != std::string::npos;
}

}  // namespace roadtune::data

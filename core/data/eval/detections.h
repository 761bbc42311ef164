// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::data {

struct EvalBox {
  double x = 0, y = 0, w = 0, h = 0;  // left, top, width, height in pixels
};

// Intersection over union; for a crowd, intersection over the area of the detection.
double boxIou(const EvalBox& detection, const EvalBox& truth, bool crowd = false);

struct TruthBox {
  std::int64_t id = 0, image = 0, category = 0;
  EvalBox box;
  double area = 0;
  bool crowd = false;
  int level = 1;  // Waymo's detection difficulty; not set means 1
};

struct Detection {
  std::int64_t image = 0, category = 0;
  EvalBox box;
  double score = 0;
};

// What a COCO ground-truth file says. Images and categories are sorted by id, without repetition. Where ids of images
// are texts, the number of an image is the position of its text among all of them, in their order.
struct GroundTruth {
  struct Category {
    std::int64_t id = 0;
    std::string name;
  };
  std::vector<std::int64_t> images;
  std::vector<std::string> texts = {};  // empty where ids are numbers
  std::vector<Category> categories;
  std::vector<TruthBox> boxes;  // in file order
};

Result<GroundTruth> readGroundTruth(const std::filesystem::path& file);

// A COCO results file: an array of {image_id, category_id, bbox, score}. Detections on images that the ground truth
// does not have are an error, as they mean that two files were mixed up; categories it does not have are passed over.
Result<std::vector<Detection>> readDetections(const std::filesystem::path& file, const GroundTruth& truth);

}  // namespace roadtune::data

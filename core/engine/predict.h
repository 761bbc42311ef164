// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::engine {

struct PredictRequest {
  std::filesystem::path model;
  std::filesystem::path adapter = {};
  std::string data;  // index folder, JSONL or COCO file
  std::string query = {};
  std::string images = {};  // folder of the pictures; empty: beside the file
  std::filesystem::path out;
  std::vector<std::string> classes = {"vehicle", "pedestrian", "cyclist"};
  std::string profile = {};
  std::string dtype = "auto";   // auto | float32 | bfloat16
  std::string device = "auto";  // cpu, cuda, cuda:N, or auto: a GPU when there is one
  int batch = 8;
  int workers = 1;
  int maxNewTokens = 256;
  bool locOver1024 = false;  // <loc> tokens divided by 1024 instead of 1023
  std::int64_t limit = 0;    // 0: all
};

struct PredictReport {
  std::int64_t images = 0, boxes = 0;
  std::int64_t malformed = 0;      // pieces of output that were no box
  std::int64_t unreadable = 0;     // images that are left out
  std::vector<Error> causes = {};  // of the first of them
};

// Greedy predictions for every sample. request.out becomes a COCO results file: a list of {image_id, category_id,
// bbox, score} with the id of the sample as `image` and the class as `category`. Of a COCO file the numbers are its
// own; else those of a COCO export of the same data: images count from 1 in source order, classes have the numbers of
// the index (Waymo's 1 to 4; elsewhere other names follow from 5). The score of a box is the mean probability of its
// tokens. Beside it, <out>.texts.jsonl holds what the model said. A picture that cannot be read is left out; an error
// where that is true of all.
Result<PredictReport> predict(const PredictRequest& request, ProgressSink& progress);

}  // namespace roadtune::engine

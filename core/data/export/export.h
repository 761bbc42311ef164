// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/index/index.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::data {

// WaymoObjects: one waymo.open_dataset.Objects message with the boxes of Waymo's own classes.
enum class ExportFormat { Jsonl, Coco, Yolo, Kitti, Voc, PaliGemma, WaymoObjects };
Result<ExportFormat> parseExportFormat(const std::string& name);
bool writesFolder(ExportFormat format);

struct ExportRequest {
  ExportFormat format = ExportFormat::Jsonl;
  std::filesystem::path out;              // a folder for yolo, kitti and voc; a file for the others
  std::filesystem::path images = {};      // pictures are written here, unchanged; empty: not at all
  bool hash = false;                      // jsonl: SHA-256 of each picture's bytes
  std::vector<std::string> classes = {};  // boxes of other classes are left out; empty: all (paligemma: Waymo's three)
  double minBoxPixels = 0;                // shorter side in the picture
  double minModelPixels = 0;              // shorter side once the picture is squashed to a square of modelSize
  int modelSize = 448;
  int maxLevel = 2;     // 1 leaves out boxes of LEVEL_2
  int everyFrames = 1;  // keeps every n-th frame of a segment
};

struct ExportOutcome {
  std::size_t images = 0, boxes = 0;
  std::size_t withoutLabels = 0;  // left out because nobody labelled them (all formats but jsonl)
  bool waymo = false;             // an ATTRIBUTION file was written beside the result
};

// Writes the images in index order (segment, timestamp, camera) as a stream; memory does not grow with the size of the
// index. A file appears under its name only when it is complete. cancelled() when the sink says so.
Result<ExportOutcome> exportImages(const Index& index, std::vector<ImageId> images, const ExportRequest& request,
                                   ProgressSink& progress);

}  // namespace roadtune::data

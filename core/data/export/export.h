// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/export/picture_names.h"
#include "core/data/index/index.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
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
  int maxLevel = 2;               // 1 leaves out boxes of LEVEL_2
  int everyFrames = 1;            // keeps every n-th frame of a segment
  PictureNames* names = nullptr;  // outlives the call; for exports whose pictures go to one folder
  // Where it is set, these images are the split "validation" and all others "training", whatever they were.
  std::optional<std::unordered_set<ImageId>> heldOut = {};
};

struct ExportOutcome {
  std::size_t images = 0, boxes = 0;
  std::size_t crowds = 0, crowdsLeftOut = 0;  // regions to ignore; those the format has no word for
  // Left out because nobody labelled them (all formats but jsonl), for want of a size (paligemma, yolo and voc), or
  // because the boxes are crowds only (paligemma).
  std::size_t withoutLabels = 0;
  std::size_t damagedPictures = 0;      // the index knows that they are none: left out, or written as they are
  bool damagedLeftOut = false;          // of what models learn from; listings of all that is labelled have them
  std::vector<std::string> damaged;     // the first of them
  std::size_t boxesWithoutArea = 0;     // left out, as nothing of them shows in the picture (not of coco and jsonl)
  std::size_t withoutPicture = 0;       // could not be read: left out where pictures are written, else not hashed
  std::vector<std::string> unreadable;  // the first of them
  std::string whyUnreadable;            // what was wrong with the very first
  std::set<std::string> otherClasses;   // of boxes that were left out for their class
  std::map<std::string, std::string> otherWords;  // class -> what it is called in a format with words of its own
  bool waymo = false;                             // an ATTRIBUTION file was written beside the result

  void add(const ExportOutcome& part);
};

// Writes the images in index order (segment, timestamp, camera) as a stream; memory does not grow with the size of the
// index, but for a few bytes per name. A file appears under its name only when it is complete. A picture that cannot be
// read is counted; when that goes for all of them it is an error. cancelled() when the sink says so.
Result<ExportOutcome> exportImages(const Index& index, std::vector<ImageId> images, const ExportRequest& request,
                                   ProgressSink& progress);

}  // namespace roadtune::data

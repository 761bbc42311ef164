// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/bdd_recordings.h"
#include "core/data/index/coco_recordings.h"
#include "core/data/index/conversation_recordings.h"
#include "core/data/index/jsonl_recordings.h"
#include "core/data/index/kitti_recordings.h"
#include "core/data/index/recording_reader.h"
#include "core/data/index/split_names.h"
#include "core/data/index/voc_recordings.h"
#include "core/data/index/waymo_v1_recordings.h"
#include "core/data/index/yolo_recordings.h"

namespace roadtune::data {

ImportUnit unitOfAnnotationFile(const std::filesystem::path& file) {
  return {.name = file.string(),
          .split = splitOfAnnotationFile(file),
          .files = {file},
          .base = file.parent_path(),
          .title = file.stem().string(),
          .guessedSplit = splitGuessOfAnnotationFile(file)};
}

RecordingReaders basicReaders() {
  RecordingReaders readers;
  readers.push_back(std::make_unique<WaymoV1Recordings>());
  readers.push_back(std::make_unique<YoloRecordings>());
  readers.push_back(std::make_unique<KittiRecordings>());
  readers.push_back(std::make_unique<VocRecordings>());
  readers.push_back(std::make_unique<BddRecordings>());  // before COCO, which takes any .json it is given
  readers.push_back(std::make_unique<ConversationRecordings>());
  readers.push_back(std::make_unique<CocoRecordings>());
  readers.push_back(std::make_unique<JsonlRecordings>());
  return readers;
}

}  // namespace roadtune::data

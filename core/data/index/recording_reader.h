// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/index/problem.h"
#include "core/data/index/recording.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace roadtune::data {

// A piece of import work: the files that together make one or more segments (a v1 file; the component files of one v2
// context; a JSON file). It is imported again when one of its files changes.
struct ImportUnit {
  std::string name;                                      // for progress and messages; unique together with `files`
  std::string split;                                     // from the folder or file name; empty when they do not say
  std::vector<std::filesystem::path> files;              // absolute; what is fingerprinted
  std::filesystem::path base = {};                       // folder that relative image names refer to
  std::vector<std::filesystem::path> imageFolders = {};  // further folders the user gave for images,
  std::size_t nearFolders = 0;                           // so many of them with these files
  // What its segment is called where the data has no name of its own; the importer puts folders in front where another
  // file has the same. Empty: the data always says.
  std::string title = {};
  std::string guessedSplit = {};  // where neither `split` nor the user says
};

// The unit of one annotation file: split and title from its path, pictures seen from its folder.
ImportUnit unitOfAnnotationFile(const std::filesystem::path& file);

// What a reader may ask of the importer. Called from the reader's thread only.
class RecordingSink {
 public:
  virtual ~RecordingSink() = default;

  // False when the user asked to stop: return cancelled() soon. `bytes` counts bytes of input dealt with since the
  // last call.
  virtual bool advance(std::uint64_t bytes) = 0;
  virtual void problem(Problem problem) = 0;
  // Before the heavy part of a segment: `waymo` says that Waymo's licence applies. An error ends the import.
  virtual Status announce(const std::string& segment, bool waymo) = 0;
  // Keeps image bytes in the blob of the recording that is delivered next. Answers their offset there.
  virtual Result<std::uint64_t> storeBytes(std::span<const std::uint8_t> bytes) = 0;
  // A finished segment. An error is the importer's (disk full ...): hand it on.
  virtual Status deliver(Recording recording) = 0;
};

// One format. Stateless and shared between import threads.
class RecordingReader {
 public:
  virtual ~RecordingReader() = default;
  virtual std::string format() const = 0;

  // The units of this format at `path` (a file or a folder, searched to any depth), sorted by name; empty when it is
  // none of ours. A unit claims its files: later readers do not see them.
  virtual Result<std::vector<ImportUnit>> discover(const std::filesystem::path& path) const = 0;

  // Reads one unit. A damaged part is reported as a problem and left out; an error means that nothing of the unit
  // could be used (or cancelled()). Bytes a reader keeps with storeBytes before an error are thrown away.
  virtual Status read(const ImportUnit& unit, RecordingSink& sink) const = 0;
};

using RecordingReaders = std::vector<std::unique_ptr<RecordingReader>>;

// Readers that need no Arrow: Waymo v1, YOLO, KITTI, VOC, BDD100K, conversations, COCO, JSONL. core/data/formats adds
// Waymo v2 and VQA parquet.
RecordingReaders basicReaders();

}  // namespace roadtune::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/data/index/columns.h"
#include "core/data/index/vocabulary.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

// A file that images or labels were read from, as it was at import.
struct SourceFile {
  std::filesystem::path path;  // absolute
  std::filesystem::path nearby;  // relative to the index folder: tried when `path` is gone
  std::uint64_t size = 0;
  std::int64_t modified = 0;  // ns since 1970
  std::uint64_t fingerprint = 0;
};

// A box in pixels of the stored image.
struct Box {
  double x = 0, y = 0, w = 0, h = 0;  // left, top, width, height
  std::uint8_t type = kUnknown;       // class number of the index: Index::className
  std::uint8_t detectionLevel = 0;    // as stored; see cameraBoxLevel
  std::uint8_t trackingLevel = 0;
  std::string id = {};  // track id
};

// What holds for all images of a segment.
struct SegmentInfo {
  std::string name;
  std::string split;  // "training", "validation", "testing", or what the user gave
  std::string time;   // "Day", "Night", "Dawn/Dusk"; empty when not known
  std::string location, weather;
  std::string format;  // "waymo-v1", "waymo-v2", "coco", "jsonl", "vqa"
  bool waymo = false;  // made from Waymo's data: licence and attribution travel with it
  std::uint32_t frames = 0, images = 0, boxes = 0;
};

// One mapped column file. Immutable; all methods are safe from any thread.
class Segment {
 public:
  static Result<Segment> open(const std::filesystem::path& file);

  const SegmentInfo& info() const { return m_info; }
  const ImageColumns& images() const { return m_images; }
  const BoxColumns& boxes() const { return m_boxes; }
  const std::vector<std::string>& classNames() const { return m_classNames; }  // of this segment's numbers
  std::uint8_t classOf(std::uint8_t stored) const { return m_toIndex[stored]; }
  const std::array<std::uint8_t, kMaxClasses>& classMap() const { return m_toIndex; }
  void setClassMap(const std::array<std::uint8_t, kMaxClasses>& map) { m_toIndex = map; }

  Box box(std::size_t row) const;                     // exact to 1/65536 of the quantum
  std::string_view trackId(std::size_t row) const;    // of a box
  std::string_view imageName(std::size_t row) const;  // file name the source gave; empty for Waymo
  std::string_view prefix(std::size_t row) const;     // JSONL and VQA: the question
  std::string_view suffix(std::size_t row) const;     // and the answer
  const std::vector<SourceFile>& sourceFiles() const { return m_sources; }
  // Where the bytes of an image lie: a source file, or the segment's blob.
  const SourceFile& sourceFile(std::size_t row) const;
  bool inBlob(std::size_t row) const;
  std::filesystem::path externalFile(std::size_t row) const;  // an image that is a file of its own; else empty

  const std::string& metaJson() const { return m_meta; }  // calibrations and the like, as stored
  Status verify() const;                                  // every column against its CRC

 private:
  friend class SegmentLoader;
  struct StringTable {
    std::span<const std::uint64_t> starts;  // count + 1
    std::string_view bytes;
    std::string_view at(std::size_t i) const;
  };
  struct ColumnCheck {
    std::string name;
    std::span<const std::uint8_t> bytes;
    std::uint32_t crc = 0;
  };

  std::filesystem::path m_path;
  MappedFile m_file;
  SegmentInfo m_info;
  ImageColumns m_images;
  BoxColumns m_boxes;
  std::vector<std::string> m_classNames;
  std::array<std::uint8_t, kMaxClasses> m_toIndex{};
  StringTable m_trackNames, m_imageNames, m_prefixes, m_suffixes;
  std::vector<SourceFile> m_sources;
  std::vector<ColumnCheck> m_checks;
  std::string m_meta;
};

}  // namespace roadtune::data

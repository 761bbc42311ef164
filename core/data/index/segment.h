// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/index/column_file.h"
#include "core/data/index/columns.h"
#include "core/data/index/segment_info.h"
#include "core/data/index/vocabulary.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

// One mapped column file. Immutable; all methods are safe from any thread.
class Segment {
 public:
  // Values of ImageColumns::source that name no source file.
  static constexpr std::uint32_t kInBlob = 0xffffffff, kExternal = 0xfffffffe;

  // Checks the CRC of everything that memory safety rests on; verify() checks the rest.
  static Result<Segment> open(const std::filesystem::path& file);

  const SegmentInfo& info() const { return m_info; }
  const std::filesystem::path& file() const { return m_path; }
  const ImageColumns& images() const { return m_images; }
  const BoxColumns& boxes() const { return m_boxes; }

  // The segment numbers its classes itself; the index maps them to its own numbers.
  const std::vector<std::string>& classNames() const { return m_classNames; }
  std::uint8_t classOf(std::uint8_t stored) const { return m_toIndex[stored]; }
  void setClassMap(const std::array<std::uint8_t, kMaxClasses>& map) { m_toIndex = map; }

  std::uint32_t frameOf(std::size_t imageRow) const;  // position of its frame in the segment
  Box box(std::size_t boxRow) const;                  // exact to 1/65536 of the quantum
  std::vector<Box> boxesOf(std::size_t imageRow) const;
  std::string_view trackId(std::size_t boxRow) const;
  // Laser labels as the camera sees them. Recordings of other kinds have none, and indexes of older versions of the
  // program did not keep them.
  bool hasProjected() const { return !m_projected.start.empty(); }
  std::vector<Box> projectedOf(std::size_t imageRow) const;
  // Regions in which the labellers told no single objects apart (COCO's iscrowd, KITTI's DontCare): nothing to learn,
  // and no mistake to find something in. crowdIsOf() says of which classes. Kept where the data has a word for them.
  bool hasCrowds() const { return !m_crowds.start.empty(); }
  std::size_t crowdCount() const { return m_crowds.type.size(); }
  std::vector<Box> crowdsOf(std::size_t imageRow) const;
  std::string_view imageName(std::size_t imageRow) const;  // file name the source gave; empty for Waymo
  std::string_view prefix(std::size_t imageRow) const;     // JSONL and VQA: the question
  std::string_view suffix(std::size_t imageRow) const;     // and the answer
  const std::vector<SourceFile>& sourceFiles() const { return m_info.sources; }

  std::span<const std::int64_t> frameTimestamps() const { return m_frameTimestamps; }
  // Where the vehicle was at each frame: x, y, z in metres; empty when the source does not say.
  std::span<const double> framePositions() const { return m_framePositions; }
  std::string_view extraJson() const { return m_extra; }  // calibrations and the like, as the reader stored them

  Status verify() const;  // every column against its CRC
  void letGo() const { m_columns.letGo(); }

 private:
  struct StringTable {
    std::span<const std::uint64_t> starts;  // count + 1
    std::string_view bytes;
    std::string_view at(std::size_t i) const;
  };
  Status load();
  Status checkShape() const;
  Box shape(std::size_t boxRow) const;
  StringTable table(std::string_view name) const;

  std::filesystem::path m_path;
  ColumnFile m_columns;
  SegmentInfo m_info;
  ImageColumns m_images;
  BoxColumns m_boxes;
  SideColumns<float> m_projected;
  SideColumns<double> m_crowds;
  std::vector<std::string> m_classNames;
  std::array<std::uint8_t, kMaxClasses> m_toIndex{};
  StringTable m_tracks, m_names, m_prefixes, m_suffixes;
  std::span<const std::int64_t> m_frameTimestamps;
  std::span<const double> m_framePositions;
  std::string_view m_extra;
};

// Is the file of pictures that the index itself keeps as long as the segment wants it?
bool holdsItsPictures(const Segment& segment, const std::filesystem::path& blob);
// Every picture in it against its checksum, where the segment has them. Reads the whole file.
bool picturesAreWhole(const Segment& segment, const std::filesystem::path& blob);

}  // namespace roadtune::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/index/problem.h"
#include "core/data/index/segment.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roadtune::data {

using ImageId = std::uint32_t;  // 0 .. imageCount(): sorted by segment name, timestamp, camera

// Everything one image says about itself, gathered from the columns.
struct ImageInfo {
  ImageId id = 0;
  std::uint32_t segment = 0;  // Index::segment
  std::uint32_t row = 0;      // in the segment's columns
  std::int64_t timestamp = 0;
  std::uint32_t frame = 0;
  Camera camera = Camera::Unknown;
  int width = 0, height = 0;
  bool labelled = false, available = true;
  bool damaged = false;                      // its bytes do not begin as a picture
  std::uint32_t firstBox = 0, boxCount = 0;  // rows of the segment's box columns
};

// An imported dataset: immutable columns mapped into memory. Opening maps and validates; nothing is copied.
// All methods may be called from any thread. A newer import does not disturb an index that is open.
class Index {
 public:
  static Result<std::shared_ptr<const Index>> open(const std::filesystem::path& folder);
  static bool looksLikeIndex(const std::filesystem::path& folder);
  ~Index();

  const std::filesystem::path& folder() const;
  std::size_t segmentCount() const;
  std::size_t imageCount() const;
  std::size_t boxCount() const;
  std::size_t frameCount() const;
  const Segment& segment(std::size_t i) const;
  ImageId firstImage(std::size_t segment) const;  // also defined for segmentCount(): imageCount()

  const std::vector<std::string>& classNames() const;  // by class number; Waymo's five come first
  std::optional<std::uint8_t> findClass(std::string_view name) const;
  const std::vector<Problem>& problems() const;  // of the imports that made it
  bool containsWaymoData() const;

  std::pair<std::uint32_t, std::uint32_t> locate(ImageId image) const;  // segment, row
  ImageInfo image(ImageId image) const;
  std::vector<Box> boxes(ImageId image) const;
  // Laser labels as the camera sees them; hasProjected() of its segment says whether they were looked for.
  std::vector<Box> projected(ImageId image) const;
  std::vector<Box> crowds(ImageId image) const;  // see Segment::crowdsOf
  std::string imageLabel(ImageId image) const;   // "segment/timestamp/CAMERA", or the file name of other data

  std::optional<std::uint32_t> findSegment(std::string_view name) const;
  std::optional<ImageId> find(std::string_view segment, std::int64_t timestamp, Camera camera) const;
  // The images of these labels. File names are looked through once for all of them.
  std::vector<std::optional<ImageId>> find(const std::vector<std::string_view>& labels) const;
  std::vector<ImageId> sameFrame(ImageId image) const;                // all cameras, itself included
  std::optional<ImageId> neighbour(ImageId image, int frames) const;  // same camera, so many frames on (or back)

  // The stored bytes (JPEG, PNG ...), unchanged. A source file that moved or changed since import is named in the
  // error.
  Result<std::string> imageBytes(ImageId image) const;
  // Sources that are gone or different, one line each. Looks at every source file: not for the GUI thread.
  std::vector<Problem> checkSources() const;
  // A file of its own that the image is; empty for images inside recordings.
  std::filesystem::path imageFile(ImageId image) const;
  // Every column against its CRC.
  Status verify() const;
  // Gives the memory of its columns back until somebody looks again; what is read then comes from the system's cache.
  void letGo() const;

 private:
  Index();
  Result<std::string> storedBytes(std::uint32_t segment, std::uint32_t row, ImageId image) const;
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace roadtune::data

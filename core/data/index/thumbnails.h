// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/index/index.h"

#include <memory>
#include <optional>
#include <string>

namespace roadtune::data {

enum class ThumbnailSize { Small, Large };  // about 1/8 and 1/4 of a 1920 px image: 240 and 480 px wide

// Append-only packs of small JPEGs, one per segment and size, beside the columns. Safe from any thread; several
// processes may read while one writes.
class Thumbnails {
 public:
  explicit Thumbnails(std::shared_ptr<const Index> index);
  ~Thumbnails();

  // The JPEG if it was made before.
  std::optional<std::string> find(ImageId image, ThumbnailSize size) const;
  // The JPEG, made from the image and kept when it is missing.
  Result<std::string> get(ImageId image, ThumbnailSize size);
  // Makes what is missing, `jobs` at a time. cancelled() when the sink says so; what is made stays.
  Status makeAll(ThumbnailSize size, int jobs, ProgressSink& progress);

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace roadtune::data

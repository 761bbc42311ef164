// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/data/index/index.h"

#include <set>
#include <vector>

namespace roadtune::data {

// The pictures that an index has where others put them, as far as they lie in the folders that an export writes to.
// They are nobody's to replace.
class SourcePictures {
 public:
  SourcePictures(const Index& index, const std::vector<fs::path>& folders);

  const std::set<fs::path>& files() const { return m_files; }
  // Would a file of that name take the place of the picture of another image?
  bool isOfAnother(const fs::path& file, ImageId image) const;
  // Is that the picture of the image itself?
  bool isOf(const fs::path& file, ImageId image) const;

 private:
  const Index& m_index;
  std::set<fs::path> m_files;
};

}  // namespace roadtune::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>

namespace roadtune::data {

// Gives every picture of an export a name of its own: whoever comes second for "1.jpg" gets "1-2.jpg", then "1-3.jpg".
class PictureNames {
 public:
  // `folder`: names in different folders may be equal. `byStem`: there is a label file beside each picture, named like
  // it but for the extension, so "1.png" is taken when "1.jpg" is.
  std::string take(const std::string& name, const std::string& folder, bool byStem);

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> m_taken;  // by hash: how many came for this name
};

}  // namespace roadtune::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

namespace roadtune::data {

// Gives every picture of an export a name of its own: whoever comes second for "1.jpg" gets "1-2.jpg", then "1-3.jpg".
class PictureNames {
 public:
  using Allowed = std::function<bool(const std::string&)>;

  // `folder`: names in different folders may be equal. `byStem`: there is a label file beside each picture, named like
  // it but for the extension, so "1.png" is taken when "1.jpg" is. `allowed`: whether this picture may be called so;
  // a name it may not have stays free for others. Empty: any name will do.
  std::string take(const std::string& name, const std::string& folder, bool byStem, const Allowed& allowed = {});

 private:
  struct Name {
    std::uint32_t last = 1;  // number that was tried for it last
    bool taken = false;
  };
  std::unordered_map<std::uint64_t, Name> m_names;  // by hash
};

}  // namespace roadtune::data

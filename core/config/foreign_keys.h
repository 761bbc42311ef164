// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::config {

// Keys of other trainers' files that Roadtune knows but has no use for, so that such a file works as pasted.
struct ForeignKey {
  std::string name;
  bool refused = false;  // would change the training: an error unless it is off, empty or null
  std::string why = {};
  std::string hint = {};
  bool usual = false;  // of refused ones, the other way round: on is what happens anyway, and off the error
};

const ForeignKey* findForeignKey(std::string_view name);

}  // namespace roadtune::config

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/problem.h"

namespace roadtune::data {

std::string Problem::line() const {
  std::string text = file;
  if (offset >= 0) text += ": offset " + std::to_string(offset);
  if (!segment.empty()) text += ": segment " + segment;
  text += ": " + what;
  if (!done.empty()) text += "; " + done;
  return text;
}

}  // namespace roadtune::data

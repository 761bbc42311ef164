// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>

#include <string>

namespace roadtune::cli {

// JSON as it goes out, on one line where nothing is indented. Paths may hold bytes that are no UTF-8: U+FFFD instead.
template <class Json>
std::string jsonText(const Json& value, int indent = 2) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace roadtune::cli

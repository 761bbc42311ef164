// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>

#include <string>

namespace roadtune {

// JSON as it goes out. Paths may hold bytes that are no UTF-8: U+FFFD instead, and nothing is thrown.
template <class Json>
std::string jsonText(const Json& value, int indent = 2) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}
template <class Json>
std::string jsonLine(const Json& value) {
  return jsonText(value, -1);
}

}  // namespace roadtune

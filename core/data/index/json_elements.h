// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace roadtune::data {

// Called with each element of an array; returns false to stop reading.
using ElementVisitor = std::function<bool(nlohmann::json& element)>;

// Streams a JSON document too large to hold: for each key of the top object that has a visitor, the elements of its
// array one by one; a document that is an array itself is visited under the key "". Everything else is skipped.
// Errors name the file and what is wrong (with the byte). A visitor's key that is no array is an error too. `met`
// counts the keys that were there, also before empty arrays.
Status forEachElement(const std::filesystem::path& file, const std::map<std::string, ElementVisitor>& visitors,
                      std::size_t* met = nullptr);

// Does the document start as an array?
bool isJsonArray(const std::filesystem::path& file);

}  // namespace roadtune::data

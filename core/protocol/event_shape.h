// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>

#include <cstddef>

namespace roadtune::protocol {

// Turns every non-finite number, at any depth, into the text that stands for it in event files.
void makeFinite(nlohmann::json& value);

// Cuts the longest texts and lists of an object until it fits, and marks it with "truncated": true. Plain numbers at
// the top stay as long as there is any room at all.
void shorten(nlohmann::json& body, std::size_t maxBytes);

}  // namespace roadtune::protocol

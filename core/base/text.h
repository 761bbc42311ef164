// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace roadtune {

std::string_view trim(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);  // keeps empty parts
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string lower(std::string_view text);
bool endsWith(std::string_view text, std::string_view suffix);
bool startsWith(std::string_view text, std::string_view prefix);

// Edits (insert, delete, replace, swap of neighbours) between two words.
std::size_t editDistance(std::string_view a, std::string_view b);

// The known word a typing user most likely meant; empty when nothing is close.
std::string nearestWord(std::string_view typed, const std::vector<std::string>& known);

bool isValidUtf8(std::string_view bytes);

// Well-formed UTF-8 whatever came in: broken bytes become U+FFFD.
std::string toValidUtf8(std::string_view bytes);

}  // namespace roadtune

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/yaml_node.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace roadtune::config {

constexpr int kDeepestPython = 20;

bool isWord(char c);  // of a name
bool isQuote(char c);
bool isOpening(char c);  // a bracket
bool isClosing(char c);

// Behind the string whose first quote stands at `at`.
std::size_t endOfString(std::string_view code, std::size_t at);

// Code that was copied from a page: its curly quotes and hard blanks as they were typed, outside of strings and
// comments.
std::string asTyped(std::string_view code);

// For a message: blanks are one, and what is long is cut.
std::string inOneLine(std::string_view text);

// A member of a dictionary that has to be worked out: its text is what is written there.
YamlNode openValue(std::string text);
bool isOpenValue(const YamlNode& node);
bool holdsOpenValue(const YamlNode& node);

}  // namespace roadtune::config

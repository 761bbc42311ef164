// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string_view>

namespace roadtune::text {

// Bytes of the character that starts at `at`; 1 for a byte that starts none, so that loops always advance.
std::size_t utf8Length(std::string_view text, std::size_t at);

// The character that starts at `at`; U+FFFD for a broken one.
char32_t utf8At(std::string_view text, std::size_t at);

bool isUtf8(std::string_view text);

// Unicode's White_Space, and what a regular expression calls a word character (close enough outside scripts that
// checkpoints use in added tokens: letters and digits of ASCII, and everything above U+00BF that is no punctuation).
bool isSpace(char32_t c);
bool isWord(char32_t c);

}  // namespace roadtune::text

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/query.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

// A piece of a query. Words keep the user's spelling; `lowered` is for comparing.
struct Token {
  enum class Kind { Word, Text, Compare, Open, Close, Comma, Colon, End };
  Kind kind = Kind::End;
  std::string text, lowered;
  std::size_t column = 0, length = 0;

  bool is(std::string_view word) const { return kind == Kind::Word && lowered == word; }
  // Equal for tokens that mean the same; its length keeps a text apart from what follows, whatever it holds.
  std::string key() const {
    return kind == Kind::Text ? " \"" + std::to_string(lowered.size()) + ":" + lowered : " " + lowered;
  }
};

// Words are runs of letters, digits and _ . / - + * % and bytes beyond ASCII; "..." and '...' are texts. The last token
// is End. Nothing, with the place in `error`, for a character that has no meaning.
std::optional<std::vector<Token>> tokenize(std::string_view text, QueryError& error);

}  // namespace roadtune::data

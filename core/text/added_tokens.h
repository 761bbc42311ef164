// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::text {

// A string that always becomes one id, whatever stands around it.
struct AddedToken {
  std::int64_t id = 0;
  std::string content;
  bool singleWord = false;  // only between word boundaries
  bool leftStrip = false;   // swallows blanks before it
  bool rightStrip = false;  // and behind it
  bool normalized = false;  // searched in the normalised text
  bool special = false;
};

// Finds added tokens in text: at each place the longest wins, and the leftmost place comes first.
class AddedTokenFinder {
 public:
  explicit AddedTokenFinder(const std::vector<AddedToken>& tokens);  // content as it is to be searched

  // Text pieces (id -1) and tokens in turn; pieces are never empty.
  struct Piece {
    std::string_view text;
    std::int64_t id = -1;
  };
  std::vector<Piece> split(std::string_view text) const;

 private:
  struct Node {
    std::array<std::int32_t, 256> next;
    std::int32_t token = -1;
    Node() { next.fill(-1); }
  };
  std::int32_t longestAt(std::string_view text, std::size_t at, std::size_t& length) const;

  std::vector<AddedToken> m_tokens;
  std::vector<Node> m_nodes;
};

}  // namespace roadtune::text

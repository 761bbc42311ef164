// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/added_tokens.h"

#include "core/text/utf8.h"

#include <algorithm>

namespace roadtune::text {
namespace {

std::size_t previousCharacter(std::string_view text, std::size_t end) {
  std::size_t at = end - 1;
  while (at > 0 && end - at < 4 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

bool wordBefore(std::string_view text, std::size_t end) {
  return end > 0 && isWord(utf8At(text, previousCharacter(text, end)));
}
bool wordBehind(std::string_view text, std::size_t at) { return at < text.size() && isWord(utf8At(text, at)); }

std::size_t stripLeft(std::string_view text, std::size_t start) {
  while (start > 0) {
    const std::size_t before = previousCharacter(text, start);
    if (!isSpace(utf8At(text, before))) break;
    start = before;
  }
  return start;
}

std::size_t stripRight(std::string_view text, std::size_t stop) {
  while (stop < text.size() && isSpace(utf8At(text, stop))) stop += utf8Length(text, stop);
  return stop;
}

}  // namespace

AddedTokenFinder::AddedTokenFinder(const std::vector<AddedToken>& tokens) : m_tokens(tokens), m_nodes(1) {
  for (std::size_t i = 0; i < m_tokens.size(); ++i) {
    if (m_tokens[i].content.empty()) continue;
    std::size_t node = 0;
    for (const char c : m_tokens[i].content) {
      const auto byte = static_cast<unsigned char>(c);
      if (m_nodes[node].next[byte] < 0) {
        m_nodes[node].next[byte] = static_cast<std::int32_t>(m_nodes.size());
        m_nodes.emplace_back();
      }
      node = static_cast<std::size_t>(m_nodes[node].next[byte]);
    }
    m_nodes[node].token = static_cast<std::int32_t>(i);
  }
}

std::int32_t AddedTokenFinder::longestAt(std::string_view text, std::size_t at, std::size_t& length) const {
  std::int32_t found = -1;
  std::int32_t node = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    node = m_nodes[static_cast<std::size_t>(node)].next[static_cast<unsigned char>(text[i])];
    if (node < 0) break;
    if (const std::int32_t token = m_nodes[static_cast<std::size_t>(node)].token; token >= 0) {
      found = token;
      length = i + 1 - at;
    }
  }
  return found;
}

std::vector<AddedTokenFinder::Piece> AddedTokenFinder::split(std::string_view text) const {
  std::vector<Piece> pieces;
  std::size_t taken = 0;  // everything before is in pieces
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 0;
    const std::int32_t found = longestAt(text, at, length);
    if (found < 0) {
      ++at;
      continue;
    }
    const AddedToken& token = m_tokens[static_cast<std::size_t>(found)];
    std::size_t start = at, stop = at + length;
    at = stop;
    if (token.singleWord && (wordBefore(text, start) || wordBehind(text, stop))) continue;
    if (token.leftStrip) start = std::max(stripLeft(text, start), taken);
    if (token.rightStrip) stop = stripRight(text, stop);
    if (start > taken) pieces.push_back({text.substr(taken, start - taken), -1});
    pieces.push_back({text.substr(start, stop - start), token.id});
    taken = stop;
    at = std::max(at, stop);
  }
  if (taken < text.size()) pieces.push_back({text.substr(taken), -1});
  return pieces;
}

}  // namespace roadtune::text

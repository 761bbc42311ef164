// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/code_words.h"

#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace roadtune::config {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isQuote(char c) { return c == '"' || c == '\''; }
bool isOpening(char c) { return c == '(' || c == '[' || c == '{'; }
bool isClosing(char c) { return c == ')' || c == ']' || c == '}'; }

std::size_t endOfString(std::string_view code, std::size_t at) {
  const char quote = code[at];
  const std::string three(3, quote);
  const bool triple = code.substr(at, 3) == three;
  std::size_t i = at + (triple ? 3 : 1);
  while (i < code.size()) {
    if (code[i] == '\\') {
      i += 2;
    } else if (triple ? code.substr(i, 3) == three : code[i] == quote) {
      return i + (triple ? 3 : 1);
    } else if (!triple && code[i] == '\n') {
      return i;
    } else {
      ++i;
    }
  }
  return code.size();
}

namespace {

struct Typeset {
  std::string_view bytes;
  char typed;
};

constexpr Typeset kTypeset[] = {
    {"\u201c", '"'},  {"\u201d", '"'},  {"\u201e", '"'},  {"\u2033", '"'}, {"\u2018", '\''},
    {"\u2019", '\''}, {"\u201a", '\''}, {"\u2032", '\''}, {"\u00a0", ' '}, {"\u202f", ' '},
};

const Typeset* typesetAt(std::string_view code, std::size_t at) {
  if (static_cast<unsigned char>(code[at]) < 0xC2) return nullptr;
  for (const Typeset& one : kTypeset)
    if (code.substr(at, one.bytes.size()) == one.bytes) return &one;
  return nullptr;
}

}  // namespace

std::string asTyped(std::string_view code) {
  std::string typed;
  typed.reserve(code.size());
  char curly = 0;  // the quote that a curly one has opened
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at + 1;
    if (const Typeset* one = typesetAt(code, at)) {
      typed += one->typed;
      if (one->typed != ' ' && (curly == 0 || curly == one->typed)) curly = curly == 0 ? one->typed : 0;
      at += one->bytes.size();
      continue;
    }
    if (code[at] == '\n' || code[at] == curly) {
      curly = 0;
    } else if (curly == 0 && isQuote(code[at])) {
      end = endOfString(code, at);
    } else if (curly == 0 && code[at] == '#') {
      end = std::min(code.find('\n', at), code.size());
    }
    typed += code.substr(at, end - at);
    at = end;
  }
  return typed;
}

std::string inOneLine(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string line;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)))
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  if (line.size() <= kLongest) return toValidUtf8(line);
  return toValidUtf8(line.substr(0, kLongest)) + "...";
}

YamlNode openValue(std::string text) {
  YamlNode node;
  node.text = std::move(text);
  node.quoted = true;
  return node;
}

bool isOpenValue(const YamlNode& node) { return node.kind == YamlNode::Kind::Null && node.quoted; }

bool holdsOpenValue(const YamlNode& node) {
  return isOpenValue(node) || std::any_of(node.items.begin(), node.items.end(), holdsOpenValue) ||
         std::any_of(node.entries.begin(), node.entries.end(),
                     [](const auto& entry) { return holdsOpenValue(entry.second); });
}

}  // namespace roadtune::config

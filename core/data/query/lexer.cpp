// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/lexer.h"

#include "core/base/text.h"

#include <cctype>

namespace roadtune::data {

namespace {

bool isWordCharacter(char c) {
  const auto u = static_cast<unsigned char>(c);
  return std::isalnum(u) || u >= 0x80 || std::string_view("_./-+*%").find(c) != std::string_view::npos;
}

Token make(Token::Kind kind, std::string text, std::size_t column, std::size_t length) {
  std::string lowered = lower(text);
  return {kind, std::move(text), std::move(lowered), column, length};
}

std::size_t compareLength(std::string_view rest) {
  for (const std::string_view op : {"<=", ">=", "!=", "==", "<>"})
    if (startsWith(rest, op)) return op.size();
  return rest[0] == '<' || rest[0] == '>' || rest[0] == '=' ? 1 : 0;
}

// What somebody meant who wrote a character that is none of the language.
const char* insteadOf(char c) {
  switch (c) {
    case '&': return "and";
    case '|': return "or";
    case '!': return "not";
    case '~': return "=";
    case '[':
    case '{': return "(";
    case ']':
    case '}': return ")";
    case ';': return ",";
    default: return "remove it";
  }
}

std::optional<Token> punctuation(char c, std::size_t at) {
  switch (c) {
    case '(': return make(Token::Kind::Open, "(", at, 1);
    case ')': return make(Token::Kind::Close, ")", at, 1);
    case ',': return make(Token::Kind::Comma, ",", at, 1);
    case ':': return make(Token::Kind::Colon, ":", at, 1);
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<std::vector<Token>> tokenize(std::string_view text, QueryError& error) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++at;
      continue;
    }
    if (auto token = punctuation(c, at)) {
      tokens.push_back(*std::move(token));
      ++at;
    } else if (const std::size_t length = compareLength(text.substr(at)); length > 0) {
      tokens.push_back(make(Token::Kind::Compare, std::string(text.substr(at, length)), at, length));
      at += length;
    } else if (c == '"' || c == '\'') {
      const std::size_t end = text.find(c, at + 1);
      if (end == std::string_view::npos) {
        error = {at, text.size() - at, "this text has no closing quote", std::string(1, c)};
        return std::nullopt;
      }
      tokens.push_back(make(Token::Kind::Text, std::string(text.substr(at + 1, end - at - 1)), at, end + 1 - at));
      at = end + 1;
    } else if (isWordCharacter(c)) {
      const std::size_t begin = at;
      while (at < text.size() && isWordCharacter(text[at])) ++at;
      tokens.push_back(make(Token::Kind::Word, std::string(text.substr(begin, at - begin)), begin, at - begin));
    } else {
      error = {at, 1, std::string("'") + c + "' has no meaning here", insteadOf(c)};
      return std::nullopt;
    }
  }
  tokens.push_back(make(Token::Kind::End, "", text.size(), 1));
  return tokens;
}

}  // namespace roadtune::data

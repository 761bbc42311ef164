// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/scalars.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace roadtune::config {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// 1_000 -> 1000; an underscore anywhere else than between digits spoils the word.
std::optional<std::string> withoutSeparators(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      plain += text[i];
    } else if (i == 0 || i + 1 == text.size() || !isDigit(text[i - 1]) || !isDigit(text[i + 1])) {
      return {};
    }
  }
  return plain;
}

template <std::size_t N>
bool oneOf(const std::string& word, const std::array<const char*, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array kTrue = {"true", "yes", "on", "y"};
constexpr std::array kFalse = {"false", "no", "off", "n"};
constexpr std::array kNonFinite = {"nan",   ".nan",  "inf",      "-inf",      "+inf",     ".inf",
                                   "-.inf", "+.inf", "infinity", "-infinity", "+infinity"};

}  // namespace

std::optional<bool> parseFlag(std::string_view text) {
  const std::string word = lower(trim(text));
  if (oneOf(word, kTrue) || word == "1") return true;
  if (oneOf(word, kFalse) || word == "0") return false;
  return {};
}

std::optional<double> parseNumber(std::string_view text) {
  auto plain = withoutSeparators(trim(text));
  if (!plain || plain->empty()) return {};
  std::string_view digits = *plain;
  if (digits.front() == '+') digits.remove_prefix(1);
  const bool signedTwice = plain->front() == '+' && !digits.empty() && digits.front() == '-';
  const std::size_t first = !digits.empty() && digits.front() == '-' ? 1 : 0;
  if (signedTwice || digits.size() <= first || !(isDigit(digits[first]) || digits[first] == '.')) return {};
  double value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<std::int64_t> parseInteger(std::string_view text) {
  auto plain = withoutSeparators(trim(text));
  if (!plain || plain->empty()) return {};
  std::string_view digits = *plain;
  if (digits.front() == '+') digits.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem == std::errc() && !digits.empty() && end == digits.data() + digits.size()) return value;
  const auto number = parseNumber(text);
  if (!number || *number != std::floor(*number) || std::abs(*number) > 9.0e15) return {};
  return static_cast<std::int64_t>(*number);
}

bool isNullWord(std::string_view text) {
  const std::string word = lower(trim(text));
  return word.empty() || word == "null" || word == "~";
}

bool isNonFiniteWord(std::string_view text) { return oneOf(lower(trim(text)), kNonFinite); }

bool looksLikeAnotherType(std::string_view text) {
  const std::string word = lower(text);
  if (oneOf(word, kTrue) || oneOf(word, kFalse) || isNullWord(word) || isNonFiniteWord(word)) return true;
  if (parseNumber(word)) return true;
  // Dates, times, hexadecimal and octal numbers: anything else that starts like a number.
  return isDigit(word.front()) && word.find_first_not_of("0123456789-:.tzx_abcdefo ") == std::string::npos;
}

Result<std::string> substituteEnvironment(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at, 3) == "$${") {
      result += "${";
      at += 3;
      continue;
    }
    const auto close = text.substr(at, 2) == "${" ? text.find('}', at) : std::string_view::npos;
    if (close == std::string_view::npos) {
      result += text[at++];
      continue;
    }
    const std::string_view inside = text.substr(at + 2, close - at - 2);
    const auto fallback = inside.find(":-");
    const std::string name(inside.substr(0, fallback));
    const char* value = std::getenv(name.c_str());
    if (value && (*value != 0 || fallback == std::string_view::npos)) {
      result += value;
    } else if (fallback != std::string_view::npos) {
      result += inside.substr(fallback + 2);
    } else {
      return badInput("environment variable " + name + " is not set", {},
                      "export " + name + "=..., or write ${" + name + ":-default}");
    }
    at = close + 1;
  }
  return result;
}

std::string expandHome(std::string_view path) {
  const char* home = std::getenv("HOME");
  if (!home || path.empty() || path.front() != '~' || (path.size() > 1 && path[1] != '/')) return std::string(path);
  return home + std::string(path.substr(1));
}

}  // namespace roadtune::config

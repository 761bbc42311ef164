// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/values.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace roadtune::data {

namespace {

bool wildcardMatches(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool shortFormMatches(ImageField field, const std::string& word, const std::string& wanted) {
  if (field == ImageField::Split)
    return (wanted == "train" && word == "training") ||
           ((wanted == "val" || wanted == "valid") && word == "validation") || (wanted == "test" && word == "testing");
  if (field == ImageField::Location) return word == "location_" + wanted;
  if (field == ImageField::Time)
    for (const std::string& part : split(word, '/'))
      if (part == wanted) return true;
  return false;
}

}  // namespace

bool wordMatches(ImageField field, std::string_view word, const std::string& wanted) {
  const std::string lowered = lower(word);
  if (lowered == wanted || (lowered.empty() && wanted == "unknown")) return true;
  if (wanted.find('*') != std::string::npos) return wildcardMatches(lowered, wanted);
  return shortFormMatches(field, lowered, wanted);
}

bool compareNumbers(double a, Compare compare, double b, double tolerance) {
  switch (compare) {
    case Compare::Equal:
    case Compare::In: return std::abs(a - b) <= tolerance;
    case Compare::NotEqual: return std::abs(a - b) > tolerance;
    case Compare::Less: return a < b - tolerance;
    case Compare::LessEqual: return a <= b + tolerance;
    case Compare::Greater: return a > b + tolerance;
    case Compare::GreaterEqual: return a >= b - tolerance;
  }
  return false;
}

bool numberMatches(double number, Compare compare, const std::vector<Operand>& values, double tolerance) {
  return std::any_of(values.begin(), values.end(), [&](const Operand& value) {
    return value.number && compareNumbers(number, compare, *value.number, tolerance);
  });
}

std::optional<bool> parseTruth(const std::string& word) {
  if (word == "true" || word == "yes" || word == "1") return true;
  if (word == "false" || word == "no" || word == "0") return false;
  return std::nullopt;
}

bool truthMatches(bool truth, Compare compare, const std::vector<Operand>& values) {
  const bool found =
      std::any_of(values.begin(), values.end(), [&](const Operand& value) { return parseTruth(value.text) == truth; });
  return found != (compare == Compare::NotEqual);
}

}  // namespace roadtune::data

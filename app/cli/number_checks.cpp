// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/number_checks.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

namespace roadtune::cli {

namespace {

// Nothing when the text is not a number to its end, or one that does not fit.
template <class Number>
std::optional<Number> numberIn(const std::string& typed) {
  Number number{};
  const char* const last = typed.data() + typed.size();
  const auto [end, code] = std::from_chars(typed.data(), last, number);
  return code == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

}  // namespace

CLI::Validator wholeNumber() {
  const auto check = [](const std::string& typed) {
    return numberIn<std::int64_t>(typed) ? std::string() : fmt::format("must be a whole number, not '{}'", typed);
  };
  return {check, "", "whole number"};
}

CLI::Validator wholeNumberFrom(int least, std::int64_t most) {
  const auto check = [least, most](const std::string& typed) {
    const auto number = numberIn<std::int64_t>(typed);
    if (number && *number >= least && *number <= most) return std::string();
    const bool large =
        !typed.empty() && typed.find_first_not_of("0123456789") == std::string::npos && (!number || *number > most);
    return large ? fmt::format("must be a whole number of at most {}, not '{}'", most, typed)
                 : fmt::format("must be a whole number of at least {}, not '{}'", least, typed);
  };
  return {check, "", "whole number"};
}

CLI::Validator finiteNumber() {
  const auto check = [](const std::string& typed) {
    const auto number = numberIn<double>(typed);
    return number && std::isfinite(*number) ? std::string() : fmt::format("must be a number, not '{}'", typed);
  };
  return {check, "", "number"};
}

CLI::Validator notNegative() {
  const auto check = [](const std::string& typed) {
    const auto number = numberIn<double>(typed);
    return number && *number >= 0 ? std::string() : fmt::format("must be a number of at least 0, not '{}'", typed);
  };
  return {check, "", "number"};
}

CLI::Validator positiveNumber() {
  const auto check = [](const std::string& typed) {
    const auto number = numberIn<double>(typed);
    return number && *number > 0 && std::isfinite(*number) ? std::string()
                                                           : fmt::format("must be a number above 0, not '{}'", typed);
  };
  return {check, "", "number"};
}

}  // namespace roadtune::cli

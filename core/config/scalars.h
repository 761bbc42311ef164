// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roadtune::config {

// Single words of YAML as people write them. Quotes do not matter: "1e-5" is a number where a number is expected.

std::optional<bool> parseFlag(std::string_view text);  // true yes on y 1 ..., any case

// 1e-5, 2.0e-5, .5, 1_000, +3. No infinities, no NaN, no trailing words.
std::optional<double> parseNumber(std::string_view text);

// Also 1_000 and 1e3; not 2.5.
std::optional<std::int64_t> parseInteger(std::string_view text);

bool isNullWord(std::string_view text);       // null ~ and nothing at all
bool isNonFiniteWord(std::string_view text);  // nan .inf -inf Infinity

// Would a YAML reader take the bare word for a number, a flag, null or a date?
bool looksLikeAnotherType(std::string_view text);

// Replaces ${NAME} and ${NAME:-default}; $${ stands for ${. badInput when NAME is not in the environment.
Result<std::string> substituteEnvironment(std::string_view text);

// "~/x" -> the home folder.
std::string expandHome(std::string_view path);

}  // namespace roadtune::config

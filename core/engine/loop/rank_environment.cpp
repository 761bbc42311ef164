// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/rank_environment.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace roadtune::engine {
namespace {

Status readNumber(const Lookup& lookup, const char* name, int lowest, int& into) {
  const char* text = lookup(name);
  if (!text || !*text) return {};
  const std::string_view view(text);
  int value = 0;
  const auto [end, code] = std::from_chars(view.data(), view.data() + view.size(), value);
  if (code != std::errc{} || end != view.data() + view.size() || value < lowest)
    return badInput(std::string(name) + "=" + text + " is not a number from " + std::to_string(lowest) + " up",
                    "environment");
  into = value;
  return {};
}

}  // namespace

Result<RankEnvironment> rankEnvironment(const Lookup& given) {
  const Lookup lookup = given ? given : [](const char* name) -> const char* { return std::getenv(name); };
  RankEnvironment result;
  ROADTUNE_CHECK(readNumber(lookup, "RANK", 0, result.rank));
  ROADTUNE_CHECK(readNumber(lookup, "WORLD_SIZE", 1, result.worldSize));
  ROADTUNE_CHECK(readNumber(lookup, "LOCAL_RANK", 0, result.localRank));
  result.localWorldSize = result.worldSize;
  ROADTUNE_CHECK(readNumber(lookup, "LOCAL_WORLD_SIZE", 1, result.localWorldSize));
  ROADTUNE_CHECK(readNumber(lookup, "GROUP_RANK", 0, result.node));
  ROADTUNE_CHECK(readNumber(lookup, "NODE_RANK", 0, result.node));
  ROADTUNE_CHECK(readNumber(lookup, "MASTER_PORT", 1, result.masterPort));
  if (const char* address = lookup("MASTER_ADDR"); address && *address) result.masterAddress = address;
  if (result.rank >= result.worldSize)
    return badInput(
        "RANK=" + std::to_string(result.rank) + " is not below WORLD_SIZE=" + std::to_string(result.worldSize),
        "environment");
  return result;
}

}  // namespace roadtune::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/quality/length_doubts.h"

#include "core/base/units.h"
#include "core/config/problem_at.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::data {

namespace {

std::string countOf(std::size_t samples) { return formatCount(static_cast<std::int64_t>(samples)); }

std::string longOnes(const std::string& rule, const std::string& some, const std::string& looked, int longest) {
  if (rule == "skip")
    return fmt::format("{} of {} samples are longer and are left out; the longest takes {} tokens", some, looked,
                       longest);
  if (rule == "stop")
    return fmt::format("{} of {} samples are longer, and the first of them stops the run; the longest takes {} tokens",
                       some, looked, longest);
  return fmt::format("{} of {} samples are longer and lose the end of their answer; the longest takes {} tokens", some,
                     looked, longest);
}

}  // namespace

std::vector<config::Problem> lengthDoubts(const config::RunConfig& config, const TextLength& texts, int imageTokens) {
  if (!config.has("max_length") || texts.each.empty()) return {};
  const auto limit = static_cast<int>(config.integer("max_length"));
  std::size_t hopeless = 0, tooLong = 0;
  int longest = 0, shortestHopeless = 0;
  for (const auto& [prompt, answer] : texts.each) {
    const int whole = imageTokens + prompt + answer;
    const int least = imageTokens + prompt + std::min(answer, 2);  // something to learn, and the end
    longest = std::max(longest, whole);
    if (least > limit) {
      ++hopeless;
      shortestHopeless = shortestHopeless == 0 ? least : std::min(shortestHopeless, least);
    } else if (whole > limit) {
      ++tooLong;
    }
  }
  const std::string rule = config.text("on_long_sample");
  const std::string looked = countOf(texts.looked), enough = fmt::format("max_length: {}", longest);
  std::vector<config::Problem> problems;
  if (hopeless == texts.looked)
    return {config::problemAt(
        config, "max_length",
        badInput(fmt::format("no sample fits: the shortest prompt needs {} tokens with the picture's {} "
                             "and something to learn",
                             shortestHopeless, imageTokens),
                 "", enough),
        config::Severity::Error)};
  if (hopeless > 0)
    problems.push_back(
        config::problemAt(config, "max_length",
                          badInput(fmt::format("the prompt alone is longer in {} of {} samples, which cannot be used",
                                               countOf(hopeless), looked),
                                   "", enough),
                          config::Severity::Warning));
  if (tooLong > 0)
    problems.push_back(config::problemAt(config, "max_length",
                                         badInput(longOnes(rule, countOf(tooLong), looked, longest), "", enough),
                                         config::Severity::Warning));
  return problems;
}

}  // namespace roadtune::data

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/longest_samples.h"

#include "core/base/clock.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace roadtune::engine {
namespace {

using Length = std::pair<std::int64_t, std::int64_t>;  // tokens, index

// A stride without a common divisor: so many steps visit every place once, spread evenly from the beginning on.
std::int64_t spreadingStride(std::int64_t places) {
  constexpr double kGoldenSection = 0.6180339887;
  auto stride = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(places) * kGoldenSection));
  while (std::gcd(stride, places) != 1) ++stride;
  return stride;
}

bool longerThan(const Length& a, const Length& b) {
  return a.first != b.first ? a.first > b.first : a.second < b.second;
}

void keepLongest(std::vector<Length>& lengths, std::int64_t count) {
  const auto kept = std::min(static_cast<std::size_t>(count), lengths.size());
  std::partial_sort(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(kept), lengths.end(), longerThan);
  lengths.resize(kept);
}

// What every rank has found, on all of them: each fills its own places, and the highest of each place is what was
// filled in.
std::vector<Length> together(const std::vector<Length>& own, std::int64_t count, Communicator& ranks) {
  const auto places = static_cast<std::size_t>(count) * 2;
  std::vector<double> table(places * static_cast<std::size_t>(ranks.size()), -1);
  const auto begin = places * static_cast<std::size_t>(ranks.rank());
  for (std::size_t i = 0; i < own.size(); ++i) {
    table[begin + 2 * i] = static_cast<double>(own[i].first);
    table[begin + 2 * i + 1] = static_cast<double>(own[i].second);
  }
  table = ranks.highest(table);
  std::vector<Length> all;
  for (std::size_t i = 0; i < table.size(); i += 2)
    if (table[i] >= 0) all.emplace_back(static_cast<std::int64_t>(table[i]), static_cast<std::int64_t>(table[i + 1]));
  return all;
}

}  // namespace

Result<LongestSamples> findLongest(const data::SampleSource& source, std::int64_t samples, std::int64_t count,
                                   const SampleEncoder& encoder, Communicator& ranks, double seconds, bool stops) {
  LongestSamples found;
  const double deadline = monotonicSeconds() + seconds;
  const auto stride = spreadingStride(std::max<std::int64_t>(samples, 1));
  std::vector<Length> lengths;
  for (std::int64_t turn = ranks.rank(); turn < samples && monotonicSeconds() < deadline; turn += ranks.size()) {
    const auto index = static_cast<std::int64_t>((static_cast<__int128>(turn) * stride) % samples);
    ++found.looked;
    const auto sample = source.text(static_cast<std::size_t>(index));
    if (!sample.ok() && !found.bad) found.bad = sample.error();
    if (!sample.ok()) continue;
    const auto tokens = encoder.tokensOf(sample.value());
    if (!tokens.ok() && !found.bad) found.bad = tokens.error();
    if (!tokens.ok() && isTooLong(tokens.error())) {
      if (stops) return tokens.error();
      ++found.tooLong;
    }
    if (!tokens.ok()) continue;
    lengths.emplace_back(static_cast<std::int64_t>(tokens.value()), index);
    if (lengths.size() >= static_cast<std::size_t>(count) * 8 + 1024) keepLongest(lengths, count);
  }
  keepLongest(lengths, count);
  lengths = together(lengths, count, ranks);
  keepLongest(lengths, count);
  const auto sums = ranks.sum({static_cast<double>(found.looked), static_cast<double>(found.tooLong)});
  found.looked = static_cast<std::int64_t>(sums[0]);
  found.tooLong = static_cast<std::int64_t>(sums[1]);
  if (!lengths.empty()) found.tokens = lengths.front().first;
  for (const auto& [tokens, index] : lengths) found.indices.push_back(index);
  return found;
}

}  // namespace roadtune::engine

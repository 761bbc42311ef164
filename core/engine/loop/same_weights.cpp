// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/same_weights.h"

#include "core/base/hash.h"
#include "core/base/host_name.h"
#include "core/base/text.h"
#include "core/model/weight_files.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>

namespace roadtune::engine {
namespace {

// Of all bytes; pieces are read side by side, so their numbers take part instead of their order.
std::uint64_t mixOf(const std::vector<model::TensorView>& tensors) {
  constexpr std::size_t kPiece = 64 << 20;
  std::vector<std::string_view> pieces;
  for (const auto& tensor : tensors) {
    const std::string_view all(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
    for (std::size_t at = 0; at < all.size(); at += kPiece) pieces.push_back(all.substr(at, kPiece));
  }
  std::atomic<std::uint64_t> mix{0};
  at::parallel_for(0, static_cast<std::int64_t>(pieces.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = begin; i < end; ++i)
      mix ^= hash64(pieces[static_cast<std::size_t>(i)], static_cast<std::uint64_t>(i));
  });
  return mix;
}

Result<std::uint64_t> mixOf(const std::filesystem::path& place) {
  if (std::filesystem::is_regular_file(place)) {
    ROADTUNE_TRY(const auto file, model::SafetensorsFile::open(place));
    return mixOf(file->tensors());
  }
  ROADTUNE_TRY(const auto files, model::WeightFiles::open(place));
  return mixOf(files.tensors());
}

// What one machine has, as numbers that add up exactly.
struct Told {
  double asked = 0, high = 0, low = 0;
};

}  // namespace

Status checkSameWeights(const Session& session, const std::filesystem::path& place) {
  const auto& environment = session.environment;
  if (environment.worldSize == environment.localWorldSize) return {};
  std::vector<double> all(3 * static_cast<std::size_t>(environment.worldSize));
  const auto of = [&all](int rank) {
    const auto at = all.begin() + 3 * rank;
    return Told{at[0], at[1], at[2]};
  };
  if (environment.localRank == 0) {
    ROADTUNE_TRY(const auto mix, mixOf(place));
    const auto at = all.begin() + 3 * environment.rank;
    at[0] = 1;
    at[1] = static_cast<double>(mix >> 32);
    at[2] = static_cast<double>(mix & 0xffffffffu);
  }
  all = session.ranks->sum(all);
  std::vector<std::string> others;
  const Told first = of(0);
  for (int rank = 1; rank < environment.worldSize; ++rank)
    if (const Told one = of(rank); one.asked > 0 && (one.high != first.high || one.low != first.low))
      others.push_back(std::to_string(rank));
  if (others.empty()) return {};
  return badInput(fmt::format("the weights are not the same on all machines: those of rank {} differ from rank 0's",
                              join(others, ", ")),
                  place.string() + " on " + hostName(),
                  "compare the SHA-256 of the weight files, or copy the folder anew to these machines");
}

}  // namespace roadtune::engine

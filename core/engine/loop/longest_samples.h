// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/source/sample_source.h"
#include "core/engine/dist/communicator.h"
#include "core/engine/loader/encoded_sample.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace roadtune::engine {

// The samples with the most tokens, longest first.
struct LongestSamples {
  std::vector<std::int64_t> indices;
  std::int64_t tokens = 0;        // of the first
  std::int64_t looked = 0;        // at so many, spread over all of them; pictures are not read
  std::int64_t tooLong = 0;       // of those, left out because on_long_sample says so
  std::optional<Error> bad = {};  // why the first sample that this rank had to pass over cannot be used
};

// Looks at the first `samples` of the source for at most `seconds`, shared out among the ranks, and gives all of them
// the same `count` (or fewer, when there are not as many). Samples that cannot be read are passed over; one that is too
// long is an error where it `stops` a run.
Result<LongestSamples> findLongest(const data::SampleSource& source, std::int64_t samples, std::int64_t count,
                                   const SampleEncoder& encoder, Communicator& ranks, double seconds, bool stops);

}  // namespace roadtune::engine

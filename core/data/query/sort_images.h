// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/evaluator.h"

#include <vector>

namespace roadtune::data {

// Brings the images (in index order) into the order asked for; equal ones stay in index order, images without a value
// (no box meets the condition) come last either way. Only the first `limit` are exact in place, the rest is cut.
Status sortImages(std::vector<ImageId>& images, const SortOrder& order, std::size_t limit, Evaluator& evaluator,
                  const CancelToken& cancel);

}  // namespace roadtune::data

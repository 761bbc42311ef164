// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/evaluator.h"

#include <vector>

namespace roadtune::data {

// The images whose bits are on, in the order asked for; equal ones stay in index order, images without a value (no box
// meets the condition) come last either way. The rest behind `limit` is cut. Large results are picked from an order of
// all images that the evaluator keeps; small ones are sorted for themselves.
Result<std::vector<ImageId>> sortImages(const Bitmap& bits, const SortOrder& order, std::size_t limit,
                                        Evaluator& evaluator, const CancelToken& cancel);

// The same, always by sorting. `subset` holds the images of `bits` in index order; nullptr: they are all there are.
Result<std::vector<ImageId>> sortSubset(const std::vector<ImageId>* subset, const Bitmap& bits, const SortOrder& order,
                                        std::size_t limit, Evaluator& evaluator, const CancelToken& cancel);

}  // namespace roadtune::data

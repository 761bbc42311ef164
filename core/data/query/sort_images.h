// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/evaluator.h"

#include <vector>

namespace roadtune::data {

// Brings the images (in index order) into the order asked for; equal ones stay in index order, images without a value
// (no box meets the condition) come last either way. The rest behind `limit` is cut. Large results are picked from an
// order of all images that the evaluator keeps; small ones are sorted for themselves.
Status sortImages(std::vector<ImageId>& images, const Bitmap& bits, const SortOrder& order, std::size_t limit,
                  Evaluator& evaluator, const CancelToken& cancel);

// The same, always by sorting. `bits` are the images.
Status sortBySubset(std::vector<ImageId>& images, const Bitmap& bits, const SortOrder& order, std::size_t limit,
                    Evaluator& evaluator, const CancelToken& cancel);

}  // namespace roadtune::data

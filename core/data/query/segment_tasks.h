// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/query/query.h"

#include <functional>

namespace roadtune::data {

// Calls `work` for 0 .. count-1 on all processors, in pieces. cancelled() when the token says so.
Status forEachOf(std::size_t count, const CancelToken& cancel, const std::function<void(std::size_t)>& work);

// Calls work(begin, end, part) for equal parts of 0 .. count-1, each on a processor of its own. Few items are one part.
std::size_t partsOf(std::size_t count);
void forEachPart(std::size_t count, const std::function<void(std::size_t, std::size_t, std::size_t)>& work);

}  // namespace roadtune::data

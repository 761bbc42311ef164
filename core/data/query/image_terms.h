// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/segment.h"
#include "core/data/query/bitmap.h"
#include "core/data/query/query_plan.h"

#include <cstdint>
#include <span>

namespace roadtune::data {

// What a term says about the images of one segment, from the bits of its boxes (box_bits.h); without bits, from all
// of its boxes.

// Any, All, None and comparisons with a number: 1 or 0 per image.
void termHits(const QueryNode& node, const Segment& segment, const std::uint64_t* bits, std::span<std::uint8_t> hits);

// The values themselves, of the `wanted` images; not a number where no box meets the condition (Min, Max, Mean). The
// segment begins at the image `first`: values[first] is that of its first row.
void termValues(const BoxTerm& term, const Segment& segment, const std::uint64_t* bits, const Bitmap& wanted,
                std::size_t first, double* values);

}  // namespace roadtune::data

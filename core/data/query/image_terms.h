// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/segment.h"
#include "core/data/query/query_plan.h"

#include <cstdint>
#include <span>

namespace roadtune::data {

// What a term says about the images of one segment, from the bits of its boxes (box_bits.h); without bits, from all
// of its boxes.

// Any, All, None and comparisons with a number: 1 or 0 per image.
void termHits(const QueryNode& node, const Segment& segment, const std::uint64_t* bits, std::span<std::uint8_t> hits);

// The value itself; not a number where no box meets the condition (Min, Max, Mean).
void termValues(const BoxTerm& term, const Segment& segment, const std::uint64_t* bits, std::span<double> values);
double termValue(const BoxTerm& term, const Segment& segment, const std::uint64_t* bits, std::size_t row);

}  // namespace roadtune::data

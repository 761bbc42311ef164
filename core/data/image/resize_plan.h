// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace roadtune::data {

inline constexpr int kResizeBits = 22;  // fraction bits of a weight

// For every output position along one axis: the first source position, how many follow, and their weights in fixed
// point. Weights of one position start at position * taps; those after `count` are 0.
struct ResizePlan {
  int taps = 0;
  std::vector<int> first, count;
  std::vector<std::int32_t> weights;
};

ResizePlan makeResizePlan(int from, int to);

// One pass over rows of `from` pixels into rows of plan.first.size() pixels, or over columns.
struct ResizeRows {
  const std::uint8_t* in;
  std::size_t inStride;
  std::uint8_t* out;
  std::size_t outStride;
  int rows;   // of the output
  int width;  // of a row of the input, in pixels
};

void resizeAcrossScalar(const ResizePlan& plan, const ResizeRows& rows);
void resizeDownScalar(const ResizePlan& plan, const ResizeRows& rows);
bool hasAvx2();
void resizeAcrossAvx2(const ResizePlan& plan, const ResizeRows& rows);
void resizeDownAvx2(const ResizePlan& plan, const ResizeRows& rows);

inline std::uint8_t clipWeighted(std::int32_t sum) {
  const std::int32_t value = sum >> kResizeBits;
  return static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}

}  // namespace roadtune::data

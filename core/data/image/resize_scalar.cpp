// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/resize_plan.h"

namespace roadtune::data {

void resizeAcrossScalar(const ResizePlan& plan, const ResizeRows& rows) {
  for (int y = 0; y < rows.rows; ++y) {
    const std::uint8_t* in = rows.in + rows.inStride * static_cast<std::size_t>(y);
    std::uint8_t* out = rows.out + rows.outStride * static_cast<std::size_t>(y);
    for (std::size_t i = 0; i < plan.first.size(); ++i) {
      const std::uint8_t* p = in + 3 * plan.first[i];
      const std::int32_t* weights = &plan.weights[i * static_cast<std::size_t>(plan.taps)];
      std::int32_t r = 1 << (kResizeBits - 1), g = r, b = r;
      for (int x = 0; x < plan.count[i]; ++x, p += 3) {
        r += p[0] * weights[x];
        g += p[1] * weights[x];
        b += p[2] * weights[x];
      }
      out[3 * i] = clipWeighted(r);
      out[3 * i + 1] = clipWeighted(g);
      out[3 * i + 2] = clipWeighted(b);
    }
  }
}

void resizeDownScalar(const ResizePlan& plan, const ResizeRows& rows) {
  const std::size_t bytes = 3 * static_cast<std::size_t>(rows.width);
  for (int y = 0; y < rows.rows; ++y) {
    const auto at = static_cast<std::size_t>(y);
    const std::uint8_t* in = rows.in + rows.inStride * static_cast<std::size_t>(plan.first[at]);
    const std::int32_t* weights = &plan.weights[at * static_cast<std::size_t>(plan.taps)];
    std::uint8_t* out = rows.out + rows.outStride * at;
    for (std::size_t x = 0; x < bytes; ++x) {
      std::int32_t sum = 1 << (kResizeBits - 1);
      for (int t = 0; t < plan.count[at]; ++t) sum += in[rows.inStride * static_cast<std::size_t>(t) + x] * weights[t];
      out[x] = clipWeighted(sum);
    }
  }
}

}  // namespace roadtune::data

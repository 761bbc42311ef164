// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/resize.h"

#include "core/data/image/resize_plan.h"

#include <fmt/format.h>

namespace roadtune::data {

namespace {

constexpr int kLongestSide = 65500;

Image across(const Image& image, int width, int firstRow, int rows, bool fast) {
  const ResizePlan plan = makeResizePlan(image.width, width);
  Image out(width, rows);
  const ResizeRows pass{image.row(firstRow), image.rowBytes(), out.pixels.data(), out.rowBytes(), rows, image.width};
  fast ? resizeAcrossAvx2(plan, pass) : resizeAcrossScalar(plan, pass);
  return out;
}

Image down(const Image& image, const ResizePlan& plan, int height, bool fast) {
  Image out(image.width, height);
  const ResizeRows pass{image.pixels.data(), image.rowBytes(), out.pixels.data(), out.rowBytes(), height, image.width};
  fast ? resizeDownAvx2(plan, pass) : resizeDownScalar(plan, pass);
  return out;
}

}  // namespace

Result<Image> resizeBicubic(const Image& image, int width, int height, ResizeKernel kernel) {
  if (image.empty()) return badInput("a picture without pixels cannot be resized");
  if (width < 1 || height < 1 || width > kLongestSide || height > kLongestSide)
    return badInput(fmt::format("a picture cannot be resized to {} x {}", width, height));
  if (kernel == ResizeKernel::Avx2 && !hasAvx2()) return missing("this processor has no AVX2");
  const bool fast = kernel == ResizeKernel::Avx2 || (kernel == ResizeKernel::Auto && hasAvx2());
  if (height == image.height) return width == image.width ? image : across(image, width, 0, image.height, fast);
  ResizePlan plan = makeResizePlan(image.height, height);
  if (width == image.width) return down(image, plan, height, fast);
  // Only the rows that the second pass reads are made by the first.
  const int firstRow = plan.first.front(), lastRow = plan.first.back() + plan.count.back();
  const Image middle = across(image, width, firstRow, lastRow - firstRow, fast);
  for (int& first : plan.first) first -= firstRow;
  return down(middle, plan, height, fast);
}

}  // namespace roadtune::data

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/decode.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

namespace roadtune::data {

Image shrinkToFit(const Image& image, int width, int height) {
  const double factor =
      std::min({1.0, static_cast<double>(width) / image.width, static_cast<double>(height) / image.height});
  if (factor >= 1.0 || image.empty()) return image;
  Image result(std::max(1, static_cast<int>(std::lround(image.width * factor))),
               std::max(1, static_cast<int>(std::lround(image.height * factor))));
  const cv::Mat from(image.height, image.width, CV_8UC3, const_cast<std::uint8_t*>(image.pixels.data()));
  cv::Mat to(result.height, result.width, CV_8UC3, result.pixels.data());
  cv::resize(from, to, to.size(), 0, 0, cv::INTER_AREA);
  return result;
}

}  // namespace roadtune::data

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/perceptual_hash.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>

namespace roadtune::data {

std::uint64_t perceptualHash(const Image& image) {
  if (image.empty()) return 0;
  constexpr int kSide = 32, kLow = 8;
  const cv::Mat from(image.height, image.width, CV_8UC3, const_cast<std::uint8_t*>(image.pixels.data()));
  cv::Mat small, gray, numbers, waves;
  cv::resize(from, small, cv::Size(kSide, kSide), 0, 0, cv::INTER_AREA);
  cv::cvtColor(small, gray, cv::COLOR_RGB2GRAY);
  gray.convertTo(numbers, CV_32F);
  cv::dct(numbers, waves);
  std::array<float, kLow * kLow> low{};
  for (int y = 0; y < kLow; ++y)
    for (int x = 0; x < kLow; ++x) low[static_cast<std::size_t>(kLow * y + x)] = waves.at<float>(y, x);
  auto sorted = low;  // the constant term says brightness only, so the median is taken over the rest
  std::nth_element(sorted.begin() + 1, sorted.begin() + 32, sorted.end());
  std::uint64_t hash = 0;
  for (std::size_t i = 1; i < low.size(); ++i) hash |= static_cast<std::uint64_t>(low[i] > sorted[32]) << i;
  return hash;
}

}  // namespace roadtune::data

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/augment.h"

#include "core/base/random.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

namespace roadtune::data {
namespace {

constexpr int kGray = 127;
constexpr float kLuma[3] = {0.299f, 0.587f, 0.114f};

constexpr double kWidestWindow = 4;  // of a picture's side: a picture farther away is a speck in gray

// A window of about `share` of the side, anywhere the picture and the window overlap as far as they can.
void drawWindow(Random& random, double share, int side, int& begin, int& length) {
  length = std::max(1, static_cast<int>(std::lround(side * std::min(share, kWidestWindow))));
  const int slack = side - length;
  const auto offset = static_cast<int>(random.below(static_cast<std::uint64_t>(std::abs(slack)) + 1));
  begin = slack >= 0 ? offset : -offset;
}

cv::Mat viewOf(const Image& image) {
  return {image.height, image.width, CV_8UC3, const_cast<std::uint8_t*>(image.pixels.data())};
}

Image window(const Image& image, const Augmentation& a) {
  Image result(a.width, a.height);
  cv::Mat to = viewOf(result);
  to.setTo(cv::Scalar::all(kGray));
  const cv::Rect wanted(a.left, a.top, a.width, a.height);
  const cv::Rect seen = wanted & cv::Rect(0, 0, image.width, image.height);
  if (!seen.empty()) viewOf(image)(seen).copyTo(to(seen - wanted.tl()));
  return result;
}

// Brightness, then contrast around the mean, then saturation around gray: one affine map of a colour.
void recolour(Image& image, const Augmentation& a) {
  if (a.brightness == 1 && a.contrast == 1 && a.saturation == 1) return;
  cv::Mat pixels = viewOf(image);
  const cv::Scalar means = cv::mean(pixels);
  const double mean = a.brightness * (kLuma[0] * means[0] + kLuma[1] * means[1] + kLuma[2] * means[2]);
  cv::Matx34f map;
  for (int to = 0; to < 3; ++to) {
    for (int from = 0; from < 3; ++from)
      map(to, from) = static_cast<float>(((to == from ? a.saturation : 0.0) + (1 - a.saturation) * kLuma[from]) *
                                         a.contrast * a.brightness);
    map(to, 3) = static_cast<float>((1 - a.contrast) * mean);
  }
  cv::transform(pixels, pixels, map);
}

}  // namespace

Augmentation drawAugmentation(const AugmentSpec& spec, int width, int height, std::uint64_t seed) {
  Random random(seed);
  Augmentation a;
  a.mirrored = random.uniform() < spec.flip;
  const double zoom = random.uniform(1 - spec.scale, 1 + spec.scale);
  const double across = random.uniform(0, spec.crop), down = random.uniform(0, spec.crop);
  drawWindow(random, (1 - across) / zoom, width, a.left, a.width);
  drawWindow(random, (1 - down) / zoom, height, a.top, a.height);
  for (double* factor : {&a.brightness, &a.contrast, &a.saturation})
    *factor = random.uniform(1 - spec.color, 1 + spec.color);
  return a;
}

Image applyAugmentation(const Image& image, const Augmentation& a) {
  Image result = window(image, a);
  if (a.mirrored) {
    cv::Mat pixels = viewOf(result);
    cv::flip(pixels, pixels, 1);
  }
  recolour(result, a);
  return result;
}

}  // namespace roadtune::data

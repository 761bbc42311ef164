// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/noise.h"

#include "core/base/hash.h"

#include <vector>

namespace roadtune::data::synth {

namespace {

constexpr int kSide = 256;

const std::vector<float>& noiseTable() {
  static const auto table = [] {
    std::vector<float> values(kSide * kSide);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(mix64(i + 1) >> 40) / 16777216.0F;
    return values;
  }();
  return table;
}

}  // namespace

double valueNoise(double x, double y) {
  const double fx = floorOf(x), fy = floorOf(y);
  const auto ix = static_cast<std::size_t>(static_cast<std::int64_t>(fx) & (kSide - 1));
  const auto iy = static_cast<std::size_t>(static_cast<std::int64_t>(fy) & (kSide - 1));
  const std::size_t jx = (ix + 1) & (kSide - 1), jy = (iy + 1) & (kSide - 1);
  double tx = x - fx, ty = y - fy;
  tx = tx * tx * (3 - 2 * tx);
  ty = ty * ty * (3 - 2 * ty);
  static const float* table = noiseTable().data();
  const double upper =
      mix(static_cast<double>(table[iy * kSide + ix]), static_cast<double>(table[iy * kSide + jx]), tx);
  const double lower =
      mix(static_cast<double>(table[jy * kSide + ix]), static_cast<double>(table[jy * kSide + jx]), tx);
  return mix(upper, lower, ty);
}

double cloudNoise(double x, double y) {
  return 0.5 * valueNoise(x, y) + 0.26 * valueNoise(2.03 * x + 17, 2.03 * y + 5) +
         0.15 * valueNoise(4.1 * x + 3, 4.1 * y + 41) + 0.09 * valueNoise(8.3 * x + 29, 8.3 * y + 11);
}

double cellNoise(std::int64_t x, std::int64_t y, std::uint64_t salt) {
  const std::uint64_t bits = mix64(static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15ULL ^
                                   mix64(static_cast<std::uint64_t>(y) + salt * 0xd1b54a32d192ed03ULL));
  return static_cast<double>(bits >> 11) / 9007199254740992.0;
}

}  // namespace roadtune::data::synth

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/identity.h"

#include "core/base/hash.h"

#include <fmt/format.h>

namespace roadtune::data::synth {

std::string cameraLabelId(std::uint64_t seed, int object, int camera) {
  const std::uint64_t high =
      mix64(seed ^ mix64(static_cast<std::uint64_t>(object) << 8 | static_cast<std::uint64_t>(camera)));
  const std::uint64_t low = mix64(high + 0x9e3779b97f4a7c15ULL);
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xffff, high & 0xfff,
                     0x8000 | (low >> 48 & 0x3fff), low & 0xffffffffffffULL);
}

std::string laserLabelId(std::uint64_t seed, int object) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string id;
  std::uint64_t bits = mix64(seed ^ mix64(static_cast<std::uint64_t>(object) + 0x1a5e7ULL));
  for (int i = 0; i < 22; ++i) {
    if (i == 10) bits = mix64(bits ^ 0x5eedULL);
    if (i == 20) bits = mix64(bits);
    id.push_back(kDigits[bits & 63]);
    bits = bits >> 6 | bits << 58;
  }
  return id;
}

}  // namespace roadtune::data::synth

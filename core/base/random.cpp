// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"

#include "core/base/hash.h"

#include <cmath>

namespace roadtune {

Random::Random(std::uint64_t seed) : m_state(mix64(seed)) {}

std::uint64_t Random::next() {
  const std::uint64_t result = mix64(m_state);
  m_state += 0x9e3779b97f4a7c15ull;
  return result;
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

std::uint64_t Random::below(std::uint64_t bound) {
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
  std::uint64_t value = next();
  while (value >= limit) value = next();
  return value % bound;
}

double Random::normal() {
  double u = uniform();
  while (u <= 0) u = uniform();
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * 3.14159265358979323846 * uniform());
}

}  // namespace roadtune

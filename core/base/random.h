// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>

namespace roadtune {

// Small, fast, equal on every machine and compiler (unlike the distributions of the standard library).
class Random {
 public:
  explicit Random(std::uint64_t seed);
  std::uint64_t next();
  double uniform();                          // [0, 1)
  double uniform(double low, double high);   // [low, high)
  std::uint64_t below(std::uint64_t bound);  // [0, bound), unbiased; bound > 0
  double normal();                           // mean 0, deviation 1
  std::uint64_t state() const { return m_state; }

 private:
  std::uint64_t m_state;
};

}  // namespace roadtune

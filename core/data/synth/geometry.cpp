// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/geometry.h"

namespace roadtune::data::synth {

double sine(double angle) {
  const double turns = angle / (2 * kPi);
  double x = (turns - floorOf(turns + 0.5)) * 2 * kPi;  // -pi .. pi
  if (x > kPi / 2) x = kPi - x;
  if (x < -kPi / 2) x = -kPi - x;
  const double q = x * x;
  return x * (1 + q * (-1.0 / 6 +
                       q * (1.0 / 120 + q * (-1.0 / 5040 +
                                             q * (1.0 / 362880 + q * (-1.0 / 39916800 + q * (1.0 / 6227020800.0 -
                                                                                             q / 1307674368000.0)))))));
}

}  // namespace roadtune::data::synth

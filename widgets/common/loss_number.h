// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace roadtune::widgets {

// "3.214", "0.000461", "no number": as many decimals everywhere, so that losses below each other can be compared.
QString lossNumber(double loss);

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/plot/curve_data.h"

namespace roadtune::widgets {

// As it is drawn on the ground of this theme: on a dark one as little lighter as 4.5 : 1 needs, and faint where it is.
QColor seenColour(const QColor& series);
QColor lineColour(const CurveSpec& spec);

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace roadtune::widgets {

// How long ago something was, short enough for a list: "2 h ago", from yesterday on "3 Nov"; seconds since 1970.
QString ageText(double then, double now);
QString dateText(double then);  // "3 Nov 2026, 14:03"

}  // namespace roadtune::widgets

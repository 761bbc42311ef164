// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <string>

namespace roadtune::widgets {

// A value of split, time, weather, location or class as the window says it: "SF" for location_sf.
QString valueText(const std::string& field, const std::string& value);

}  // namespace roadtune::widgets

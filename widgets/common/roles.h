// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPalette>

namespace roadtune::widgets {

// Roles of the palette that carry the colours of states, for labels that should follow the theme.
inline constexpr QPalette::ColorRole kBadRole = QPalette::BrightText;
inline constexpr QPalette::ColorRole kWarnRole = QPalette::LinkVisited;
inline constexpr QPalette::ColorRole kQuietRole = QPalette::PlaceholderText;

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>

#include <array>
#include <string_view>

namespace roadtune::widgets {

// Every colour of the studio is named here once; widgets ask Theme::tokens() at paint time and keep no copy.
struct Tokens {
  bool dark;
  QColor window, surface, raised;
  QColor line;
  QColor text, secondary, disabled;
  QColor accent, onAccent;
  QColor good, warn, bad;
};

const Tokens& lightTokens();
const Tokens& darkTokens();

// Okabe-Ito: told apart with every kind of colour vision. Index wraps.
QColor seriesColour(std::size_t index);

// How boxes of a class are drawn: a colour and a mark on the solid line, so that colour is never the only difference.
// Dashes and dots are what a comparison says of a box.
enum class ClassMark { None, Corners, Sides, SecondLine };
struct ClassLook {
  QColor colour;
  ClassMark mark;
};
ClassLook classLook(std::string_view className);

// `share` of `over` laid over `under`.
QColor mixed(const QColor& under, const QColor& over, double share);

namespace metrics {
inline constexpr int kGrid = 4;
inline constexpr int kGap = 8;
inline constexpr int kPadding = 12;
inline constexpr int kControlHeight = 28;
inline constexpr int kRowHeight = 26;
inline constexpr int kRadius = 4;
}  // namespace metrics

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QString>
#include <Qt>

#include <vector>

namespace roadtune::widgets {

// A curve as it is drawn: already decimated to what the plot can show. x never decreases.
struct CurveData {
  std::vector<double> x, y;   // finite
  std::vector<double> marks;  // where values were NaN or infinite
  double latest = 0;          // of the whole curve, not of the stretch on show; may be NaN
  bool known = false;         // there is a latest value
};

struct CurveSpec {
  QString name;
  QColor colour;
  bool faint = false;  // raw values behind a smoothed line: in the legend only with a name
  bool dots = false;   // few single points instead of a line
  Qt::PenStyle line = Qt::SolidLine;
};

// How values are written on the axis and in the legend.
enum class ValueKind { Plain, Percent, Bytes, PerSecond, Seconds };
QString valueText(double value, ValueKind kind);
// The same beside other numbers of an axis, `step` apart and at most `largest`: one unit and as many decimals for all.
QString axisText(double value, ValueKind kind, double step, double largest);

enum class XAxis { Step, Time, Samples };  // Time: seconds since the run began; Samples: learned from so far
QString xText(double x, XAxis axis);

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve_data.h"

#include "core/base/units.h"
#include "widgets/common/number_text.h"

#include <cmath>

namespace roadtune::widgets {

QString valueText(double value, ValueKind kind) {
  if (!std::isfinite(value)) return numberText(formatNumber(value));
  switch (kind) {
    case ValueKind::Percent:
      return QStringLiteral("%1 %").arg(value, 0, 'f', value < 10 && value != std::floor(value) ? 1 : 0);
    case ValueKind::Bytes: return numberText(formatBytes(value));
    case ValueKind::PerSecond: return numberText(formatRate(value, ""));
    case ValueKind::Seconds: return numberText(formatDuration(value));
    case ValueKind::Plain: break;
  }
  return numberText(formatNumber(value));
}

QString axisText(double value, ValueKind kind, double step, double largest) {
  if (kind != ValueKind::Plain && kind != ValueKind::Bytes) return valueText(value, kind);
  const bool bytes = kind == ValueKind::Bytes;
  const ByteUnit unit = bytes ? byteUnit(largest) : ByteUnit();
  const double least = step / unit.bytes;
  if (least <= 1e-5 || largest / unit.bytes >= 1e6) return valueText(value, kind);
  // A step of 0.25 needs two decimals, one of 0.5 one.
  int decimals = 0;
  for (double scaled = least; decimals < 6 && std::abs(scaled - std::round(scaled)) > 1e-6 * scaled; scaled *= 10)
    ++decimals;
  const QString number = fixedText(std::abs(value) < step * 1e-6 ? 0 : value / unit.bytes, decimals);
  return bytes ? QStringLiteral("%1 %2").arg(number, QLatin1String(unit.name)) : number;
}

QString xText(double x, XAxis axis) {
  if (axis != XAxis::Time) return countText(std::llround(x));
  const auto whole = static_cast<long long>(std::llround(x));
  if (std::abs(whole) < 60) return QStringLiteral("%1 s").arg(whole);
  const QString sign = whole < 0 ? QStringLiteral("-") : QString();
  const long long seconds = std::abs(whole);
  if (seconds < 3600) {
    return sign + QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
  }
  return sign + QStringLiteral("%1:%2 h").arg(seconds / 3600).arg(seconds % 3600 / 60, 2, 10, QLatin1Char('0'));
}

}  // namespace roadtune::widgets

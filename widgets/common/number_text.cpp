// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/number_text.h"

#include "core/base/units.h"

#include <QLocale>

namespace roadtune::widgets {

QString numberText(const std::string& english) {
  QString text = QString::fromStdString(english);
  const QLocale locale;
  const QString decimal = locale.decimalPoint();
  if (decimal == QLatin1String(".")) return text;
  const QString group = locale.groupSeparator();
  for (qsizetype at = 1; at + 1 < text.size(); ++at) {
    const QChar mark = text[at];
    if ((mark != QLatin1Char('.') && mark != QLatin1Char(',')) || !text[at - 1].isDigit() || !text[at + 1].isDigit())
      continue;
    const QString& own = mark == QLatin1Char('.') ? decimal : group;
    text.replace(at, 1, own);
    at += own.size() - 1;
  }
  return text;
}

QString countText(std::int64_t count) { return numberText(formatCount(count)); }

QString fixedText(double value, int places) { return QLocale().toString(value, 'f', places); }

}  // namespace roadtune::widgets

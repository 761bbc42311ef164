// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/shown_text.h"

#include <QTextDocument>

#include <algorithm>

namespace roadtune::widgets {
namespace {
constexpr qsizetype kLongWord = 24;
constexpr QChar kMayBreak(0x200b);
}  // namespace

QString tipText(const QString& text) {
  if (!Qt::mightBeRichText(text)) return text;
  return QStringLiteral("<p>") + text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")) +
         QStringLiteral("</p>");
}

QString buttonText(const QString& text) { return QString(text).replace(QLatin1Char('&'), QStringLiteral("&&")); }

QString lineText(const QString& text) {
  QString line = text;
  std::replace_if(
      line.begin(), line.end(), [](QChar c) { return c.category() == QChar::Other_Control; }, QChar(' '));
  return line;
}

QString sentence(const QString& words) {
  const QString first = words.section(QLatin1Char(' '), 0, 0);
  const QString marks = QStringLiteral("_/=~");
  const bool name = first.chopped(first.isEmpty() ? 0 : 1).contains(QLatin1Char('.')) ||
                    std::any_of(first.begin(), first.end(), [&](QChar c) { return c.isDigit() || marks.contains(c); });
  return words.isEmpty() || name ? words : words.at(0).toUpper() + words.mid(1);
}

QString foldedText(const QString& text) {
  QString folded;
  qsizetype since = 0;  // characters without a place to break
  for (const QChar c : text) {
    folded += c;
    since = c.isSpace() ? 0 : since + 1;
    const bool ends = c == QLatin1Char('/') || c == QLatin1Char('_') || c == QLatin1Char('-') || c == QLatin1Char('.');
    if (since < kLongWord / 2 || (!ends && since < kLongWord)) continue;
    folded += kMayBreak;
    since = 0;
  }
  return folded;
}

}  // namespace roadtune::widgets

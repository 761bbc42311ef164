// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/told_patterns.h"

#include "widgets/common/number_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace roadtune::widgets {

void ToldPatterns::add(const char* core, const char* window) {
  static const QRegularExpression kPlace(QStringLiteral("%([1-9])"));
  const QString text = QString::fromUtf8(core);
  Pattern pattern{.window = window, .shape = {}, .places = {}};
  QString shape;
  qsizetype from = 0;
  for (auto found = kPlace.globalMatch(text); found.hasNext();) {
    const auto place = found.next();
    shape +=
        QRegularExpression::escape(text.mid(from, place.capturedStart() - from)) + QStringLiteral("((?:(?!; ).)+?)");
    pattern.places << place.captured(1).toInt();
    from = place.capturedEnd();
  }
  shape += QRegularExpression::escape(text.mid(from));
  pattern.shape.setPattern(QRegularExpression::anchoredPattern(shape));
  pattern.words = text.size() - 2 * pattern.places.size();
  m_patterns.push_back(std::move(pattern));
}

void ToldPatterns::sort() {
  std::stable_sort(m_patterns.begin(), m_patterns.end(),
                   [](const Pattern& a, const Pattern& b) { return a.words > b.words; });
}

QString ToldPatterns::number(const QString& english) const {
  static const QRegularExpression kUnit(
      QStringLiteral("^[~+-]?[0-9][0-9,]*([.][0-9]+)? ?([kMGT]?B(/s)?|ms|s|min|h|d|%)( [0-9]+ ?(s|min|h))*$"));
  static const QRegularExpression kPlain(QStringLiteral("^[~+-]?[0-9][0-9,]*([.][0-9]+)?(e[+-]?[0-9]+)?$"));
  static const QRegularExpression kGrouped(QStringLiteral("^[0-9]{1,3}(,[0-9]{3})+$"));  // is no version
  const bool own = kUnit.match(english).hasMatch() || kGrouped.match(english).hasMatch() ||
                   (m_numbers == Numbers::AllInTheLanguage && kPlain.match(english).hasMatch());
  return own ? numberText(english.toStdString()) : english;
}

QString ToldPatterns::pieces(const QString& english, const QString& mark) const {
  QStringList all = english.split(mark);
  for (QString& one : all) one = translate(one);
  return all.join(mark);
}

std::optional<QString> ToldPatterns::whole(const QString& english) const {
  for (const Pattern& pattern : m_patterns) {
    const auto match = pattern.shape.match(english);
    if (!match.hasMatch()) continue;
    QString own = QCoreApplication::translate(m_context, pattern.window);
    // From behind, each place once: what is put in may hold a "%1" itself.
    QStringList parts(10);
    for (int i = 0; i < pattern.places.size(); ++i) parts[pattern.places[i]] = translate(match.captured(i + 1));
    QString filled;
    for (qsizetype i = 0; i < own.size(); ++i) {
      const bool place = own[i] == QLatin1Char('%') && i + 1 < own.size() && own[i + 1].digitValue() > 0;
      filled += place ? parts[own[++i].digitValue()] : QString(own[i]);
    }
    return filled;
  }
  return std::nullopt;
}

QString ToldPatterns::translate(const QString& english) const {
  if (auto told = whole(english)) return *std::move(told);
  for (const char* mark : {"; ", ", "})
    if (english.contains(QLatin1String(mark))) return pieces(english, QLatin1String(mark));
  return number(english);
}

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges and orders in a query's text.
#include "widgets/models/query_text.h"

#include <QRegularExpression>

#include <limits>

namespace roadtune::widgets {
namespace {

constexpr int kOpenEnd = std::numeric_limits<int>::max();

// What a term says of the field: {low, high}, where it says it.
struct Bounds {
  std::optional<int> low, high;
};

std::optional<Bounds> boundsOf(const QString& term, RangeField field) {
  static const QRegularExpression kHeight(
      QStringLiteral("^any\\(\\s*h\\s*>=\\s*(\\d+)\\s*(?:,\\s*h\\s*<\\s*(\\d+)\\s*)?\\)$"));
  static const QRegularExpression kLeast(QStringLiteral("^n\\s*>=\\s*(\\d+)$")),
      kMost(QStringLiteral("^n\\s*<\\s*(\\d+)$"));
  Bounds bounds;
  if (field == RangeField::BoxHeight) {
    const auto match = kHeight.match(term);
    if (!match.hasMatch()) return std::nullopt;
    bounds.low = match.captured(1).toInt();
    if (!match.captured(2).isEmpty()) bounds.high = match.captured(2).toInt();
    return bounds;
  }
  if (const auto match = kLeast.match(term); match.hasMatch()) bounds.low = match.captured(1).toInt();
  if (const auto match = kMost.match(term); match.hasMatch()) bounds.high = match.captured(1).toInt();
  return bounds.low || bounds.high ? std::optional(bounds) : std::nullopt;
}

QString tailOf(const QString& query) {
  static const QRegularExpression kTail(QStringLiteral("(^|\\s)((sort\\s+by|limit)\\b.*)$"),
                                        QRegularExpression::CaseInsensitiveOption);
  const auto match = kTail.match(query);
  return match.hasMatch() ? match.captured(2).trimmed() : QString();
}

QString withTail(const QStringList& terms, const QString& tail) {
  QString text = terms.join(QStringLiteral(" and "));
  if (!tail.isEmpty()) text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + tail;
  return text;
}

}  // namespace

std::optional<std::pair<int, int>> queryRange(const QString& query, RangeField field) {
  Bounds found;
  for (const QString& term : queryTerms(query)) {
    const auto bounds = boundsOf(term, field);
    if (!bounds) continue;
    if (bounds->low) found.low = bounds->low;
    if (bounds->high) found.high = bounds->high;
  }
  if (!found.low && !found.high) return std::nullopt;
  return std::pair(found.low.value_or(0), found.high.value_or(kOpenEnd));
}

QString setQueryRange(const QString& query, RangeField field, int low, int high) {
  QStringList terms;
  for (const QString& term : queryTerms(query)) {
    if (!boundsOf(term, field)) terms << term;
  }
  const bool open = high < 0;
  if (open || low < high) {
    if (field == RangeField::BoxHeight) {
      terms << (open ? QStringLiteral("any(h>=%1)").arg(low) : QStringLiteral("any(h>=%1, h<%2)").arg(low).arg(high));
    } else {
      terms << QStringLiteral("n>=%1").arg(low);
      if (!open) terms << QStringLiteral("n<%1").arg(high);
    }
  }
  return withTail(terms, tailOf(query));
}

QString querySort(const QString& query) {
  static const QRegularExpression kSort(QStringLiteral("sort\\s+by\\s+(.*?)(\\s+limit\\b.*)?$"),
                                        QRegularExpression::CaseInsensitiveOption);
  const auto match = kSort.match(tailOf(query));
  return match.hasMatch() ? match.captured(1).trimmed() : QString();
}

QString setQuerySort(const QString& query, const QString& order) {
  static const QRegularExpression kLimit(QStringLiteral("\\blimit\\s+\\d+\\s*$"),
                                         QRegularExpression::CaseInsensitiveOption);
  const QString limit = kLimit.match(tailOf(query)).captured(0).trimmed();
  QStringList tail;
  if (!order.isEmpty()) tail << QStringLiteral("sort by ") + order;
  if (!limit.isEmpty()) tail << limit;
  return withTail(queryTerms(query), tail.join(QLatin1Char(' ')));
}

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

#include <optional>
#include <utility>

namespace roadtune::widgets {

// Edits of a query as text, so that every click writes what could have been typed. Terms are the parts between `and`
// outside parentheses; `sort by` and `limit` at the end stay where they are.

// Adds or removes a value of a facet: field=value, field in (a, b); classes are any(class=value), tags tag:value.
QString toggleFacetValue(const QString& query, const QString& field, const QString& value);
bool hasFacetValue(const QString& query, const QString& field, const QString& value);

// A stretch of a quantity: box heights as any(h>=low, h<high), boxes per image as n>=low and n<high. `high` below 0 is
// open. Replaces the stretch the query has; low above high takes it out.
enum class RangeField { BoxHeight, BoxCount };
QString setQueryRange(const QString& query, RangeField field, int low, int high);
std::optional<std::pair<int, int>> queryRange(const QString& query, RangeField field);

// `sort by ...` at the end; empty takes it out. A limit stays.
QString setQuerySort(const QString& query, const QString& order);
QString querySort(const QString& query);

// The query with one term more, joined by `and` and never twice; what stands in an `or` gets parentheses.
QString withQueryTerm(const QString& query, const QString& term);

// The terms, without the tail.
QStringList queryTerms(const QString& query);

// A value as the language reads it: quoted when it has spaces or signs.
QString queryValue(const QString& value);

}  // namespace roadtune::widgets

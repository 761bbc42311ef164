// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/query_text.h"

#include <QRegularExpression>

namespace roadtune::widgets {
namespace {

struct Parts {
  QStringList terms;
  QString tail;  // "sort by ..." or "limit ..."
};

Parts partsOf(const QString& query) {
  Parts parts;
  static const QRegularExpression kWord(QStringLiteral("\\G\\s+(and|sort\\s+by|limit)\\b|\\G^(sort\\s+by|limit)\\b"),
                                        QRegularExpression::CaseInsensitiveOption);
  int depth = 0;
  QChar quote;
  qsizetype begin = 0;
  const auto take = [&](qsizetype end) {
    if (const QString term = query.mid(begin, end - begin).trimmed(); !term.isEmpty()) parts.terms << term;
  };
  for (qsizetype i = 0; i < query.size(); ++i) {
    const QChar c = query[i];
    if (!quote.isNull()) {
      if (c == quote) quote = QChar();
      continue;
    }
    if (c == QLatin1Char('"') || c == QLatin1Char('\'')) quote = c;
    if (c == QLatin1Char('(')) ++depth;
    if (c == QLatin1Char(')')) --depth;
    if (depth > 0) continue;
    const auto match = kWord.match(query, i, QRegularExpression::NormalMatch);
    if (!match.hasMatch() || match.capturedStart() != i) continue;
    take(i);
    if (match.captured(1).toLower() != QLatin1String("and")) {
      parts.tail = query.mid(i).trimmed();
      return parts;
    }
    begin = match.capturedEnd();
    i = begin - 1;
  }
  take(query.size());
  return parts;
}

QString joined(const Parts& parts) {
  QString text = parts.terms.join(QStringLiteral(" and "));
  if (!parts.tail.isEmpty()) text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + parts.tail;
  return text;
}

// An `or` of the term itself, outside parentheses and quotes.
bool hasOr(const QString& term) {
  static const QRegularExpression kOr(QStringLiteral("\\bor\\b"), QRegularExpression::CaseInsensitiveOption);
  QString open;
  int depth = 0;
  QChar quote;
  for (const QChar c : term) {
    if (!quote.isNull()) {
      if (c == quote) quote = QChar();
      continue;
    }
    if (c == QLatin1Char('"') || c == QLatin1Char('\'')) quote = c;
    if (c == QLatin1Char('(')) ++depth;
    open += depth > 0 || !quote.isNull() ? QLatin1Char('_') : c;
    if (c == QLatin1Char(')')) --depth;
  }
  return kOr.match(open).hasMatch();
}

// The values of a term `field=a` or `field in (a, b)`; empty when the term is about something else.
QStringList valuesOf(const QString& term, const QString& field) {
  const QString name = QRegularExpression::escape(field);
  const QRegularExpression one(QStringLiteral("^%1\\s*=\\s*(.+)$").arg(name),
                               QRegularExpression::CaseInsensitiveOption);
  const QRegularExpression many(QStringLiteral("^%1\\s+in\\s*\\((.*)\\)$").arg(name),
                                QRegularExpression::CaseInsensitiveOption);
  const auto clean = [](QString text) {
    text = text.trimmed();
    if (text.size() >= 2 && (text[0] == QLatin1Char('"') || text[0] == QLatin1Char('\'')) && text.back() == text[0])
      text = text.mid(1, text.size() - 2);
    return text;
  };
  if (const auto match = one.match(term); match.hasMatch()) return {clean(match.captured(1))};
  QStringList values;
  if (const auto match = many.match(term); match.hasMatch()) {
    for (const QString& part : match.captured(1).split(QLatin1Char(','))) values << clean(part);
  }
  return values;
}

QString termOf(const QString& field, const QStringList& values) {
  QStringList words;
  for (const QString& value : values) words << queryValue(value);
  return values.size() == 1 ? field + QLatin1Char('=') + words[0]
                            : field + QStringLiteral(" in (") + words.join(QStringLiteral(", ")) + QLatin1Char(')');
}

// Facets whose values are terms of their own.
QString singleTerm(const QString& field, const QString& value) {
  if (field == QLatin1String("class")) return QStringLiteral("any(%1)").arg(queryValue(value));
  if (field == QLatin1String("tag")) return QStringLiteral("tag:") + queryValue(value);
  return {};
}

}  // namespace

QString queryValue(const QString& value) {
  static const QRegularExpression kPlain(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
  static const QStringList kWords = {QStringLiteral("and"), QStringLiteral("or"),   QStringLiteral("not"),
                                     QStringLiteral("in"),  QStringLiteral("sort"), QStringLiteral("limit")};
  if (kPlain.match(value).hasMatch() && !kWords.contains(value.toLower())) return value;
  return QLatin1Char('"') + value + QLatin1Char('"');
}

QString withQueryTerm(const QString& query, const QString& term) {
  Parts parts = partsOf(query);
  const auto plain = [](const QString& text) {
    return text.simplified().remove(QLatin1Char('"')).remove(QLatin1Char('\'')).toLower();
  };
  bool either = false;
  for (const QString& one : parts.terms) either = either || hasOr(one);
  if (either) {
    parts.terms = {QLatin1Char('(') + parts.terms.join(QStringLiteral(" and ")) + QLatin1Char(')')};
  } else {
    for (const QString& one : parts.terms)
      if (plain(one) == plain(term)) return query;
  }
  parts.terms << term;
  return joined(parts);
}

QStringList queryTerms(const QString& query) { return partsOf(query).terms; }

bool hasFacetValue(const QString& query, const QString& field, const QString& value) {
  const QString single = singleTerm(field, value);
  for (const QString& term : partsOf(query).terms) {
    if (!single.isEmpty() ? term.compare(single, Qt::CaseInsensitive) == 0
                          : valuesOf(term, field).contains(value, Qt::CaseInsensitive))
      return true;
  }
  return false;
}

QString toggleFacetValue(const QString& query, const QString& field, const QString& value) {
  Parts parts = partsOf(query);
  if (const QString single = singleTerm(field, value); !single.isEmpty()) {
    const qsizetype at =
        parts.terms.indexOf(QRegularExpression(QRegularExpression::anchoredPattern(QRegularExpression::escape(single)),
                                               QRegularExpression::CaseInsensitiveOption));
    at >= 0 ? parts.terms.removeAt(at) : parts.terms.append(single);
    return joined(parts);
  }
  for (qsizetype i = 0; i < parts.terms.size(); ++i) {
    QStringList values = valuesOf(parts.terms[i], field);
    if (values.isEmpty()) continue;
    const qsizetype at =
        values.indexOf(QRegularExpression(QRegularExpression::anchoredPattern(QRegularExpression::escape(value)),
                                          QRegularExpression::CaseInsensitiveOption));
    at >= 0 ? values.removeAt(at) : values.append(value);
    values.isEmpty() ? parts.terms.removeAt(i) : parts.terms.replace(i, termOf(field, values));
    return joined(parts);
  }
  parts.terms.append(termOf(field, {value}));
  return joined(parts);
}

}  // namespace roadtune::widgets

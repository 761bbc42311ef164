// SPDX-License-Identifier: GPL-3.0-or-later
// What core/data/query says of a query that it cannot answer.
#include "widgets/common/told_patterns.h"
#include "widgets/common/told_words.h"

#include <QCoreApplication>

namespace roadtune::widgets {
namespace {

constexpr const char* kQueryErrors[] = {
    QT_TRANSLATE_NOOP("QueryError", "there is no field '%1'"),
    QT_TRANSLATE_NOOP("QueryError", "boxes have no field '%1'"),
    QT_TRANSLATE_NOOP("QueryError", "there is no class '%1'"),
    QT_TRANSLATE_NOOP("QueryError", "there is no camera '%1'"),
    QT_TRANSLATE_NOOP("QueryError", "there is no run '%1'; give its name, or its folder"),
    QT_TRANSLATE_NOOP("QueryError", "'%1': the run has no losses of samples; record_sample_losses: true keeps them"),
    QT_TRANSLATE_NOOP("QueryError", "'%1': the run has no losses of samples yet; they come with its first steps"),
    QT_TRANSLATE_NOOP(
        "QueryError",
        "'%1': the run's losses of samples lie on %2 and are not here yet; `roadtune attach %3` brings them"),
    QT_TRANSLATE_NOOP("QueryError", "there is no '%1(...)'"),
    QT_TRANSLATE_NOOP("QueryError", "nothing here is called '%1'"),
    QT_TRANSLATE_NOOP("QueryError", "'%1' is neither true nor false"),
    QT_TRANSLATE_NOOP("QueryError", "percent only fits x, y, w, h and area"),
    QT_TRANSLATE_NOOP("QueryError", "percent only fits boxes: x, y, w, h and area"),
    QT_TRANSLATE_NOOP("QueryError", "'%1' is no level; there are 1 and 2"),
    QT_TRANSLATE_NOOP("QueryError", "remove it"),
    QT_TRANSLATE_NOOP("QueryError", "this text has no closing quote"),
    QT_TRANSLATE_NOOP("QueryError", "'%1' has no meaning here"),
    QT_TRANSLATE_NOOP("QueryError", "this parenthesis closes nothing"),
    QT_TRANSLATE_NOOP("QueryError", "'%1' is not expected here"),
    QT_TRANSLATE_NOOP("QueryError", "'%1' stands once, sort by before limit, and both at the end"),
    QT_TRANSLATE_NOOP("QueryError", "'%1' is missing here"),
    QT_TRANSLATE_NOOP("QueryError", "parentheses are nested too deeply"),
    QT_TRANSLATE_NOOP("QueryError", "a condition is expected here"),
    QT_TRANSLATE_NOOP("QueryError", "the name of a tag is expected here"),
    QT_TRANSLATE_NOOP("QueryError", "a run is expected here: its name, or its folder"),
    QT_TRANSLATE_NOOP("QueryError", "%1(...) is a number; compare it"),
    QT_TRANSLATE_NOOP("QueryError", "'%1' is no number"),
    QT_TRANSLATE_NOOP("QueryError", "'%1' is not a number"),
    QT_TRANSLATE_NOOP("QueryError", "'%1(...)' is no number"),
    QT_TRANSLATE_NOOP("QueryError", "a class or a condition on boxes is expected here"),
    QT_TRANSLATE_NOOP("QueryError", "compare '%1' with something"),
    QT_TRANSLATE_NOOP("QueryError", "a comparison is expected after '%1'"),
    QT_TRANSLATE_NOOP("QueryError", "'%1' has no order"),
    QT_TRANSLATE_NOOP("QueryError", "a value is expected here"),
    QT_TRANSLATE_NOOP("QueryError", "'by' is missing after 'sort'"),
    QT_TRANSLATE_NOOP("QueryError", "images cannot be sorted by %1"),
    QT_TRANSLATE_NOOP("QueryError", "a whole number of at least 1 is expected after 'limit'"),
};

}  // namespace

QString queryErrorWords(const QString& english) {
  static const ToldPatterns kPatterns("QueryError", kQueryErrors, ToldPatterns::Numbers::OnlyWithUnits);
  return kPatterns.translate(english);
}

}  // namespace roadtune::widgets

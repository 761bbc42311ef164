// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/query_sheet.h"

#include "core/data/query/query_plan.h"
#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/roles.h"
#include "widgets/common/theme.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {

constexpr int kNarrowest = 640, kNamesWidth = 460;

struct QueryExample {
  const char* query;
  const char* words;
};
const QueryExample kExamples[] = {
    {"time=Night and not camera=front", QT_TRANSLATE_NOOP("QueryHelp", "Conditions, joined by and, or, not and ( )")},
    {"camera in (front, side_left)", QT_TRANSLATE_NOOP("QueryHelp", "One of several values")},
    {"location=location_*", QT_TRANSLATE_NOOP("QueryHelp", "* stands for any letters")},
    {"n>=20", QT_TRANSLATE_NOOP("QueryHelp", "How many boxes an image has; = != < <= > >=")},
    {"count(pedestrian)>=3", QT_TRANSLATE_NOOP("QueryHelp", "How many of one class")},
    {"any(cyclist, h<40)", QT_TRANSLATE_NOOP("QueryHelp", "One box meets all of it; also all(…) and none(…)")},
    {"min(h, pedestrian)<5%", QT_TRANSLATE_NOOP("QueryHelp", "Over boxes: min, max, avg, sum; % of the image")},
    {"tag:\"to check\" and note", QT_TRANSLATE_NOOP("QueryHelp", "Has that tag, and a note")},
    {"labelled=false", QT_TRANSLATE_NOOP("QueryHelp", "Nobody drew boxes there")},
    {"loss(\"night-walkers\")>2", QT_TRANSLATE_NOOP("QueryHelp", "What an image cost a run")},
    {"sort by count(vehicle) desc limit 100", QT_TRANSLATE_NOOP("QueryHelp", "Order and number, at the end")}};

template <class F>
QString namesOf(const std::vector<data::FieldName<F>>& fields) {
  QStringList names;
  for (const auto& field : fields)
    names << QString::fromUtf8(field.name.data(), static_cast<qsizetype>(field.name.size()));
  return names.join(QStringLiteral("  "));
}

QLabel* codeLabel(const QString& text) {
  auto* label = new QLabel(text);
  label->setFont(codeFont());
  label->setTextFormat(Qt::PlainText);
  return label;
}

void addNames(QGridLayout* grid, const QString& title, const QString& names) {
  auto* heading = secondaryLabel(title);
  heading->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  auto* list = codeLabel(names);
  list->setWordWrap(true);
  list->setMinimumWidth(kNamesWidth);
  const int line = grid->rowCount();
  grid->addWidget(heading, line, 0);
  grid->addWidget(list, line, 1);
}

}  // namespace

QuerySheet::QuerySheet(QWidget* window) : Overlay(window) {
  setObjectName(QStringLiteral("querySheet"));
  auto* layout = column(panel(), 12);
  layout->setContentsMargins(24, 20, 24, 20);
  layout->addWidget(titleLabel(tr("What a query can say")));
  auto* examples = new QGridLayout;
  examples->setVerticalSpacing(4);
  examples->setHorizontalSpacing(24);
  examples->setColumnStretch(1, 1);
  int line = 0;
  for (const QueryExample& one : kExamples) {
    examples->addWidget(codeLabel(QString::fromUtf8(one.query)), line, 0);
    auto* words = new ElidedLabel(QCoreApplication::translate("QueryHelp", one.words));
    words->setForegroundRole(kQuietRole);
    examples->addWidget(words, line++, 1);
  }
  layout->addLayout(examples);
  layout->addWidget(separator());
  auto* names = new QGridLayout;
  names->setVerticalSpacing(8);
  names->setHorizontalSpacing(24);
  names->setColumnStretch(1, 1);
  addNames(names, tr("Of an image"), namesOf(data::imageFields()));
  addNames(names, tr("Of a box"), namesOf(data::boxFields()));
  layout->addLayout(names);
  layout->addWidget(secondaryLabel(tr("Upper and lower case are the same. Esc closes this sheet.")));
}

QSize QuerySheet::panelSize(const QSize&) const {
  const int width = std::max(kNarrowest, panel()->layout()->sizeHint().width());
  return {width, std::max(panel()->layout()->heightForWidth(width), panel()->layout()->minimumSize().height())};
}

QStringList queryExamples() {
  QStringList all;
  for (const QueryExample& one : kExamples) all << QString::fromUtf8(one.query);
  return all;
}

}  // namespace roadtune::widgets

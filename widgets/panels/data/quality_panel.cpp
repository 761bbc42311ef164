// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/quality_panel.h"

#include "widgets/canvas/value_text.h"
#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/number_text.h"
#include "widgets/common/theme.h"
#include "widgets/panels/data/facet_panel.h"
#include "widgets/panels/data/model_text.h"
#include "widgets/panels/data/quality_row.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {

constexpr int kCellWidth = 68;

QString classWords(const QString& name) {
  return name.isEmpty() ? QualityPanel::tr("All classes") : valueText("class", name.toStdString());
}

void emptyOut(QVBoxLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
}

QLabel* wrappedLabel(const QString& text) {
  auto* label = secondaryLabel(text);
  label->setWordWrap(true);
  return label;
}

}  // namespace

QualityPanel::QualityPanel(QWidget* parent)
    : QWidget(parent),
      m_progress(new WorkProgress(QStringLiteral("quality"))),
      m_failure(wrappedLabel({})),
      m_whole(wrappedLabel(tr("These figures are about all images, not only those that the query finds."))),
      m_body(new QWidget),
      m_sections(column(m_body, 2)),
      m_field(new QComboBox),
      m_model(new QLineEdit),
      m_length(new QSpinBox),
      m_tokenText(wrappedLabel({})),
      m_sameText(wrappedLabel({})),
      m_compare(plainButton(tr("Compare pictures"), QStringLiteral("qualityCompare"))) {
  setObjectName(QStringLiteral("qualityPanel"));
  m_failure->setObjectName(QStringLiteral("qualityFailure"));
  m_field->setObjectName(QStringLiteral("qualityField"));
  m_field->setAccessibleName(tr("Balance by"));
  m_sizes = addSection(
      tr("Too small to learn"),
      tr("Boxes whose shorter side is below %1 px once the picture has the model's size").arg(kLeastModelSide));
  m_images = addSection(tr("Images"), {});
  m_balance = addSection(tr("Balance"), {}, m_field);
  makeTokens();
  m_same = addSection(tr("Near-duplicates"), {});
  m_sections->addWidget(m_sameText);
  m_sections->addWidget(m_compare, 0, Qt::AlignLeft);
  auto* layout = column(this, 8);
  layout->setContentsMargins(12, 4, 12, 16);
  layout->addWidget(m_progress);
  layout->addWidget(m_failure);
  layout->addWidget(m_whole);
  layout->addWidget(m_body);
  layout->addStretch(1);
  m_progress->hide();
  m_failure->hide();
  m_whole->setObjectName(QStringLiteral("qualityWhole"));
  connect(m_field, &QComboBox::activated, this, &QualityPanel::fillBalance);
  connect(m_compare, &QPushButton::clicked, this, &QualityPanel::compareRequested);
  connect(m_progress, &WorkProgress::cancelRequested, this, &QualityPanel::cancelRequested);
  setReport(nullptr);
}

QVBoxLayout* QualityPanel::addSection(const QString& title, const QString& about, QWidget* beside) {
  auto* head = row(nullptr, 8);
  head->setContentsMargins(0, 12, 0, 2);
  head->addWidget(headingLabel(title), 1);
  if (beside) head->addWidget(beside);
  m_sections->addLayout(head);
  if (!about.isEmpty()) m_sections->addWidget(wrappedLabel(about));
  auto* rows = column(nullptr, 1);
  m_sections->addLayout(rows);
  return rows;
}

void QualityPanel::makeTokens() {
  m_tokens = addSection(tr("Long answers"), {});
  m_sections->addLayout(m_lengths = column(nullptr, 1));
  m_sections->addWidget(m_tokenText);
  m_model->setObjectName(QStringLiteral("qualityModel"));
  m_model->setAccessibleName(tr("Folder of the model"));
  m_model->setPlaceholderText(tr("folder of the model"));
  m_length->setObjectName(QStringLiteral("qualityLength"));
  m_length->setAccessibleName(tr("Most tokens of a sample"));
  m_length->setRange(64, 16384);
  m_length->setSingleStep(64);
  m_length->setValue(512);
  m_length->setSuffix(tr(" tokens"));
  m_length->setToolTip(tr("Most tokens of a sample, its picture's included"));
  auto* browse = iconButton(QStringLiteral("folder"), tr("Choose the model"), QStringLiteral("qualityBrowse"));
  auto* start = plainButton(tr("Count tokens"), QStringLiteral("qualityCount"));
  auto* line = row(nullptr, 4);
  line->setContentsMargins(0, 4, 0, 0);
  line->addWidget(m_model, 1);
  line->addWidget(browse);
  auto* second = row(nullptr, 8);
  second->setContentsMargins(0, 4, 0, 0);
  second->addWidget(start);
  second->addStretch(1);
  second->addWidget(secondaryLabel(tr("cut after")));
  second->addWidget(m_length);
  m_sections->addLayout(line);
  m_sections->addLayout(second);
  start->setEnabled(false);
  connect(browse, &QToolButton::clicked, this, &QualityPanel::modelRequested);
  connect(m_model, &QLineEdit::textChanged, start,
          [this, start] { start->setEnabled(!m_model->text().trimmed().isEmpty()); });
  connect(start, &QPushButton::clicked, this,
          [this] { emit countRequested(m_model->text().trimmed(), m_length->value()); });
}

void QualityPanel::setModel(const QString& folder) { m_model->setText(folder); }

void QualityPanel::setNarrowed(bool narrowed) {
  m_narrowed = narrowed;
  m_whole->setVisible(m_report && m_narrowed);
}

void QualityPanel::begin(const QString& what) {
  m_failure->hide();
  m_progress->begin(what);
  m_progress->show();
}

void QualityPanel::setFailure(const QString& what) {
  m_progress->hide();
  m_failure->setText(what);
  m_failure->setVisible(!what.isEmpty());
}

void QualityPanel::setReport(QualityReportPtr report) {
  const bool first = !m_report || !report || m_report->index != report->index;
  m_report = std::move(report);
  m_body->setVisible(m_report != nullptr);
  setNarrowed(m_narrowed);
  if (!m_report) return;
  setFailure({});
  if (first) {
    m_field->clear();
    for (const QualityBalance& one : m_report->balance)
      m_field->addItem(facetTitle(one.field.toStdString()), one.field);
    if (const int time = m_field->findData(QStringLiteral("time")); time >= 0) m_field->setCurrentIndex(time);
  }
  fillSizes();
  fill(m_images, m_report->images, QStringLiteral("qualityImages"));
  fillBalance();
  fill(m_tokens, m_report->tokens.figures, QStringLiteral("qualityTokens"));
  fill(m_lengths, m_report->tokens.lengths, QStringLiteral("qualityLengths"));
  m_tokenText->setText(m_report->counted ? m_report->tokens.summary
                                         : tr("Answers longer than the model's limit are cut and teach it to stop."));
  fill(m_same, m_report->still + m_report->same, QStringLiteral("qualitySame"));
  m_sameText->setText(m_report->compared ? m_report->stillText + QLatin1Char('\n') + m_report->sameText
                                         : m_report->stillText);
  m_compare->setVisible(!m_report->compared);
}

void QualityPanel::place(QVBoxLayout* into, QualityRow* row, const QString& name) {
  row->setObjectName(name);
  into->addWidget(row);
  connect(row, &QualityRow::clicked, this, [this, query = row->query()] { emit queryChosen(query); });
}

void QualityPanel::fill(QVBoxLayout* into, const QList<QualityFigure>& figures, const QString& name) {
  emptyOut(into);
  int number = 0;
  for (const QualityFigure& figure : figures)
    place(into, new QualityRow(figure), name + QLatin1Char('_') + QString::number(number++));
}

void QualityPanel::setClasses(const std::vector<std::string>& names) { m_colours = ClassColours(names); }

void QualityPanel::fillSizes() {
  emptyOut(m_sizes);
  if (m_report->sizes.isEmpty()) return m_sizes->addWidget(secondaryLabel(tr("There are no boxes.")));
  auto* table = new QWidget;
  auto* grid = new QGridLayout(table);
  grid->setContentsMargins(0, 4, 0, 0);
  grid->setHorizontalSpacing(4);
  grid->setVerticalSpacing(1);
  grid->setColumnStretch(0, 1);
  for (int i = 0; i < m_report->modelSides.size(); ++i) {
    auto* side = secondaryLabel(QString::number(m_report->modelSides[i]) + tr(" px"));
    side->setContentsMargins(0, 0, 6, 0);
    grid->addWidget(side, 0, i + 1, Qt::AlignRight);
  }
  int line = 1;
  for (const QualitySizes& one : m_report->sizes) {
    auto* name = new ElidedLabel(classWords(one.className));
    name->setElideMode(Qt::ElideMiddle);
    grid->addWidget(name, line, 0);
    for (int i = 0; i < one.figures.size(); ++i) {
      const QualityFigure& figure = one.figures[i];
      auto* cell = new QualityRow(figure, m_colours.of(figure.className.toStdString()));
      cell->setObjectName(QStringLiteral("qualitySize_%1_%2").arg(one.className).arg(m_report->modelSides.value(i)));
      cell->setAccessibleName(tr("%1 too small at %2 pixels: %3")
                                  .arg(classWords(one.className))
                                  .arg(m_report->modelSides.value(i))
                                  .arg(figure.reading));
      cell->setFixedWidth(kCellWidth);
      grid->addWidget(cell, line, i + 1);
      connect(cell, &QualityRow::clicked, this, [this, query = figure.query] { emit queryChosen(query); });
    }
    ++line;
  }
  m_sizes->addWidget(table);
}

void QualityPanel::fillBalance() {
  emptyOut(m_balance);
  const int at = m_field->currentIndex();
  if (!m_report || at < 0 || at >= m_report->balance.size()) return;
  const QualityBalance& balance = m_report->balance[at];
  quint64 most = 1;
  for (const QualityGroup& group : balance.groups) most = std::max(most, group.boxes);
  for (const QualityGroup& group : balance.groups) {
    std::vector<QualityRow::Piece> pieces;
    QStringList parts;
    for (const QualityGroup::Part& part : group.parts) {
      pieces.push_back({double(part.boxes) / double(most), m_colours.of(part.className.toStdString())});
      parts << classWords(part.className) + QLatin1Char(' ') + countText(part.boxes);
    }
    const QString images = group.images == 1 ? tr("1 image") : tr("%1 images").arg(countText(group.images));
    const QString boxes = group.boxes == 1 ? tr("1 box") : tr("%1 boxes").arg(countText(group.boxes));
    auto* one = new QualityRow(group.label, images + QStringLiteral("  ·  ") + boxes, std::move(pieces), group.query);
    one->setToolTip(parts.join(QStringLiteral("  ·  ")));
    place(m_balance, one, QStringLiteral("quality_%1_%2").arg(balance.field, group.label));
  }
}

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/result_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/icons.h"
#include "widgets/common/roles.h"
#include "widgets/common/theme.h"
#include "widgets/common/wrap_layout.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace roadtune::widgets {

namespace {
constexpr int kLeastField = 140;
}

ResultPanel::ResultPanel(QWidget* parent)
    : QWidget(parent),
      m_title(headingLabel({})),
      m_note(secondaryLabel({})),
      m_checkpoint(new QComboBox),
      m_data(new QLineEdit),
      m_query(new QLineEdit),
      m_to(new QLineEdit),
      m_limit(new QSpinBox),
      m_start(primaryButton({}, QStringLiteral("resultStart"))),
      m_fields(new WrapLayout(12)) {
  setObjectName(QStringLiteral("resultPanel"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_title->setObjectName(QStringLiteral("resultTitle"));
  m_note->setObjectName(QStringLiteral("resultNote"));
  m_note->setWordWrap(true);
  m_checkpoint->setObjectName(QStringLiteral("resultCheckpoint"));
  m_data->setObjectName(QStringLiteral("resultData"));
  m_query->setObjectName(QStringLiteral("resultQuery"));
  m_query->setPlaceholderText(tr("all images"));
  m_to->setObjectName(QStringLiteral("resultTo"));
  m_limit->setObjectName(QStringLiteral("resultLimit"));
  m_limit->setRange(0, 10'000'000);
  m_limit->setSpecialValueText(tr("no limit"));
  addField(tr("Checkpoint"), m_checkpoint, 150);
  addField(tr("Data"), m_data);
  addField(tr("Only the images of a query"), m_query);
  addField(tr("Images at most"), m_limit, 110);
  addField(tr("Goes to"), m_to);
  auto* cancel = plainButton(tr("Close"), QStringLiteral("resultClose"));
  m_fields->addWidget(cancel, Qt::AlignBottom);
  m_fields->addWidget(m_start, Qt::AlignBottom);
  auto* layout = column(this, 4);
  layout->setContentsMargins(36, 8, 12, 10);
  layout->addWidget(m_title);
  layout->addLayout(m_fields);
  layout->addWidget(m_note);
  const QAction* choose = m_to->addAction(icon(QStringLiteral("folder"), true), QLineEdit::TrailingPosition);
  connect(choose, &QAction::triggered, this, &ResultPanel::browse);
  connect(cancel, &QPushButton::clicked, this, &QWidget::hide);
  connect(m_start, &QPushButton::clicked, this, &ResultPanel::accept);
  for (QLineEdit* line : {m_data, m_query, m_to}) {
    connect(line, &QLineEdit::textChanged, this, &ResultPanel::refresh);
    connect(line, &QLineEdit::returnPressed, this, &ResultPanel::accept);
  }
  hide();
}

void ResultPanel::addField(const QString& words, QWidget* field, int width) {
  field->setAccessibleName(words);
  width > 0 ? field->setFixedWidth(width) : field->setMinimumWidth(kLeastField);
  auto* both = new QWidget;
  auto* layout = column(both, 4);
  auto* label = secondaryLabel(words);
  label->setBuddy(field);
  layout->addWidget(label);
  layout->addWidget(field);
  m_fields->addWidget(both);
}

void ResultPanel::open(const Offer& offer) {
  m_offer = offer;
  const bool predicts = offer.kind == RunResult::Predict;
  switch (offer.kind) {
    case RunResult::Report:
      m_title->setText(tr("A report of %1 to share").arg(offer.name));
      m_start->setText(tr("Write report"));
      break;
    case RunResult::Merge:
      m_title->setText(tr("Fold the adapters of %1 into their model").arg(offer.name));
      m_start->setText(tr("Merge"));
      break;
    case RunResult::Predict:
      m_title->setText(tr("Predict with %1").arg(offer.name));
      m_start->setText(tr("Predict"));
      break;
  }
  m_checkpoint->clear();
  for (const auto& [words, folder] : offer.checkpoints) m_checkpoint->addItem(words, folder);
  m_data->setText(offer.data);
  m_query->setText(offer.query);
  m_to->setText(offer.to);
  m_checkpoint->parentWidget()->setVisible(offer.kind != RunResult::Report);
  for (QWidget* field : std::initializer_list<QWidget*>{m_data, m_query, m_limit})
    field->parentWidget()->setVisible(predicts);
  refresh();
  show();
  (m_offer.kind == RunResult::Report ? static_cast<QWidget*>(m_to) : m_checkpoint)->setFocus();
}

void ResultPanel::browse() {
  auto* dialog = new QFileDialog(window(), tr("Where it goes"), QFileInfo(m_to->text()).path());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("resultToDialog"));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setFileMode(m_offer.kind == RunResult::Merge ? QFileDialog::Directory : QFileDialog::AnyFile);
  connect(dialog, &QFileDialog::fileSelected, m_to, &QLineEdit::setText);
  dialog->open();
}

// Says what will happen, or what is missing.
void ResultPanel::refresh() {
  QString problem = m_offer.problem;
  const QFileInfo place(m_to->text().trimmed());
  if (problem.isEmpty() && m_to->text().trimmed().isEmpty()) problem = tr("Say where it goes.");
  if (problem.isEmpty() && m_offer.kind == RunResult::Predict && m_data->text().trimmed().isEmpty())
    problem = tr("Say which data to predict for: the folder of an index, a JSONL or a COCO file.");
  if (problem.isEmpty() && m_offer.kind == RunResult::Merge && place.exists())
    problem = tr("%1 is there already. Choose another folder.").arg(place.fileName());
  if (problem.isEmpty() && m_offer.kind != RunResult::Merge && place.isDir())
    problem = tr("%1 is a folder. Name a file.").arg(place.fileName());
  m_start->setEnabled(problem.isEmpty());
  QString note = problem;
  if (note.isEmpty() && place.exists()) note = tr("%1 is replaced.").arg(place.fileName());
  if (note.isEmpty() && m_offer.kind == RunResult::Report)
    note = tr("One HTML page with plots, settings and what was noticed; it needs nothing else.");
  if (note.isEmpty() && m_offer.kind == RunResult::Merge)
    note = tr("A whole model in the layout of its base, for any program that loads PaliGemma.");
  if (note.isEmpty()) note = tr("A COCO results file, which the Data page shows beside the labels.");
  m_note->setText(note);
  m_note->setForegroundRole(problem.isEmpty() ? kQuietRole : kBadRole);
}

void ResultPanel::accept() {
  if (!m_start->isEnabled()) return;
  hide();
  emit wanted({m_offer.kind, m_offer.run, m_offer.name, m_offer.base, m_checkpoint->currentData().toString(),
               m_data->text().trimmed(), m_query->text().trimmed(), m_to->text().trimmed(), m_limit->value()});
}

void ResultPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return hide();
  QWidget::keyPressEvent(event);
}

void ResultPanel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(QRect(0, height() - 1, width(), 1), Theme::tokens().line);
}

}  // namespace roadtune::widgets

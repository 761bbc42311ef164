// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/live_edit_panel.h"

#include "core/runs/comparison.h"
#include "widgets/common/controls.h"
#include "widgets/common/theme.h"
#include "widgets/common/wrap_layout.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace roadtune::widgets {
namespace {

struct Setting {
  const char* key;
  const char* words;
};
const Setting kSettings[] = {{"learning_rate", QT_TRANSLATE_NOOP("LiveEdit", "Learning rate")},
                             {"max_grad_norm", QT_TRANSLATE_NOOP("LiveEdit", "Clip gradients at")},
                             {"logging_steps", QT_TRANSLATE_NOOP("LiveEdit", "Log every … steps")},
                             {"save_steps", QT_TRANSLATE_NOOP("LiveEdit", "Save every … steps")},
                             {"eval_steps", QT_TRANSLATE_NOOP("LiveEdit", "Evaluate every … steps")}};

constexpr int kFieldWidth = 128, kFieldMargins = 24;

// As wide as what it says while it is empty.
void setPlaceholder(QLineEdit* edit, const QString& words) {
  edit->setPlaceholderText(words);
  edit->setFixedWidth(std::max(kFieldWidth, edit->fontMetrics().horizontalAdvance(words) + kFieldMargins));
}

}  // namespace

LiveEditPanel::LiveEditPanel(QWidget* parent)
    : QWidget(parent), m_problem(secondaryLabel({})), m_apply(primaryButton(tr("Apply"), QStringLiteral("liveApply"))) {
  setObjectName(QStringLiteral("liveEditPanel"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_problem->setObjectName(QStringLiteral("liveProblem"));
  m_problem->setWordWrap(true);
  auto* fields = new WrapLayout(12);
  for (const Setting& one : kSettings) {
    const QString words = QCoreApplication::translate("LiveEdit", one.words);
    auto* edit = new QLineEdit;
    edit->setObjectName(QStringLiteral("live_") + QLatin1String(one.key));
    edit->setAccessibleName(words);
    edit->setFixedWidth(kFieldWidth);
    auto* both = new QWidget;
    auto* pair = column(both, 4);
    pair->addWidget(secondaryLabel(words));
    pair->addWidget(edit);
    fields->addWidget(both);
    m_fields.push_back({QLatin1String(one.key), edit});
    connect(edit, &QLineEdit::textChanged, this, &LiveEditPanel::refresh);
    connect(edit, &QLineEdit::returnPressed, this, &LiveEditPanel::apply);
  }
  auto* cancel = plainButton(tr("Close"), QStringLiteral("liveClose"));
  fields->addStretch();
  fields->addWidget(cancel, Qt::AlignBottom);
  fields->addWidget(m_apply, Qt::AlignBottom);
  auto* layout = column(this, 4);
  layout->setContentsMargins(36, 8, 12, 10);
  layout->addLayout(fields);
  layout->addWidget(m_problem);
  connect(m_apply, &QPushButton::clicked, this, &LiveEditPanel::apply);
  connect(cancel, &QPushButton::clicked, this, &LiveEditPanel::close);
  refresh();
  hide();
}

void LiveEditPanel::setConfig(const QString& yaml) {
  if (yaml == m_yaml) return;
  m_yaml = yaml;
  for (const Field& field : m_fields) setPlaceholder(field.edit, tr("as it is"));
  for (const auto& [key, value] : runs::flattenSettings(yaml.toStdString())) {
    const QString name = QString::fromStdString(key).section(QLatin1Char('.'), -1);
    for (const Field& field : m_fields) {
      if (field.key == name && !value.empty())
        setPlaceholder(field.edit, tr("began with %1").arg(QString::fromStdString(value)));
    }
  }
}

void LiveEditPanel::open() {
  show();
  m_fields.front().edit->setFocus();
}

void LiveEditPanel::close() {
  clear();
  hide();
}

void LiveEditPanel::clear() {
  for (const Field& field : m_fields) field.edit->clear();
}

// The same words and the same checks as `roadtune set`.
void LiveEditPanel::refresh() {
  m_edit = {};
  QString line, problem;
  for (const Field& field : m_fields) {
    const QString text = field.edit->text().trimmed();
    if (text.isEmpty()) continue;
    const QString own = field.key + QLatin1Char('=') + text;
    line += QLatin1Char(' ') + own;
    const auto parsed = protocol::parseControlLine("set " + own.toStdString());
    if (!parsed.ok() && problem.isEmpty())
      problem = field.edit->accessibleName() + QStringLiteral(": ") + QString::fromStdString(parsed.error().what);
  }
  const auto whole = protocol::parseControlLine("set" + line.toStdString());
  const bool good = !line.isEmpty() && problem.isEmpty() && whole.ok();
  if (good) m_edit = whole.value().edit;
  m_apply->setEnabled(good);
  m_problem->setText(problem.isEmpty() ? tr("Takes effect after the current step and stays when the run is resumed.")
                                       : problem);
  QPalette colours = m_problem->palette();
  colours.setColor(QPalette::PlaceholderText, problem.isEmpty() ? Theme::tokens().secondary : Theme::tokens().bad);
  m_problem->setPalette(colours);
}

void LiveEditPanel::apply() {
  if (m_apply->isEnabled()) emit applied(m_edit);
}

void LiveEditPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return close();
  QWidget::keyPressEvent(event);
}

void LiveEditPanel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(QRect(0, height() - 1, width(), 1), Theme::tokens().line);
}

}  // namespace roadtune::widgets

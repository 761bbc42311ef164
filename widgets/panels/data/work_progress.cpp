// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/work_progress.h"

#include "core/base/units.h"
#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/number_text.h"
#include "widgets/common/theme.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace roadtune::widgets {
namespace {

bool inBytes(const WorkProgress::State& state) { return state.unit == QLatin1String("bytes"); }

QString amount(const WorkProgress::State& state, quint64 value) {
  return numberText(inBytes(state) ? formatBytes(double(value)) : formatCount(static_cast<std::int64_t>(value)));
}

// The words the command line uses for its stages, as people read them.
QString stageWords(const QString& stage) {
  if (stage == QLatin1String("indexing")) return WorkProgress::tr("Reading recordings");
  if (stage == QLatin1String("thumbnails")) return WorkProgress::tr("Making thumbnails");
  if (stage == QLatin1String("exporting") || stage == QLatin1String("export")) return WorkProgress::tr("Writing");
  if (stage.isEmpty()) return stage;
  return stage.at(0).toUpper() + stage.mid(1);
}

QString unitWords(const QString& unit) {
  if (unit == QLatin1String("images")) return WorkProgress::tr("images");
  if (unit == QLatin1String("samples")) return WorkProgress::tr("samples");
  return unit;
}

// "41.3 images/s"; thousands are counted whole, with the marks of the language.
QString rateWords(const WorkProgress::State& state) {
  if (inBytes(state)) return numberText(formatBytes(state.rate) + "/s");
  return numberText(formatRate(state.rate, unitWords(state.unit).toStdString()));
}

}  // namespace

QString progressAmounts(const WorkProgress::State& state) {
  const QString unit = inBytes(state) ? QString() : QLatin1Char(' ') + unitWords(state.unit);
  QStringList parts;
  parts << (state.total > 0
                ? WorkProgress::tr("%1 of %2%3").arg(amount(state, state.done), amount(state, state.total), unit)
                : amount(state, state.done) + unit);
  if (state.rate > 0) parts << rateWords(state);
  if (state.eta >= 1) parts << WorkProgress::tr("%1 left").arg(numberText(formatDuration(state.eta)));
  return parts.join(QStringLiteral("  ·  "));
}

WorkProgress::WorkProgress(const QString& name, QWidget* parent)
    : QWidget(parent),
      m_stage(headingLabel({})),
      m_bar(new QProgressBar),
      m_amount(secondaryLabel({})),
      m_detail(new ElidedLabel),
      m_cancel(plainButton(tr("Cancel"), name + QStringLiteral("Cancel"))) {
  setObjectName(name + QStringLiteral("Progress"));
  m_amount->setObjectName(name + QStringLiteral("Amount"));
  m_bar->setTextVisible(false);
  m_bar->setFixedHeight(8);
  m_detail->setFont(secondaryFont());
  m_detail->setForegroundRole(QPalette::PlaceholderText);
  m_detail->setElideMode(Qt::ElideMiddle);
  auto* head = row(nullptr, 8);
  head->addWidget(m_stage, 1);
  head->addWidget(m_cancel);
  auto* layout = column(this, 6);
  layout->addLayout(head);
  layout->addWidget(m_bar);
  layout->addWidget(m_amount);
  layout->addWidget(m_detail);
  setFocusProxy(m_cancel);
  connect(m_cancel, &QPushButton::clicked, this, [this] {
    m_cancel->setEnabled(false);
    emit cancelRequested();
  });
}

void WorkProgress::begin(const QString& what) {
  m_stage->setText(what);
  m_bar->setAccessibleName(what);
  m_bar->setRange(0, 0);
  m_amount->clear();
  m_detail->setText({});
  m_cancel->setEnabled(true);
}

void WorkProgress::setState(const State& state) {
  m_stage->setText(stageWords(state.stage));
  m_bar->setRange(0, state.total == 0 ? 0 : 1000);
  if (state.total > 0) m_bar->setValue(static_cast<int>(1000.0 * double(state.done) / double(state.total)));
  m_amount->setText(progressAmounts(state));
  m_detail->setText(state.detail);
}

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/train/cost_panel.h"

#include "core/base/units.h"
#include "widgets/common/controls.h"
#include "widgets/common/roles.h"
#include "widgets/common/theme.h"
#include "widgets/panels/train/memory_bar.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace roadtune::widgets {
namespace {

QString countText(std::int64_t count) { return QString::fromStdString(formatCount(count)); }

QLabel* wrapped(const QString& name) {
  auto* label = new QLabel;
  label->setObjectName(name);
  label->setWordWrap(true);
  return label;
}

}  // namespace

QString batchSentence(const config::RunConfig& config) {
  const auto batch = config.integer("per_device_train_batch_size");
  const auto accumulated = std::max<std::int64_t>(1, config.integer("gradient_accumulation_steps"));
  const auto processes = std::max<std::int64_t>(1, config.integer("nproc_per_node"));
  QString text = countText(batch);
  if (accumulated > 1) text += CostPanel::tr(" × %1 accumulated").arg(accumulated);
  if (processes > 1) text += CostPanel::tr(" × %1 processes").arg(processes);
  if (accumulated > 1 || processes > 1) text += QStringLiteral(" = ") + countText(batch * accumulated * processes);
  return CostPanel::tr("%1 samples a step").arg(text);
}

CostPanel::CostPanel(QWidget* parent)
    : QWidget(parent),
      m_trainable(titleLabel({})),
      m_total(secondaryLabel({})),
      m_batch(wrapped(QStringLiteral("effectiveBatch"))),
      m_length(secondaryLabel({})),
      m_memory(headingLabel(tr("Memory"))),
      m_bar(new MemoryBar),
      m_verdict(wrapped(QStringLiteral("memoryVerdict"))),
      m_why(wrapped(QStringLiteral("startBlocked"))),
      m_start(primaryButton(tr("Start run"), QStringLiteral("startRun"))) {
  setObjectName(QStringLiteral("costPanel"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  setMinimumWidth(260);
  m_trainable->setObjectName(QStringLiteral("trainableCount"));
  m_total->setObjectName(QStringLiteral("totalCount"));
  m_verdict->setFont(secondaryFont());
  m_why->setFont(secondaryFont());
  m_why->setForegroundRole(QPalette::PlaceholderText);
  m_start->setToolTip(tr("Start run  (Ctrl+Enter)"));
  m_start->setMinimumHeight(32);
  auto* layout = column(this, 4);
  layout->setContentsMargins(16, 8, 16, 12);
  layout->addWidget(headingLabel(tr("What it costs")));
  layout->addSpacing(8);
  layout->addWidget(secondaryLabel(tr("Trained parameters")));
  layout->addWidget(m_trainable);
  layout->addWidget(m_total);
  layout->addSpacing(12);
  layout->addWidget(secondaryLabel(tr("Effective batch")));
  layout->addWidget(m_batch);
  layout->addWidget(m_length);
  layout->addSpacing(12);
  layout->addWidget(m_memory);
  layout->addWidget(m_bar);
  layout->addWidget(m_verdict);
  layout->addStretch(1);
  layout->addWidget(m_why);
  layout->addWidget(m_start);
  connect(m_start, &QPushButton::clicked, this, &CostPanel::startRequested);
  setEstimate({});
}

void CostPanel::setConfig(const config::RunConfig& config) {
  m_batch->setText(batchSentence(config));
  const auto steps = config.integer("max_steps");
  if (steps > 0) {
    m_length->setText(tr("%1 steps").arg(countText(steps)));
  } else {
    m_length->setText(tr("%1 passes over the training data").arg(QString::fromStdString(formatNumber(config.number("num_train_epochs")))));
  }
}

void CostPanel::setEstimate(const TrainEstimate& estimate) {
  const bool known = estimate.tree != nullptr;
  for (QWidget* part : {static_cast<QWidget*>(m_memory), static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_verdict)}) part->setVisible(known);
  if (!known) {
    m_trainable->setText(QStringLiteral("-"));
    m_total->setText(tr("known once a model is chosen"));
    return;
  }
  const auto trainable = estimate.tree->trainableParameters(), all = estimate.tree->allParameters();
  m_trainable->setText(countText(trainable));
  m_total->setText(tr("%1 % of %2").arg(all > 0 ? 100.0 * double(trainable) / double(all) : 0, 0, 'f', 3).arg(countText(all)));
  m_bar->setPlan(estimate.plan, estimate.memory);
  const auto needed = estimate.plan.total();
  m_memory->setText(tr("Memory of %1").arg(estimate.memoryOwner));
  const QString sentence = tr("%1 of %2 for each process").arg(QString::fromStdString(formatBytes(double(needed))), QString::fromStdString(formatBytes(double(estimate.memory))));
  const bool tooMuch = estimate.memory > 0 && needed > estimate.memory;
  m_verdict->setForegroundRole(tooMuch ? kBadRole : kQuietRole);
  m_verdict->setText(tooMuch ? sentence + tr(". It does not fit: lower the batch, turn on gradient checkpointing, or train with LoRA.") : sentence);
}

void CostPanel::setBlocked(const QString& why) {
  m_blocked = why;
  refreshStart();
}

void CostPanel::setStarting(bool starting) {
  m_starting = starting;
  refreshStart();
}

void CostPanel::refreshStart() {
  m_start->setEnabled(m_blocked.isEmpty() && !m_starting);
  m_start->setText(m_starting ? tr("Starting…") : tr("Start run"));
  m_why->setText(m_blocked);
  m_why->setVisible(!m_blocked.isEmpty());
}

}  // namespace roadtune::widgets

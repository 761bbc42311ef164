// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/train/cost_panel.h"

#include "core/base/units.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_text.h"
#include "widgets/common/roles.h"
#include "widgets/common/shown_text.h"
#include "widgets/common/theme.h"
#include "widgets/common/wrap_layout.h"
#include "widgets/panels/train/dry_run_panel.h"
#include "widgets/panels/train/memory_bar.h"
#include "widgets/panels/train/variant_panel.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace roadtune::widgets {
namespace {

// How long a sample is taken to be, and why.
QString assumedSentence(const data::PlannedLength& length) {
  using From = data::PlannedLength::From;
  const QString tokens = countText(length.text);
  if (length.from == From::Limit)
    return CostPanel::tr("For %1 text tokens a sample, as many as the greatest length allows.").arg(tokens);
  if (length.from == From::Usual)
    return CostPanel::tr(
               "For %1 text tokens a sample, until the data is imported. A run imports recordings when it starts.")
        .arg(tokens);
  const QString looked = countText(std::int64_t(length.looked));
  return length.looked == length.samples
             ? CostPanel::tr("For %1 text tokens a sample, as the longest of %2 has.").arg(tokens, looked)
             : CostPanel::tr("For %1 text tokens a sample, as the longest of %2 of %3 has.")
                   .arg(tokens, looked, countText(std::int64_t(length.samples)));
}

QLabel* wrapped(const QString& name) {
  auto* label = new QLabel;
  label->setObjectName(name);
  label->setWordWrap(true);
  return label;
}

}  // namespace

QString batchSentence(const config::RunConfig& config, int processes, int machines) {
  const auto batch = config.integer("per_device_train_batch_size");
  const auto accumulated = std::max<std::int64_t>(1, config.integer("gradient_accumulation_steps"));
  QString text = countText(batch);
  if (accumulated > 1) text += CostPanel::tr(" × %1 accumulated").arg(accumulated);
  if (processes > 1) text += CostPanel::tr(" × %1 processes").arg(processes);
  if (machines > 1) text += CostPanel::tr(" × %1 machines").arg(machines);
  const auto whole = batch * accumulated * processes * machines;
  if (whole != batch) text += QStringLiteral(" = ") + countText(whole);
  return CostPanel::tr("%1 samples a step").arg(text);
}

CostPanel::CostPanel(QWidget* where, QWidget* parent)
    : QWidget(parent),
      m_whereWidget(where),
      m_trainable(titleLabel({})),
      m_total(secondaryLabel({})),
      m_batch(wrapped(QStringLiteral("effectiveBatch"))),
      m_length(secondaryLabel({})),
      m_memory(headingLabel(tr("Memory"))),
      m_bar(new MemoryBar),
      m_verdict(wrapped(QStringLiteral("memoryVerdict"))),
      m_assumed(wrapped(QStringLiteral("memoryAssumed"))),
      m_fit(plainButton(tr("Make it fit"), QStringLiteral("fitIt"))),
      m_why(wrapped(QStringLiteral("startBlocked"))),
      m_wayOut(plainButton({}, QStringLiteral("startWayOut"))),
      m_start(primaryButton(tr("Start run"), QStringLiteral("startRun"))),
      m_queue(plainButton(tr("Queue"), QStringLiteral("queueRun"))),
      m_vary(plainButton(tr("Variants…"), QStringLiteral("varyRun"))),
      m_try(plainButton(tr("Dry run"), QStringLiteral("dryRun"))),
      m_dryRun(new DryRunPanel),
      m_variants(new VariantPanel),
      m_scroll(verticalScroll(surface())) {
  setObjectName(QStringLiteral("costPanel"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_trainable->setObjectName(QStringLiteral("trainableCount"));
  m_total->setObjectName(QStringLiteral("totalCount"));
  m_verdict->setFont(secondaryFont());
  m_assumed->setFont(secondaryFont());
  m_assumed->setForegroundRole(kQuietRole);
  m_why->setFont(secondaryFont());
  m_why->setForegroundRole(QPalette::PlaceholderText);
  m_start->setToolTip(tr("Start run  (Ctrl+Enter)"));
  m_start->setMinimumHeight(32);
  m_queue->setToolTip(tr("Let it start when its turn comes and its machines are free"));
  m_queue->setMinimumHeight(32);
  m_vary->setToolTip(tr("Queue several runs that differ in some settings"));
  m_vary->setMinimumHeight(32);
  m_try->setToolTip(tr("Prove in about a minute that it will work: the longest samples, an evaluation, a checkpoint"));
  m_try->setMinimumHeight(32);
  QWidget* inside = m_scroll->widget();
  auto* layout = column(inside, 4);
  layout->setContentsMargins(metrics::kPadding, 8, metrics::kPadding, 12);
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
  layout->addWidget(m_whereWidget);
  layout->addSpacing(12);
  layout->addWidget(m_memory);
  layout->addWidget(m_bar);
  layout->addWidget(m_verdict);
  layout->addWidget(m_assumed);
  layout->addWidget(m_fit, 0, Qt::AlignLeft);
  layout->addSpacing(12);
  layout->addWidget(m_dryRun);
  layout->addWidget(m_variants);
  layout->addStretch(1);
  m_scroll->setMinimumWidth(260);  // not of the panel itself: its buttons may need more
  auto* below = column(nullptr, 8);
  below->setContentsMargins(metrics::kPadding, 8, metrics::kPadding, 12);
  below->addWidget(m_why);
  below->addWidget(m_wayOut, 0, Qt::AlignLeft);
  auto* buttons = new WrapLayout(4);
  for (QPushButton* button : {m_try, m_queue, m_vary}) {
    button->setProperty("compact", true);  // in one row, in a small window too
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    buttons->addWidget(button);
  }
  below->addWidget(m_start);
  below->addLayout(buttons);
  auto* whole = column(this, 0);
  whole->addWidget(m_scroll, 1);
  whole->addLayout(below);
  connect(m_start, &QPushButton::clicked, this, &CostPanel::startRequested);
  connect(m_try, &QPushButton::clicked, this, &CostPanel::dryRunRequested);
  connect(m_queue, &QPushButton::clicked, this, &CostPanel::queueRequested);
  connect(m_vary, &QPushButton::clicked, this, &CostPanel::showVariants);
  connect(m_variants, &VariantPanel::grown, this, &CostPanel::keepVariantsInSight);
  connect(m_variants, &VariantPanel::focusLeaving, this,
          [this] { (m_vary->isEnabled() ? static_cast<QWidget*>(m_vary) : this)->setFocus(); });
  connect(m_dryRun, &DryRunPanel::focusLeaving, this,
          [this] { (m_try->isEnabled() ? static_cast<QWidget*>(m_try) : this)->setFocus(); });
  connect(m_wayOut, &QPushButton::clicked, this, &CostPanel::wayOutRequested);
  connect(m_fit, &QPushButton::clicked, this, [this] { emit fitRequested(m_estimate.fitValues); });
  m_wayOut->hide();
  m_length->setWordWrap(true);
  m_length->setObjectName(QStringLiteral("runLength"));
  setEstimate({});
}

void CostPanel::setConfig(const config::RunConfig& config) {
  m_config = config;
  m_variants->setConfig(config);
  refreshLength();
}

void CostPanel::setPace(double samplesPerSecond, const QString& run) {
  m_pace = samplesPerSecond;
  m_paceOf = run;
  refreshLength();
}

void CostPanel::refreshLength() {
  const auto steps =
      m_config.integer("max_steps") > 0 ? std::optional(m_config.integer("max_steps")) : m_estimate.steps;
  QStringList lines;
  if (steps) {
    QString line = *steps == 1 ? tr("1 step") : tr("%1 steps").arg(countText(*steps));
    if (m_estimate.doneSteps > 0)
      line = tr("%1 of %2").arg(countText(*steps - m_estimate.doneSteps), line) + tr(" after the checkpoint");
    if (m_estimate.samples)
      line +=
          *m_estimate.samples == 1 ? tr(" over 1 sample") : tr(" over %1 samples").arg(countText(*m_estimate.samples));
    lines << line;
  } else {
    lines << tr("%1 passes over the training data").arg(numberText(formatNumber(m_config.number("num_train_epochs"))));
  }
  if (steps && m_pace > 0) {
    const auto batch = m_config.integer("per_device_train_batch_size") *
                       std::max<std::int64_t>(1, m_config.integer("gradient_accumulation_steps"));
    const double left = double(std::max<std::int64_t>(0, *steps - m_estimate.doneSteps));
    const double seconds = left * double(batch) * m_estimate.processes * m_estimate.machines / m_pace;
    lines << tr("about %1 at the pace of “%2”").arg(numberText(formatDuration(seconds)), m_paceOf);
  }
  if (m_estimate.checkpointBytes > 0) {
    const QString one = numberText(formatBytes(double(m_estimate.checkpointBytes)));
    const auto kept = m_config.has("save_total_limit") ? m_config.integer("save_total_limit") : 0;
    lines << (kept > 0 ? tr("%1 on disk for each checkpoint, %2 kept").arg(one).arg(kept)
                       : tr("%1 on disk for each checkpoint").arg(one));
  }
  m_length->setText(lines.join(QLatin1Char('\n')));
}

void CostPanel::setEstimate(const TrainEstimate& estimate) {
  m_estimate = estimate;
  m_batch->setText(batchSentence(m_config, estimate.processes, estimate.machines));
  refreshLength();
  const bool known = estimate.tree != nullptr;
  for (QWidget* part : {static_cast<QWidget*>(m_memory), static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_verdict),
                        static_cast<QWidget*>(m_assumed)})
    part->setVisible(known);
  m_fit->setVisible(known && !estimate.fitValues.empty());
  if (!known) {
    m_trainable->setText(QStringLiteral("-"));
    const bool chosen = m_config.has("model_name_or_path") && !m_config.text("model_name_or_path").empty();
    m_total->setText(chosen ? tr("known once what is trained fits the model") : tr("known once a model is chosen"));
    return;
  }
  const auto trainable = estimate.tree->trainableParameters(), all = estimate.tree->allParameters();
  m_trainable->setText(countText(trainable));
  const double share = all > 0 ? 100.0 * double(trainable) / double(all) : 0;
  m_total->setText(tr("%1 % of %2").arg(fixedText(share, share >= 99.95 ? 0 : share >= 1 ? 1 : 3)).arg(countText(all)));
  refreshMemory();
}

void CostPanel::refreshMemory() {
  m_bar->setPlan(m_estimate.plan, m_estimate.memory);
  m_assumed->setText(assumedSentence(m_estimate.length));
  m_memory->setText(m_estimate.memoryTitle.isEmpty() ? tr("Memory") : m_estimate.memoryTitle);
  const auto needed = m_estimate.plan.total();
  const QString much = numberText(formatBytes(double(needed)));
  if (m_estimate.memory == 0) return m_verdict->setText(tr("%1 for each process").arg(much));
  QString sentence = tr("%1 of %2 for each process").arg(much, numberText(formatBytes(double(m_estimate.memory))));
  const bool tooMuch = needed > m_estimate.memory;
  m_verdict->setForegroundRole(tooMuch ? kBadRole : kQuietRole);
  if (tooMuch && m_estimate.fitValues.empty())
    sentence += tr(". It does not fit: train less of it, with LoRA or in 4 bits.");
  if (!m_estimate.fitValues.empty())
    sentence += (tooMuch ? tr(". It would fit with %1.") : tr(". It could be faster: %1.")).arg(m_estimate.fitWords);
  m_fit->setText(tooMuch ? tr("Make it fit") : tr("Make it faster"));
  m_verdict->setText(sentence);
}

void CostPanel::setBlocked(const QString& why) {
  m_blocked = why;
  refreshStart();
}

void CostPanel::setToChoose(const QString& what) {
  m_toChoose = what;
  refreshStart();
}

void CostPanel::setWayOut(const QString& label, const QString& note) {
  m_note = note;
  m_wayOut->setText(buttonText(label));
  m_wayOut->setVisible(!label.isEmpty());
  refreshStart();
}

void CostPanel::setStarting(bool starting) {
  m_starting = starting;
  refreshStart();
}

void CostPanel::setProving(bool proving) {
  m_proving = proving;
  refreshStart();
}

void CostPanel::showWhere() { m_scroll->ensureWidgetVisible(m_whereWidget); }

void CostPanel::showVariants() {
  m_variants->open();
  keepVariantsInSight();
}

// Once it has its place.
void CostPanel::keepVariantsInSight() {
  QTimer::singleShot(0, m_variants, [this] {
    if (m_variants->isVisible()) m_scroll->ensureWidgetVisible(m_variants, 0, 0);
  });
}

void CostPanel::showDryRun() { m_scroll->ensureWidgetVisible(m_dryRun); }

// A button that goes out under the fingers hands the focus on: to what ends the dry run, else to the panel, so that it
// stays on this page; and takes it back when it can be pressed again.
void CostPanel::keepFocus(bool enabled) {
  QWidget* const end = m_dryRun->closeButton();
  if (!enabled) {
    for (QPushButton* one : {m_start, m_try, m_queue, m_vary}) {
      if (!one->hasFocus()) continue;
      m_focused = one;
      (m_proving && end->isVisible() ? end : static_cast<QWidget*>(this))->setFocus();
    }
    return;
  }
  // Where focus has gone on its own, it stays.
  const QWidget* now = window()->focusWidget();
  if (m_focused && (!now || now == this || now == end || !now->isVisible())) m_focused->setFocus();
  m_focused = nullptr;
}

void CostPanel::refreshStart() {
  const bool enabled = m_blocked.isEmpty() && !m_starting && !m_proving;
  if (!enabled) keepFocus(false);
  for (QPushButton* one : {m_start, m_queue, m_vary, m_try}) one->setEnabled(enabled);
  m_variants->setAllowed(enabled);
  if (enabled) keepFocus(true);
  m_start->setText(m_starting ? tr("Starting…") : tr("Start run"));
  const QString& why = !m_blocked.isEmpty() ? m_blocked : !m_toChoose.isEmpty() ? m_toChoose : m_note;
  m_why->setText(why);
  m_why->setVisible(!why.isEmpty());
}

}  // namespace roadtune::widgets

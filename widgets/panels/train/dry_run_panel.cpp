// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/train/dry_run_panel.h"

#include "core/runs/proof_words.h"
#include "widgets/common/controls.h"
#include "widgets/common/icons.h"
#include "widgets/common/number_text.h"
#include "widgets/common/theme.h"

#include <QCoreApplication>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace roadtune::widgets {
namespace {

// Everything that core says of proofs, so that it can be said in other languages.
[[maybe_unused]] constexpr const char* kWords[] = {QT_TRANSLATE_NOOP("Proof", "Longest samples"),
                                                   QT_TRANSLATE_NOOP("Proof", "Training step"),
                                                   QT_TRANSLATE_NOOP("Proof", "Pace"),
                                                   QT_TRANSLATE_NOOP("Proof", "Evaluation"),
                                                   QT_TRANSLATE_NOOP("Proof", "Predictions"),
                                                   QT_TRANSLATE_NOOP("Proof", "Checkpoint"),
                                                   QT_TRANSLATE_NOOP("Proof", "The whole run"),
                                                   QT_TRANSLATE_NOOP("Proof", "sample"),
                                                   QT_TRANSLATE_NOOP("Proof", "tokens"),
                                                   QT_TRANSLATE_NOOP("Proof", "samples looked at"),
                                                   QT_TRANSLATE_NOOP("Proof", "too long, left out"),
                                                   QT_TRANSLATE_NOOP("Proof", "loss"),
                                                   QT_TRANSLATE_NOOP("Proof", "gradient norm"),
                                                   QT_TRANSLATE_NOOP("Proof", "trained tensors"),
                                                   QT_TRANSLATE_NOOP("Proof", "memory"),
                                                   QT_TRANSLATE_NOOP("Proof", "a step"),
                                                   QT_TRANSLATE_NOOP("Proof", "throughput"),
                                                   QT_TRANSLATE_NOOP("Proof", "samples"),
                                                   QT_TRANSLATE_NOOP("Proof", "size"),
                                                   QT_TRANSLATE_NOOP("Proof", "written in"),
                                                   QT_TRANSLATE_NOOP("Proof", "read back in"),
                                                   QT_TRANSLATE_NOOP("Proof", "steps"),
                                                   QT_TRANSLATE_NOOP("Proof", "time"),
                                                   QT_TRANSLATE_NOOP("Proof", "checkpoints kept"),
                                                   QT_TRANSLATE_NOOP("Proof", "disk")};

QString words(const std::string& english) { return QCoreApplication::translate("Proof", english.c_str()); }

QWidget* rowOf(const runs::ProofInfo& proof) {
  const runs::ProofWords told = runs::wordsOf(proof);
  QStringList facts;
  QString tip;
  for (const auto& [label, value] : told.facts) {
    const QString fact = QStringLiteral("%1 %2").arg(words(label), numberText(value));
    if (label == "sample")
      tip = fact;  // too long for a line
    else
      facts << fact;
  }
  auto* whole = new QWidget;
  whole->setObjectName(QStringLiteral("dryRunProof"));
  whole->setToolTip(tip);
  auto* mark = new QLabel;
  const Tokens& t = Theme::tokens();
  mark->setPixmap(iconPixmap(proof.ok ? QStringLiteral("check") : QStringLiteral("error"), 14,
                             proof.ok ? t.good : t.bad, whole->devicePixelRatioF()));
  mark->setAccessibleName(proof.ok ? DryRunPanel::tr("proved") : DryRunPanel::tr("failed"));
  auto* title = new QLabel(words(told.title));
  auto* about = secondaryLabel(facts.join(QStringLiteral(", ")));
  about->setWordWrap(true);
  auto* lines = column(nullptr, 0);
  lines->addWidget(title);
  lines->addWidget(about);
  auto* layout = row(whole, 6);
  layout->addWidget(mark, 0, Qt::AlignTop);
  layout->addLayout(lines, 1);
  return whole;
}

}  // namespace

DryRunPanel::DryRunPanel(QWidget* parent)
    : QWidget(parent),
      m_mark(new QLabel),
      m_text(secondaryLabel({})),
      m_close(iconButton(QStringLiteral("close"), {}, QStringLiteral("dryRunClose"))),
      m_rows(column(nullptr, 4)) {
  setObjectName(QStringLiteral("dryRunPanel"));
  m_text->setObjectName(QStringLiteral("dryRunState"));
  m_text->setWordWrap(true);
  auto* head = row(nullptr, 4);
  head->addWidget(headingLabel(tr("Dry run")), 1);
  head->addWidget(m_close);
  auto* state = row(nullptr, 6);
  state->addWidget(m_mark, 0, Qt::AlignTop);
  state->addWidget(m_text, 1);
  auto* layout = column(this, 4);
  layout->addLayout(head);
  layout->addLayout(state);
  layout->addLayout(m_rows);
  connect(m_close, &QToolButton::clicked, this, [this] { m_running ? emit cancelRequested() : clear(); });
  hide();
}

void DryRunPanel::setHead(const QString& icon, const QColor& colour, const QString& text) {
  m_mark->setPixmap(iconPixmap(icon, 14, colour, devicePixelRatioF()));
  m_text->setText(text);
  const QString tip = m_running ? tr("End the dry run") : tr("Put away");
  m_close->setToolTip(tip);
  m_close->setAccessibleName(tip);
}

void DryRunPanel::begin(const QString& where) {
  clear();
  m_running = true;
  setHead(QStringLiteral("refresh"), Theme::tokens().secondary, tr("Under way on %1…").arg(where));
  show();
}

void DryRunPanel::setProofs(const std::vector<runs::ProofInfo>& proofs) {
  for (; m_shown < proofs.size(); ++m_shown) m_rows->addWidget(rowOf(proofs[m_shown]));
}

void DryRunPanel::finish(const QString& trouble) {
  m_running = false;
  m_proved = trouble.isEmpty();
  const Tokens& t = Theme::tokens();
  if (m_proved)
    setHead(QStringLiteral("check"), t.good, tr("With these settings the run will work."));
  else
    setHead(QStringLiteral("error"), t.bad, trouble);
}

void DryRunPanel::setOutdated() {
  if (m_running || isHidden() || !m_proved) return;
  setHead(QStringLiteral("info"), Theme::tokens().secondary, tr("Proved with settings that have changed since."));
}

void DryRunPanel::clear() {
  if (m_close->hasFocus()) emit focusLeaving();
  hide();
  m_shown = 0;
  m_running = m_proved = false;
  while (QLayoutItem* item = m_rows->takeAt(0)) {
    delete item->widget();
    delete item;
  }
}

}  // namespace roadtune::widgets

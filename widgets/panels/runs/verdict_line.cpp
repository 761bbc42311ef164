// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/verdict_line.h"

#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/icons.h"
#include "widgets/common/theme.h"
#include "widgets/common/told_words.h"

#include <QBoxLayout>
#include <QLabel>

namespace roadtune::widgets {

QString verdictText(const runs::Verdict& verdict) {
  QString text = verdictWords(verdict.title);
  if (!verdict.evidence.empty()) text += QStringLiteral(": ") + verdictWords(verdict.evidence);
  if (!verdict.advice.empty())
    text += QStringLiteral("  ·  ") + VerdictLine::tr("try: %1").arg(verdictWords(verdict.advice));
  if (verdict.gain && *verdict.gain > 0) text += VerdictLine::tr("  (up to +%1 %)").arg(qRound(*verdict.gain * 100));
  return text;
}

VerdictLine::VerdictLine(QWidget* parent) : QWidget(parent), m_mark(new QLabel), m_text(new ElidedLabel) {
  setObjectName(QStringLiteral("verdictLine"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_text->setObjectName(QStringLiteral("verdictText"));
  m_text->setFont(secondaryFont());
  auto* layout = row(this, 6);
  layout->setContentsMargins(12, 0, 12, 8);
  layout->addWidget(m_mark);
  layout->addWidget(m_text, 1);
  hide();
}

void VerdictLine::setVerdicts(const std::vector<runs::Verdict>& verdicts) {
  setVisible(!verdicts.empty());
  if (verdicts.empty()) return;
  const Tokens& t = Theme::tokens();
  const auto level = verdicts[0].level;
  const bool grave = level == runs::VerdictLevel::Critical;
  const QColor colour = grave ? t.bad : level == runs::VerdictLevel::Warning ? t.warn : t.secondary;
  m_mark->setPixmap(iconPixmap(grave                                  ? QStringLiteral("error")
                               : level == runs::VerdictLevel::Warning ? QStringLiteral("warning")
                                                                      : QStringLiteral("info"),
                               14, colour, devicePixelRatioF()));
  m_text->setText(verdictText(verdicts[0]));
  QStringList all;
  for (const runs::Verdict& verdict : verdicts) all << verdictText(verdict);
  setToolTip(all.join(QLatin1Char('\n')));
}

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/anatomy_band.h"

#include "core/base/units.h"
#include "widgets/common/number_text.h"
#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"

#include <QPainter>
#include <QPainterPath>

namespace roadtune::widgets {

AnatomyBand::AnatomyBand(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("anatomyBand"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  setFixedHeight(48);
  hide();
}

void AnatomyBand::setAnatomy(const runs::StepAnatomy& anatomy) {
  m_parts.clear();
  const auto add = [this](const QString& name, const std::optional<double>& seconds, const QColor& colour) {
    if (seconds && *seconds > 0) m_parts.push_back({name, *seconds, colour});
  };
  add(tr("waiting for data"), anatomy.wait, seriesColour(5));
  add(tr("copy"), anatomy.copy, seriesColour(1));
  add(tr("forward"), anatomy.forward, seriesColour(0));
  add(tr("backward"), anatomy.backward, seriesColour(4));
  add(tr("communication"), anatomy.comm, seriesColour(3));
  add(tr("optimizer"), anatomy.optimizer, seriesColour(2));
  add(tr("other"), anatomy.other, seriesColour(6));
  m_step = anatomy.step;
  m_steps = anatomy.steps;
  setVisible(!m_parts.empty());
  QStringList words;
  for (const Part& part : m_parts) words << part.name + QLatin1Char(' ') + numberText(formatDuration(part.seconds));
  setAccessibleName(tr("Where a step's time goes: %1").arg(words.join(QStringLiteral(", "))));
  update();
}

void AnatomyBand::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.fillRect(QRect(0, 0, width(), 1), t.line);
  double total = 0;
  for (const Part& part : m_parts) total += part.seconds;
  if (total <= 0) return;
  painter.setFont(secondaryFont());
  painter.setPen(t.secondary);
  const QString lead = tr("A step takes %1, of which").arg(numberText(formatDuration(std::max(m_step, total))));
  drawTabular(painter, QRectF(12, 6, width(), 16), Qt::AlignLeft, lead);
  double x = 12 + tabularWidth(painter.font(), lead) + 12;
  for (const Part& part : m_parts) {
    const QString text = part.name + QStringLiteral(" %1 %").arg(100 * part.seconds / total, 0, 'f', 0);
    const double needed = 14 + tabularWidth(painter.font(), text) + 14;
    if (x + needed > width()) break;
    painter.fillRect(QRectF(x, 10, 8, 8), part.colour);
    painter.setPen(t.text);
    drawTabular(painter, QRectF(x + 14, 6, 300, 16), Qt::AlignLeft, text);
    x += needed;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF band(12, 28, width() - 24, 10);
  QPainterPath clip;
  clip.addRoundedRect(band, 2, 2);
  painter.setClipPath(clip);
  double at = band.left();
  for (const Part& part : m_parts) {
    const double wide = band.width() * part.seconds / total;
    painter.fillRect(QRectF(at, band.top(), std::max(0.0, wide - 1), band.height()), part.colour);
    at += wide;
  }
}

}  // namespace roadtune::widgets

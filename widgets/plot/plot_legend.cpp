// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/plot_legend.h"

#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"

#include <QPainter>

namespace roadtune::widgets {

PlotLegend::PlotLegend(const QString& title, QWidget* parent) : QWidget(parent), m_title(title) {
  setFixedHeight(24);
  setAccessibleName(title);
}

void PlotLegend::setEntries(std::vector<Entry> entries) {
  m_entries = std::move(entries);
  QStringList words;
  for (const Entry& entry : m_entries) words << entry.name + QLatin1Char(' ') + entry.value;
  setAccessibleDescription(words.join(QStringLiteral(", ")));
  update();
}

void PlotLegend::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(strongFont());
  painter.setPen(t.text);
  painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, m_title);
  const double titleEnd = QFontMetricsF(strongFont()).horizontalAdvance(m_title) + 16;

  const QFont small = secondaryFont();
  const QFontMetricsF narrow(small);
  painter.setFont(small);
  const auto sampleOf = [](const Entry& entry) { return entry.line == Qt::SolidLine ? 10.0 : 22.0; };  // shows dashes
  const auto widthOf = [&](const Entry& entry) {
    return sampleOf(entry) + 8 + narrow.horizontalAdvance(entry.name) +
           (entry.value.isEmpty() ? 0 : 6 + tabularWidth(small, entry.value)) + 14;
  };
  const double restWidth = narrow.horizontalAdvance(QStringLiteral("+99"));
  const double room = width() - titleEnd - restWidth;
  std::size_t shown = 0;
  double used = 0;
  while (shown < m_entries.size() && used + widthOf(m_entries[shown]) <= room) used += widthOf(m_entries[shown++]);
  const QString rest = shown < m_entries.size() ? tr("+%1").arg(m_entries.size() - shown) : QString();
  double x = width() - used + (rest.isEmpty() ? 14 : -restWidth);
  for (std::size_t i = 0; i < shown; ++i) {
    const Entry& entry = m_entries[i];
    const bool solid = entry.line == Qt::SolidLine;
    const double sample = sampleOf(entry);
    painter.setPen(QPen(entry.colour, solid ? 2.5 : 2, entry.line, solid ? Qt::RoundCap : Qt::FlatCap));
    painter.drawLine(QPointF(x, height() / 2.0), QPointF(x + sample, height() / 2.0));
    painter.setPen(t.secondary);
    painter.drawText(QRectF(x + sample + 6, 0, 400, height()), Qt::AlignVCenter, entry.name);
    painter.setPen(t.text);
    const double at = x + sample + 12 + narrow.horizontalAdvance(entry.name);
    drawTabular(painter, QRectF(at, 0, 200, height()), Qt::AlignLeft, entry.value);
    x += widthOf(entry);
  }
  painter.setPen(t.secondary);
  painter.drawText(QRectF(x, 0, restWidth, height()), Qt::AlignVCenter | Qt::AlignRight, rest);
}

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/facet_histogram.h"

#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace roadtune::widgets {
namespace {
constexpr int kTitleHeight = 26, kAxisHeight = 18, kSide = 12;
constexpr double kLeastDrag = 4;
}  // namespace

FacetHistogram::FacetHistogram(const QString& title, const QString& unit, QWidget* parent)
    : QWidget(parent), m_title(title), m_unit(unit) {
  setFixedHeight(92);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName(title);
  setToolTip(tr("Drag to choose a stretch, click to let go of it"));
  setCursor(Qt::IBeamCursor);
}

void FacetHistogram::setHistogram(const data::Histogram& histogram) {
  m_histogram = histogram;
  setVisible(histogram.counts.size() > 1);
  update();
}

void FacetHistogram::setChosen(std::optional<std::pair<int, int>> range) {
  m_chosen = range;
  update();
}

QRectF FacetHistogram::plotRect() const { return QRectF(rect()).adjusted(kSide, kTitleHeight, -kSide, -kAxisHeight); }

double FacetHistogram::valueAt(double x) const {
  const QRectF plot = plotRect();
  return m_histogram.low +
         std::clamp((x - plot.left()) / std::max(1.0, plot.width()), 0.0, 1.0) * (m_histogram.high - m_histogram.low);
}

double FacetHistogram::placeOf(double value) const {
  const double wide = m_histogram.high - m_histogram.low;
  return plotRect().left() +
         (wide > 0 ? std::clamp((value - m_histogram.low) / wide, 0.0, 1.0) : 0) * plotRect().width();
}

std::pair<int, int> FacetHistogram::dragged() const {
  const auto [low, high] = std::minmax({valueAt(*m_from), valueAt(m_to)});
  const int from = static_cast<int>(std::floor(low));
  return {from, std::max(from + 1, static_cast<int>(std::ceil(high)))};
}

void FacetHistogram::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.setFont(strongFont());
  painter.setPen(t.text);
  painter.drawText(QRect(kSide, 4, width(), kTitleHeight - 4), int(Qt::AlignVCenter), m_title);
  const QRectF plot = plotRect();
  std::uint64_t most = 1;
  for (const std::uint64_t count : m_histogram.counts) most = std::max(most, count);
  const auto chosen = m_from && std::abs(m_to - *m_from) >= kLeastDrag ? std::optional(dragged()) : m_chosen;
  const double bins = double(m_histogram.counts.size());
  for (std::size_t i = 0; i < m_histogram.counts.size(); ++i) {
    // Small bins stay visible: heights grow with the square root.
    const double tall = m_histogram.counts[i] == 0
                            ? 0
                            : std::max(1.5, plot.height() * std::sqrt(double(m_histogram.counts[i]) / double(most)));
    const double left = plot.left() + plot.width() * double(i) / bins;
    const double middle = m_histogram.low + (double(i) + 0.5) / bins * (m_histogram.high - m_histogram.low);
    const bool in = !chosen || (middle >= chosen->first && middle < chosen->second);
    painter.fillRect(QRectF(left, plot.bottom() - tall, plot.width() / bins - 1, tall),
                     in && chosen ? t.accent : mixed(t.surface, t.secondary, in ? 0.55 : 0.25));
  }
  painter.fillRect(QRectF(plot.left(), plot.bottom(), plot.width(), 1), hasFocus() ? t.accent : t.line);
  painter.setFont(secondaryFont());
  painter.setPen(t.secondary);
  const QRectF axis(plot.left(), plot.bottom() + 2, plot.width(), kAxisHeight - 2);
  drawTabular(painter, axis, Qt::AlignLeft, QString::number(qRound(m_histogram.low)));
  drawTabular(painter, axis, Qt::AlignRight,
              QStringLiteral("%1+ %2").arg(qRound(m_histogram.high)).arg(m_unit).trimmed());
  if (!chosen) return;
  painter.setPen(t.text);
  const QString words = chosen->second >= qRound(m_histogram.high)
                            ? tr("from %1").arg(chosen->first)
                            : QStringLiteral("%1 – %2").arg(chosen->first).arg(chosen->second);
  drawTabular(painter, QRectF(plot.left(), 4, plot.width(), kTitleHeight - 4), Qt::AlignRight, words);
}

void FacetHistogram::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  m_from = m_to = event->position().x();
}

void FacetHistogram::mouseMoveEvent(QMouseEvent* event) {
  if (!m_from) return;
  m_to = event->position().x();
  update();
}

void FacetHistogram::mouseReleaseEvent(QMouseEvent* event) {
  if (!m_from) return;
  m_to = event->position().x();
  const bool moved = std::abs(m_to - *m_from) >= kLeastDrag;
  const auto range = dragged();
  m_from.reset();
  if (moved)
    emit rangeChosen(range.first, range.second);
  else if (m_chosen)
    emit rangeCleared();
  update();
}

void FacetHistogram::keyPressEvent(QKeyEvent* event) {
  const bool clears = event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace;
  if (clears && m_chosen) return emit rangeCleared();
  QWidget::keyPressEvent(event);
}

}  // namespace roadtune::widgets

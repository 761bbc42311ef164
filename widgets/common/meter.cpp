// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/meter.h"

#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"

#include <QPainter>

#include <algorithm>

namespace roadtune::widgets {
namespace {
constexpr int kNameWidth = 112;
constexpr int kReadingWidth = 152;
constexpr std::size_t kHistory = 120;
}  // namespace

Meter::Meter(const QString& name, QWidget* parent) : QWidget(parent), m_name(name) {
  setFixedHeight(metrics::kRowHeight);
  setAccessibleName(name);
}

void Meter::setReading(double share, const QString& reading, const QString& unit, bool keep) {
  m_share = std::clamp(share, 0.0, 1.0);
  m_reading = reading;
  m_unit = unit;
  if (keep) {
    m_history.push_back(m_share);
    if (m_history.size() > kHistory) m_history.pop_front();
  }
  setAccessibleDescription(reading + QLatin1Char(' ') + unit);
  update();
}

void Meter::setUnknown(const QString& why) {
  m_share = -1;
  m_reading.clear();
  m_unit = why;
  update();
}

QSize Meter::sizeHint() const { return {360, metrics::kRowHeight}; }

void Meter::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.setPen(t.text);
  painter.drawText(QRect(0, 0, kNameWidth, height()), Qt::AlignVCenter,
                   fontMetrics().elidedText(m_name, Qt::ElideRight, kNameWidth - 8));

  const QRectF groove(kNameWidth, height() / 2.0 - 4, width() - kNameWidth - kReadingWidth, 8);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(mixed(t.surface, t.line, 0.7));
  painter.drawRoundedRect(groove, 2, 2);
  if (m_share >= 0) {
    QRectF filled = groove;
    filled.setWidth(std::max(2.0, groove.width() * m_share));
    painter.setBrush(m_share > 0.95 ? t.warn : t.accent);
    painter.drawRoundedRect(filled, 2, 2);
  }
  // Peak of the last minutes, as a thin mark.
  if (!m_history.empty()) {
    const double peak = *std::max_element(m_history.begin(), m_history.end());
    painter.fillRect(QRectF(groove.left() + groove.width() * peak - 1, groove.top(), 1.5, groove.height()),
                     t.secondary);
  }
  const double unitWidth = m_unit.isEmpty() ? 0 : tabularWidth(font(), m_unit) + 4;
  painter.setPen(t.secondary);
  drawTabular(painter, QRectF(width() - kReadingWidth, 0, kReadingWidth, height()), Qt::AlignRight, m_unit);
  painter.setPen(t.text);
  drawTabular(painter, QRectF(width() - kReadingWidth, 0, kReadingWidth - unitWidth, height()), Qt::AlignRight,
              m_reading);
}

}  // namespace roadtune::widgets

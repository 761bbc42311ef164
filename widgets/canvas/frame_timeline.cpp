// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/frame_timeline.h"

#include "widgets/common/controls.h"
#include "widgets/common/icons.h"
#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace roadtune::widgets {
namespace {
constexpr int kRecordingHz = 10;
}

FrameTimeline::FrameTimeline(QWidget* parent)
    : QWidget(parent),
      m_play(iconButton(QStringLiteral("play"), tr("Play the segment (P)"), QStringLiteral("playSegment"))),
      m_timer(new QTimer(this)) {
  setObjectName(QStringLiteral("frameTimeline"));
  setAccessibleName(tr("Frames of the segment"));
  setFixedHeight(44);
  setFocusPolicy(Qt::StrongFocus);
  m_play->setParent(this);
  m_play->setGeometry(12, 8, 28, 28);
  m_timer->setInterval(1000 / kRecordingHz);
  connect(m_play, &QToolButton::clicked, this, &FrameTimeline::togglePlay);
  connect(m_timer, &QTimer::timeout, this, [this] {
    if (m_counts.empty()) return stop();
    emit frameChosen((m_frame + 1) % frames());
  });
}

void FrameTimeline::setCounts(std::vector<int> boxesPerFrame) {
  m_counts = std::move(boxesPerFrame);
  m_most = m_counts.empty() ? 1 : std::max(1, *std::max_element(m_counts.begin(), m_counts.end()));
  update();
}

void FrameTimeline::setFrame(int frame) {
  m_frame = frame;
  update();
}

bool FrameTimeline::playing() const { return m_timer->isActive(); }

void FrameTimeline::togglePlay() {
  playing() ? m_timer->stop() : m_timer->start();
  m_play->setIcon(icon(playing() ? QStringLiteral("pause") : QStringLiteral("play")));
}

void FrameTimeline::stop() {
  if (playing()) togglePlay();
}

QRectF FrameTimeline::track() const { return {52, 8, width() - 52.0 - 110, 28}; }

void FrameTimeline::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  const QRectF area = track();
  painter.fillRect(QRectF(area.left(), area.bottom(), area.width(), 1), t.line);
  if (m_counts.empty()) return;
  const double pitch = area.width() / frames();
  for (int i = 0; i < frames(); ++i) {
    const double tall = (area.height() - 4) * m_counts[static_cast<std::size_t>(i)] / m_most;
    const QRectF bar(area.left() + i * pitch, area.bottom() - tall, std::max(1.0, pitch - (pitch > 4 ? 1 : 0)), tall);
    painter.fillRect(bar, i == m_frame ? t.accent : mixed(t.surface, t.accent, 0.35));
  }
  const double x = area.left() + (m_frame + 0.5) * pitch;
  painter.fillRect(QRectF(x - 1, area.top() - 2, 2, area.height() + 4), t.accent);
  painter.setFont(secondaryFont());
  painter.setPen(t.secondary);
  drawTabular(painter, QRectF(width() - 106, 0, 94, height()), Qt::AlignRight,
              tr("frame %1 of %2").arg(m_frame + 1).arg(frames()));
}

void FrameTimeline::choose(double x) {
  if (m_counts.empty()) return;
  const QRectF area = track();
  const int frame = std::clamp(static_cast<int>((x - area.left()) / area.width() * frames()), 0, frames() - 1);
  if (frame != m_frame) emit frameChosen(frame);
}

void FrameTimeline::mousePressEvent(QMouseEvent* event) {
  stop();
  choose(event->position().x());
}

void FrameTimeline::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) choose(event->position().x());
}

void FrameTimeline::keyPressEvent(QKeyEvent* event) {
  const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
  if (step == 0 || m_counts.empty()) return QWidget::keyPressEvent(event);
  emit frameChosen(std::clamp(m_frame + step, 0, frames() - 1));
}

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/camera_strip.h"

#include "widgets/canvas/box_overlay.h"
#include "widgets/canvas/picture_pool.h"
#include "widgets/canvas/tile_text.h"
#include "widgets/common/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace roadtune::widgets {
namespace {
constexpr int kCameraCaption = 18;
}

CameraStrip::CameraStrip(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("cameraStrip"));
  setAccessibleName(tr("Cameras of this frame"));
  setFixedHeight(116);
  for (const data::Camera camera : {data::Camera::SideLeft, data::Camera::FrontLeft, data::Camera::Front,
                                    data::Camera::FrontRight, data::Camera::SideRight}) {
    m_places.push_back({camera});
  }
}

void CameraStrip::setIndex(std::shared_ptr<const data::Index> index, PicturePool* pool) {
  if (m_pool) m_pool->disconnect(this);
  m_index = std::move(index);
  m_pool = pool;
  for (Place& place : m_places) place.image.reset();
  if (m_pool) connect(m_pool, &PicturePool::ready, this, [this] { update(); });
  update();
}

void CameraStrip::setImage(data::ImageId image) {
  if (!m_index) return;
  m_current = image;
  for (Place& place : m_places) place.image.reset();
  std::vector<data::ImageId> wanted;
  for (const data::ImageId other : m_index->sameFrame(image)) {
    const data::Camera camera = m_index->image(other).camera;
    for (Place& place : m_places) {
      if (place.camera != camera) continue;
      place.image = other;
      wanted.push_back(other);
    }
  }
  if (m_pool) m_pool->want(wanted);
  setVisible(wanted.size() > 1);  // pictures of no car have none of its cameras
  update();
}

std::vector<data::ImageId> CameraStrip::shown() const {
  std::vector<data::ImageId> images;
  for (const Place& place : m_places) {
    if (place.image) images.push_back(*place.image);
  }
  return images;
}

QRect CameraStrip::placeRect(std::size_t place) const {
  const int wide = (width() - 24 - 4 * 8) / 5;
  return {12 + static_cast<int>(place) * (wide + 8), 6, wide, height() - 12};
}

void CameraStrip::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  for (std::size_t i = 0; i < m_places.size(); ++i) {
    const QRect area = placeRect(i).adjusted(0, 0, 0, -kCameraCaption);
    const bool current = m_places[i].image == m_current;
    painter.fillRect(area, mixed(t.surface, t.text, 0.06));
    if (m_index && m_places[i].image) {
      const data::ImageInfo info = m_index->image(*m_places[i].image);
      const QPixmap picture = m_pool ? m_pool->picture(info.id) : QPixmap();
      QRectF target(QPointF(),
                    QSizeF(std::max(1, info.width), std::max(1, info.height)).scaled(area.size(), Qt::KeepAspectRatio));
      target.moveCenter(QRectF(area).center());
      painter.setRenderHint(QPainter::SmoothPixmapTransform);
      if (!picture.isNull()) painter.drawPixmap(target, picture, picture.rect());
      BoxStyle style;
      style.leastSide = 3;
      paintLabels(painter, *m_index, info.id, target, info.width, style);
      if (current) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area.adjusted(0, 0, -1, -1));
      }
    }
    painter.setFont(secondaryFont());
    painter.setPen(current ? t.text : t.secondary);
    painter.drawText(QRect(area.left(), area.bottom() + 1, area.width(), kCameraCaption), Qt::AlignCenter,
                     cameraText(m_places[i].camera));
  }
}

void CameraStrip::mousePressEvent(QMouseEvent* event) {
  for (std::size_t i = 0; i < m_places.size(); ++i) {
    if (m_places[i].image && placeRect(i).contains(event->pos())) emit chosen(*m_places[i].image);
  }
}

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/image_view.h"

#include "core/data/image/resize.h"
#include "widgets/canvas/qimage_of.h"
#include "widgets/common/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace roadtune::widgets {
namespace {
constexpr double kMostZoom = 32;
}

ImageView::ImageView(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setAccessibleName(tr("Image"));
}

void ImageView::setInteractive(bool on) {
  m_interactive = on;
  setMouseTracking(on);
}

void ImageView::setIndex(std::shared_ptr<const data::Index> index) {
  m_index = std::move(index);
  setImage({}, {});
}

void ImageView::setImage(std::optional<data::ImageId> image, const QPixmap& picture) {
  const bool other = image != m_image;
  m_image = image;
  m_message.clear();
  if (other) {
    m_boxes.clear();
    m_projected.clear();
    m_crowds.clear();
    m_style.highlighted.reset();
  }
  if (m_index && image && other) {
    const data::ImageInfo info = m_index->image(*image);
    const QSizeF size =
        info.width > 0 ? QSizeF(info.width, info.height) : QSizeF(picture.isNull() ? QSize(3, 2) : picture.size());
    if (size != m_size) m_zoom = 0;
    m_size = size;
    m_boxes = m_index->boxes(*image);
    m_projected = m_index->projected(*image);
    m_crowds = m_index->crowds(*image);
  }
  // The last picture of the same shape stays until the next one is there: no flash while playing.
  if (!picture.isNull() || !image) m_picture = picture;
  squash();
  update();
}

void ImageView::setMessage(const QString& text) {
  m_message = text;
  update();
}

void ImageView::setBoxesShown(bool shown) {
  m_boxesShown = shown;
  update();
}

void ImageView::setProjectedShown(bool shown) {
  m_projectedShown = shown;
  update();
}

void ImageView::setLabelsShown(bool shown) {
  m_style.labels = shown;
  update();
}

void ImageView::setBoxColour(BoxColour colour) {
  m_style.colour = colour;
  update();
}

void ImageView::setModelSide(int side, double leastSide) {
  m_modelSide = side;
  m_leastSide = leastSide;
  squash();
  update();
}

void ImageView::squash() {
  m_squashed = {};
  if (m_modelSide <= 0 || m_picture.isNull()) return;
  const QImage image = m_picture.toImage().convertToFormat(QImage::Format_RGB888);
  data::Image pixels(image.width(), image.height());
  for (int y = 0; y < image.height(); ++y) std::copy_n(image.constScanLine(y), pixels.rowBytes(), pixels.row(y));
  // The trainer's own resize, so that what is seen here is what it gets.
  if (auto small = data::resizeBicubic(pixels, m_modelSide, m_modelSide); small.ok())
    m_squashed = QPixmap::fromImage(toQImage(std::move(small).value()));
}

void ImageView::paintModelView(QPainter& painter) {
  const double side = std::min(width(), height()) - 16;
  QRectF target(0, 0, side, side);
  target.moveCenter(QRectF(rect()).center());
  painter.setRenderHint(QPainter::SmoothPixmapTransform, side < m_modelSide);
  painter.drawPixmap(target, m_squashed, m_squashed.rect());
  if (!m_index || !m_boxesShown) return;
  std::vector<data::Box> boxes = m_boxes;
  for (data::Box& box : boxes) {
    box.x *= m_modelSide / m_size.width();
    box.w *= m_modelSide / m_size.width();
    box.y *= m_modelSide / m_size.height();
    box.h *= m_modelSide / m_size.height();
  }
  BoxStyle style = m_style;
  style.leastImageSide = m_leastSide;
  paintBoxes(painter, *m_index, boxes, target, m_modelSide, style);
}

void ImageView::setHiddenClasses(const QSet<QString>& classes) {
  m_style.hiddenClasses = classes;
  update();
}

void ImageView::highlight(std::optional<std::size_t> box) {
  m_style.highlighted = box;
  update();
}

double ImageView::fitZoom() const { return std::min(width() / m_size.width(), height() / m_size.height()); }
double ImageView::zoom() const { return m_zoom > 0 ? m_zoom : fitZoom(); }

QRectF ImageView::imageRect() const {
  const double scale = zoom();
  const QPointF centre = m_zoom > 0 ? m_centre : QPointF(m_size.width() / 2, m_size.height() / 2);
  return {QPointF(width() / 2.0, height() / 2.0) - centre * scale, m_size * scale};
}

QPointF ImageView::toImage(const QPointF& point) const { return (point - imageRect().topLeft()) / zoom(); }

void ImageView::fit() {
  m_zoom = 0;
  update();
  emit zoomChanged();
}

void ImageView::zoomBy(double factor, const QPointF& around) {
  const QPointF fixed = toImage(around);
  const double next = std::clamp(zoom() * factor, fitZoom(), kMostZoom);
  if (next <= fitZoom() * 1.001) return fit();
  m_zoom = next;
  m_centre = fixed + (QPointF(width() / 2.0, height() / 2.0) - around) / next;
  update();
  emit zoomChanged();
}

void ImageView::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.fillRect(rect(), t.dark ? QColor(0x0E, 0x10, 0x13) : mixed(t.window, t.text, 0.05));
  if (!m_message.isEmpty()) {
    painter.setPen(t.secondary);
    painter.drawText(rect().adjusted(24, 24, -24, -24), int(Qt::AlignCenter) | int(Qt::TextWordWrap), m_message);
    return;
  }
  if (!m_image) return;
  if (!m_squashed.isNull()) return paintModelView(painter);
  const QRectF target = imageRect();
  if (m_picture.isNull()) {
    painter.fillRect(target, mixed(t.window, t.text, 0.08));
  } else {
    painter.setRenderHint(QPainter::SmoothPixmapTransform, zoom() < 3);
    painter.drawPixmap(target, m_picture, m_picture.rect());
  }
  BoxStyle style = m_style;
  if (m_index && m_projectedShown) {
    BoxStyle laser;
    laser.kind = BoxKind::Laser;
    laser.hiddenClasses = style.hiddenClasses;
    paintBoxes(painter, *m_index, m_projected, target, m_size.width(), laser);
  }
  if (m_index && m_boxesShown) {
    BoxStyle crowds = style;
    crowds.kind = BoxKind::Crowd;
    paintBoxes(painter, *m_index, m_crowds, target, m_size.width(), crowds);
  }
  if (m_predictions) style.labels = false;  // theirs are the ones to read
  if (m_index && m_boxesShown) paintBoxes(painter, *m_index, m_boxes, target, m_size.width(), style);
  if (m_index && m_predictions)
    paintPredictions(painter, *m_predictions, m_boxes, *m_index, target, m_size.width(), m_style.labels);
}

void ImageView::setPredictions(std::optional<data::PredictionSet::OnImage> found) {
  m_predictions = std::move(found);
  update();
}

void ImageView::mousePressEvent(QMouseEvent* event) {
  if (!m_interactive) return QWidget::mousePressEvent(event);
  m_grab = event->position();
  m_moved = false;
}

void ImageView::mouseMoveEvent(QMouseEvent* event) {
  if (!m_interactive) return;
  if (!m_grab) return hover(event->position());
  const QPointF by = event->position() - *m_grab;
  if (!m_moved && by.manhattanLength() < 4) return;
  m_moved = true;
  if (m_zoom > 0) {
    m_centre -= by / m_zoom;
    m_centre.setX(std::clamp(m_centre.x(), 0.0, m_size.width()));
    m_centre.setY(std::clamp(m_centre.y(), 0.0, m_size.height()));
  }
  m_grab = event->position();
  setCursor(Qt::ClosedHandCursor);
  update();
}

void ImageView::mouseReleaseEvent(QMouseEvent* event) {
  if (!m_interactive) return QWidget::mouseReleaseEvent(event);
  if (m_grab && !m_moved) {
    const auto box = boxAt(m_boxes, toImage(event->position()));
    emit boxClicked(box ? static_cast<int>(*box) : -1);
  }
  m_grab.reset();
  unsetCursor();
}

void ImageView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!m_interactive) return QWidget::mouseDoubleClickEvent(event);
  fit();
}

void ImageView::wheelEvent(QWheelEvent* event) {
  if (!m_interactive || m_modelSide > 0) return QWidget::wheelEvent(event);
  zoomBy(std::pow(1.25, event->angleDelta().y() / 120.0), event->position());
  event->accept();
}

void ImageView::hover(const QPointF& point) {
  if (m_modelSide > 0) return;
  const auto box = boxAt(m_boxes, toImage(point));
  if (box == m_style.highlighted) return;
  m_style.highlighted = box;
  emit boxHovered(box ? static_cast<int>(*box) : -1);
  update();
}

void ImageView::leaveEvent(QEvent*) {
  if (m_interactive && m_style.highlighted) {
    m_style.highlighted.reset();
    emit boxHovered(-1);
    update();
  }
}

}  // namespace roadtune::widgets

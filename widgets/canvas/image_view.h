// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"
#include "widgets/canvas/box_overlay.h"
#include "widgets/canvas/prediction_overlay.h"

#include <QPixmap>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace roadtune::widgets {

// One image, large: wheel zooms to the cursor, dragging pans, double click fits, boxes over it. `interactive` off makes
// it a preview that always fits.
class ImageView : public QWidget {
  Q_OBJECT
 public:
  explicit ImageView(QWidget* parent = nullptr);
  void setInteractive(bool on);
  void setIndex(std::shared_ptr<const data::Index> index);
  // `picture` may be smaller than the image, or null while it is on its way; size and boxes are the image's.
  void setImage(std::optional<data::ImageId> image, const QPixmap& picture);
  void setMessage(const QString& text);  // instead of the picture
  void setBoxesShown(bool shown);
  void setLabelsShown(bool shown);
  void setProjectedShown(bool shown);  // laser labels as the camera sees them, below the camera's own
  bool boxesShown() const { return m_boxesShown; }
  void setBoxColour(BoxColour colour);
  // Shows the picture as a model sees it: squashed to a square of `side` pixels; 0 is the picture itself. Boxes of less
  // than `leastSide` of those pixels are drawn as lost.
  void setModelSide(int side, double leastSide);
  int modelSide() const { return m_modelSide; }
  void setPredictions(std::optional<data::PredictionSet::OnImage> found);
  void setHiddenClasses(const QSet<QString>& classes);
  void highlight(std::optional<std::size_t> box);
  void fit();
  void zoomBy(double factor, const QPointF& around);
  double zoom() const;  // screen pixels per image pixel
  QRectF imageRect() const;

 signals:
  void boxHovered(int box);  // -1: none
  void boxClicked(int box);
  void zoomChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  QSize sizeHint() const override { return {640, 427}; }

 private:
  double fitZoom() const;
  void squash();
  void paintModelView(QPainter& painter);
  QPointF toImage(const QPointF& point) const;
  void hover(const QPointF& point);

  std::shared_ptr<const data::Index> m_index;
  std::optional<data::ImageId> m_image;
  QSizeF m_size{3, 2};
  QPixmap m_picture;
  QPixmap m_squashed;  // m_picture as the model sees it
  int m_modelSide = 0;
  double m_leastSide = 0;
  QString m_message;
  std::vector<data::Box> m_boxes, m_projected, m_crowds;
  BoxStyle m_style;
  std::optional<data::PredictionSet::OnImage> m_predictions;
  bool m_interactive = true, m_boxesShown = true, m_projectedShown = false;
  double m_zoom = 0;  // 0: fitted
  QPointF m_centre;   // image point in the middle of the widget, when not fitted
  std::optional<QPointF> m_grab;
  bool m_moved = false;
};

}  // namespace roadtune::widgets

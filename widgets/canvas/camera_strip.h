// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace roadtune::widgets {

class PicturePool;

// The five cameras of a frame in the order in which they stand on the car; a click chooses one.
class CameraStrip : public QWidget {
  Q_OBJECT
 public:
  explicit CameraStrip(QWidget* parent = nullptr);
  void setIndex(std::shared_ptr<const data::Index> index, PicturePool* pool);
  void setImage(data::ImageId image);  // shows all cameras of its frame
  std::vector<data::ImageId> shown() const;

 signals:
  void chosen(quint32 image);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  QSize sizeHint() const override { return {640, 116}; }

 private:
  struct Place {
    data::Camera camera;
    std::optional<data::ImageId> image = {};
  };
  QRect placeRect(std::size_t place) const;
  std::shared_ptr<const data::Index> m_index;
  PicturePool* m_pool = nullptr;
  std::vector<Place> m_places;
  data::ImageId m_current = 0;
};

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"
#include "widgets/canvas/grid_layout.h"
#include "widgets/canvas/segment_groups.h"

#include <QAbstractScrollArea>
#include <QBasicTimer>
#include <QSet>

#include <functional>
#include <memory>
#include <vector>

namespace roadtune::widgets {

class PicturePool;

// Thumbnails of any number of images with their boxes drawn over them. Only what is visible, and a little in the
// direction of scrolling, is ever asked for.
class ImageGrid : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit ImageGrid(QWidget* parent = nullptr);

  // The pool stays the caller's and must outlive its use here; null clears.
  void setIndex(std::shared_ptr<const data::Index> index, PicturePool* pool);
  // The same images under the numbers that a grown index has for them: what is selected and in sight stays.
  void renumber(std::shared_ptr<const data::Index> index, PicturePool* pool, ImageList images);
  // Keeps the current image when it is on the new list. With `groups`, where each segment begins, its name stands
  // above.
  void setImages(ImageList images, std::vector<std::size_t> groups = {});
  // The same question answered anew: what is selected stays, as far as it is still there.
  void refreshImages(ImageList images, std::vector<std::size_t> groups = {});
  const ImageList& images() const { return m_images; }

  void setTileWidth(int width);
  int tileWidth() const { return m_wantedWidth; }  // tiles grow from it to fill the row
  void setBoxesShown(bool shown);
  void setDimmed(bool dimmed);  // the images are those of an earlier question
  // A figure under each image in place of the number of its boxes; null: none. Asked while painting.
  using Figure = std::function<QString(data::ImageId image)>;
  void setFigure(Figure figure);

  std::size_t currentRow() const { return m_current; }
  std::optional<data::ImageId> currentImage() const;
  void setCurrentRow(std::size_t row, bool extend = false);
  std::vector<data::ImageId> selectedImages() const;
  QRect tileRect(std::size_t row) const;      // on the viewport
  QRect headerRect(std::size_t group) const;  // on the viewport; that of the topmost group stays in sight

 signals:
  void currentChanged(std::size_t row);
  void selectionChanged();
  void activated(std::size_t row);       // Enter, Space or double click
  void menuRequested(const QPoint& at);  // on the screen, about the selected images: right click or Menu key

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void timerEvent(QTimerEvent* event) override;

 private:
  static constexpr int kCaption = 20;  // below each picture
  void refreshLayout();
  void takeImages(ImageList images, std::vector<std::size_t> groups, std::size_t row);
  std::optional<std::size_t> rowOf(data::ImageId image) const;
  void askForPictures();
  void paintTile(QPainter& painter, std::size_t row, const QRect& tile);
  void paintPicture(QPainter& painter, const data::ImageInfo& info, const QRect& area);
  void paintHeaders(QPainter& painter);
  void point(std::size_t row);
  void select(std::size_t row, Qt::KeyboardModifiers modifiers);
  void selectGroup(std::size_t group, Qt::KeyboardModifiers modifiers);
  QRect bandRect() const;
  void selectInBand();
  void endBand();
  int beyondEdge() const;  // how far the band pulls the view on, in pixels; negative: up
  void ensureVisible(std::size_t row);
  qint64 offset() const;
  std::size_t rowAt(const QPoint& point) const;
  std::optional<std::size_t> headerAt(const QPoint& point) const;

  std::shared_ptr<const data::Index> m_index;
  PicturePool* m_pool = nullptr;
  ImageList m_images;
  GridLayout m_layout;
  int m_wantedWidth = 240;
  bool m_boxes = true, m_dimmed = false;
  Figure m_figure;
  bool m_upwards = false;
  std::size_t m_current = 0, m_anchor = 0;
  QSet<std::size_t> m_selected;
  // Selects what it touches, from where the button went down; its start stays with the content while that scrolls.
  struct Band {
    QPoint start;       // on the viewport as it was then
    qint64 offset = 0;  // of the viewport then
    QSet<std::size_t> before;
    bool adds = false;   // with Ctrl or Shift: what was selected stays
    bool drawn = false;  // not yet while it could be a click
  };
  std::optional<Band> m_band;
  QPoint m_pointer;  // where the band ends, on the viewport
  QBasicTimer m_scrolling;
};

}  // namespace roadtune::widgets

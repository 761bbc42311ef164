// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/image_grid.h"

#include "widgets/canvas/picture_pool.h"
#include "widgets/common/theme.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <limits>

namespace roadtune::widgets {
namespace {
constexpr int kScrollEdge = 16, kScrollMs = 16, kMostScroll = 60;  // a band at the edge scrolls: pixels, and how often
}  // namespace

ImageGrid::ImageGrid(QWidget* parent)
    : QAbstractScrollArea(parent), m_images(std::make_shared<std::vector<data::ImageId>>()) {
  setObjectName(QStringLiteral("imageGrid"));
  setAccessibleName(tr("Images"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setBackgroundRole(QPalette::Window);
  setTileWidth(240);
}

void ImageGrid::setIndex(std::shared_ptr<const data::Index> index, PicturePool* pool) {
  if (m_pool) m_pool->disconnect(this);
  m_index = std::move(index);
  m_pool = pool;
  m_images = std::make_shared<std::vector<data::ImageId>>();
  m_layout.groups.clear();
  m_selected.clear();
  endBand();
  m_current = m_anchor = 0;
  if (m_pool) connect(m_pool, &PicturePool::ready, this, [this] { viewport()->update(); });
  refreshLayout();
}

void ImageGrid::renumber(std::shared_ptr<const data::Index> index, PicturePool* pool, ImageList images) {
  if (m_pool) m_pool->disconnect(this);
  m_index = std::move(index);
  m_pool = pool;
  m_images = std::move(images);
  if (m_pool) connect(m_pool, &PicturePool::ready, this, [this] { viewport()->update(); });
  refreshLayout();
  if (m_current < m_images->size()) emit currentChanged(m_current);
}

void ImageGrid::setImages(ImageList images, std::vector<std::size_t> groups) {
  m_selected.clear();
  takeImages(std::move(images), std::move(groups), 0);
  m_anchor = m_current;
  if (!m_images->empty()) m_selected.insert(m_current);
  emit selectionChanged();
}

void ImageGrid::refreshImages(ImageList images, std::vector<std::size_t> groups) {
  std::vector<bool> chosen(m_index ? m_index->imageCount() : 0);
  for (const std::size_t row : m_selected) chosen[(*m_images)[row]] = true;
  const auto anchor = m_anchor < m_images->size() ? std::optional((*m_images)[m_anchor]) : std::nullopt;
  const auto kept = currentImage();
  const QRect before = tileRect(m_current);
  const bool inSight = kept && viewport()->rect().intersects(before);
  m_selected.clear();
  takeImages(std::move(images), std::move(groups), m_current);
  // Where images come in above it, it stays where one looks at it.
  if (inSight && kept == currentImage())
    verticalScrollBar()->setValue(verticalScrollBar()->value() + tileRect(m_current).top() - before.top());
  for (std::size_t row = 0; row < m_images->size(); ++row)
    if (chosen[(*m_images)[row]]) m_selected.insert(row);
  if (m_selected.isEmpty() && !m_images->empty()) m_selected.insert(m_current);
  m_anchor = anchor ? rowOf(*anchor).value_or(m_current) : m_current;
  emit selectionChanged();
}

std::optional<std::size_t> ImageGrid::rowOf(data::ImageId image) const {
  const auto at = std::find(m_images->begin(), m_images->end(), image);
  if (at == m_images->end()) return {};
  return static_cast<std::size_t>(at - m_images->begin());
}

// The current image stays that; where it is gone, the one at `row` is.
void ImageGrid::takeImages(ImageList images, std::vector<std::size_t> groups, std::size_t row) {
  const auto kept = currentImage();
  m_images = std::move(images);
  m_layout.groups = std::move(groups);
  endBand();
  const std::size_t other = m_images->empty() ? 0 : std::min(row, m_images->size() - 1);
  m_current = kept ? rowOf(*kept).value_or(other) : other;
  refreshLayout();
  if (m_current == 0) verticalScrollBar()->setValue(0);
  if (!m_images->empty()) emit currentChanged(m_current);
}

void ImageGrid::setTileWidth(int width) {
  m_wantedWidth = width;
  refreshLayout();
  if (m_current < m_images->size()) ensureVisible(m_current);
}

void ImageGrid::setBoxesShown(bool shown) {
  m_boxes = shown;
  viewport()->update();
}

void ImageGrid::setFigure(Figure figure) {
  m_figure = std::move(figure);
  viewport()->update();
}

std::optional<data::ImageId> ImageGrid::currentImage() const {
  if (m_current >= m_images->size()) return {};
  return (*m_images)[m_current];
}

std::vector<data::ImageId> ImageGrid::selectedImages() const {
  std::vector<std::size_t> rows(m_selected.begin(), m_selected.end());
  std::sort(rows.begin(), rows.end());
  std::vector<data::ImageId> images;
  for (const std::size_t row : rows) images.push_back((*m_images)[row]);
  return images;
}

void ImageGrid::refreshLayout() {
  m_layout.count = m_images ? m_images->size() : 0;
  m_layout.viewWidth = viewport()->width();
  m_layout.tileWidth = m_wantedWidth;
  const int columns = m_layout.columns();
  m_layout.tileWidth =
      std::max(60, (m_layout.viewWidth - 2 * m_layout.margin - (columns - 1) * m_layout.gap) / columns);
  m_layout.tileHeight = m_layout.tileWidth * 2 / 3 + kCaption;
  m_layout.arrange();
  // Scroll bars count in int; content beyond that is scaled. A row of tiles still moves by whole pixels up to 2^31.
  const qint64 room = std::max<qint64>(0, m_layout.contentHeight() - viewport()->height());
  verticalScrollBar()->setRange(0, static_cast<int>(std::min<qint64>(room, std::numeric_limits<int>::max())));
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(m_layout.tileHeight / 3);
  askForPictures();
  viewport()->update();
}

qint64 ImageGrid::offset() const { return verticalScrollBar()->value(); }

QRect ImageGrid::tileRect(std::size_t row) const {
  return {m_layout.left(row), static_cast<int>(m_layout.top(row) - offset()), m_layout.tileWidth, m_layout.tileHeight};
}

QRect ImageGrid::headerRect(std::size_t group) const {
  const qint64 next = group + 1 < m_layout.groups.size() ? m_layout.groupTop(group + 1) : m_layout.contentHeight();
  const qint64 top = std::max(m_layout.groupTop(group), std::min(offset(), next - m_layout.headerHeight));
  return {0, static_cast<int>(top - offset()), viewport()->width(), m_layout.headerHeight};
}

std::optional<std::size_t> ImageGrid::headerAt(const QPoint& point) const {
  if (m_layout.groups.empty()) return {};
  const std::size_t topmost = m_layout.groupAt(offset());
  if (headerRect(topmost).contains(point)) return topmost;
  const std::size_t group = m_layout.groupAt(point.y() + offset());
  if (headerRect(group).contains(point)) return group;
  return {};
}

std::size_t ImageGrid::rowAt(const QPoint& point) const {
  return headerAt(point) ? m_layout.count : m_layout.itemAt(point.x(), point.y() + offset());
}

void ImageGrid::askForPictures() {
  if (!m_pool || !m_images) return;
  const int page = viewport()->height();
  const auto [first, last] = m_layout.range(offset(), offset() + page);
  std::vector<data::ImageId> wanted;
  for (std::size_t row = first; row < last; ++row) wanted.push_back((*m_images)[row]);
  const auto ahead =
      m_upwards ? m_layout.range(offset() - page, offset()) : m_layout.range(offset() + page, offset() + 2 * page);
  for (std::size_t row = ahead.first; row < ahead.second; ++row) wanted.push_back((*m_images)[row]);
  m_pool->want(wanted);
}

void ImageGrid::resizeEvent(QResizeEvent*) { refreshLayout(); }

// Whoever used the pool meanwhile has taken back what was asked for here.
void ImageGrid::showEvent(QShowEvent* event) {
  QAbstractScrollArea::showEvent(event);
  askForPictures();
}

void ImageGrid::scrollContentsBy(int, int dy) {
  m_upwards = dy > 0;
  askForPictures();
  if (m_band && m_band->drawn) selectInBand();
  viewport()->update();
}

void ImageGrid::select(std::size_t row, Qt::KeyboardModifiers modifiers) {
  if (row >= m_images->size()) return;
  if (modifiers & Qt::ShiftModifier) {
    m_selected.clear();
    for (std::size_t i = std::min(m_anchor, row); i <= std::max(m_anchor, row); ++i) m_selected.insert(i);
  } else if (modifiers & Qt::ControlModifier) {
    if (!m_selected.remove(row)) m_selected.insert(row);
    m_anchor = row;
  } else {
    m_selected = {row};
    m_anchor = row;
  }
  const bool moved = row != m_current;
  m_current = row;
  ensureVisible(row);
  viewport()->update();
  if (moved) emit currentChanged(row);
  emit selectionChanged();
}

void ImageGrid::selectGroup(std::size_t group, Qt::KeyboardModifiers modifiers) {
  const auto [first, last] = m_layout.itemsOf(group);
  if (!(modifiers & (Qt::ControlModifier | Qt::ShiftModifier))) m_selected.clear();
  for (std::size_t row = first; row < last; ++row) m_selected.insert(row);
  m_anchor = first;
  point(first);
  emit selectionChanged();
}

// Makes one of the selected images the current one; the others stay selected.
void ImageGrid::point(std::size_t row) {
  const bool moved = row != m_current;
  m_current = row;
  viewport()->update();
  if (moved) emit currentChanged(row);
}

void ImageGrid::setCurrentRow(std::size_t row, bool extend) {
  select(row, extend ? Qt::ShiftModifier : Qt::NoModifier);
}

void ImageGrid::ensureVisible(std::size_t row) {
  const int above = m_layout.groups.empty() ? m_layout.margin : m_layout.headerHeight;
  const qint64 top = m_layout.top(row) - above, bottom = m_layout.top(row) + m_layout.tileHeight + m_layout.margin;
  if (top < offset()) verticalScrollBar()->setValue(static_cast<int>(top));
  if (bottom > offset() + viewport()->height())
    verticalScrollBar()->setValue(static_cast<int>(bottom - viewport()->height()));
}

void ImageGrid::mousePressEvent(QMouseEvent* event) {
  if (const auto group = headerAt(event->pos()); group && event->button() == Qt::LeftButton)
    return selectGroup(*group, event->modifiers());
  const std::size_t row = rowAt(event->pos());
  if (event->button() == Qt::RightButton && m_selected.contains(row)) return point(row);
  const bool adds = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
  if (event->button() == Qt::LeftButton)
    m_band = Band{.start = event->pos(), .offset = offset(), .before = m_selected, .adds = adds};
  if (row < m_images->size()) return select(row, event->modifiers());
  if (event->button() != Qt::LeftButton || adds) return;
  m_selected.clear();
  viewport()->update();
  emit selectionChanged();
}

void ImageGrid::mouseMoveEvent(QMouseEvent* event) {
  if (!m_band) return;
  m_pointer = event->pos();
  if (!m_band->drawn && (m_pointer - m_band->start).manhattanLength() < QApplication::startDragDistance()) return;
  m_band->drawn = true;
  selectInBand();
  if (beyondEdge() == 0)
    m_scrolling.stop();
  else if (!m_scrolling.isActive())
    m_scrolling.start(kScrollMs, this);
}

int ImageGrid::beyondEdge() const {
  const int below = m_pointer.y() - (viewport()->height() - kScrollEdge);
  return std::clamp(std::min(m_pointer.y() - kScrollEdge, 0) + std::max(below, 0), -kMostScroll, kMostScroll);
}

void ImageGrid::timerEvent(QTimerEvent* event) {
  if (event->timerId() != m_scrolling.timerId()) return QAbstractScrollArea::timerEvent(event);
  verticalScrollBar()->setValue(verticalScrollBar()->value() + beyondEdge());
}

QRect ImageGrid::bandRect() const {
  return QRect(m_band->start - QPoint(0, static_cast<int>(offset() - m_band->offset)), m_pointer).normalized();
}

void ImageGrid::selectInBand() {
  const QRect band = bandRect();
  m_selected = m_band->adds ? m_band->before : QSet<std::size_t>();
  const auto [first, last] = m_layout.range(offset() + band.top(), offset() + band.bottom() + 1);
  for (std::size_t row = first; row < last; ++row) {
    if (tileRect(row).intersects(band)) m_selected.insert(row);
  }
  viewport()->update();
  emit selectionChanged();
}

// The image on show is one of those that are selected.
void ImageGrid::mouseReleaseEvent(QMouseEvent*) {
  const bool drawn = m_band && m_band->drawn;
  endBand();
  if (drawn && !m_selected.isEmpty() && !m_selected.contains(m_current))
    point(*std::min_element(m_selected.cbegin(), m_selected.cend()));
  m_anchor = drawn ? m_current : m_anchor;
}

void ImageGrid::endBand() {
  m_band.reset();
  m_scrolling.stop();
  viewport()->update();
}

void ImageGrid::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const std::size_t row = rowAt(event->pos()); row < m_images->size()) emit activated(row);
}

void ImageGrid::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && m_band && m_band->drawn) {
    m_selected = m_band->before;
    endBand();
    emit selectionChanged();
    return;
  }
  if (m_images->empty()) return QAbstractScrollArea::keyPressEvent(event);
  const auto count = static_cast<qint64>(m_images->size());
  const qint64 page = std::max(1, viewport()->height() / (m_layout.tileHeight + m_layout.gap));
  const auto down = [this](qint64 rows) { return static_cast<qint64>(m_layout.below(m_current, rows)); };
  qint64 next = static_cast<qint64>(m_current);
  switch (event->key()) {
    case Qt::Key_Left: next -= 1; break;
    case Qt::Key_Right: next += 1; break;
    case Qt::Key_Up: next = down(-1); break;
    case Qt::Key_Down: next = down(1); break;
    case Qt::Key_PageUp: next = down(-page); break;
    case Qt::Key_PageDown: next = down(page); break;
    case Qt::Key_Home: next = 0; break;
    case Qt::Key_End: next = count - 1; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: emit activated(m_current); return;
    case Qt::Key_A:
      if (event->modifiers() & Qt::ControlModifier) {
        for (std::size_t i = 0; i < m_images->size(); ++i) m_selected.insert(i);
        viewport()->update();
        emit selectionChanged();
        return;
      }
      [[fallthrough]];
    default: return QAbstractScrollArea::keyPressEvent(event);
  }
  select(static_cast<std::size_t>(std::clamp<qint64>(next, 0, count - 1)), event->modifiers() & Qt::ShiftModifier);
}

// The frame around the current tile shows where keys go.
void ImageGrid::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void ImageGrid::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  viewport()->update();
}

void ImageGrid::contextMenuEvent(QContextMenuEvent* event) {
  if (m_images->empty()) return;
  if (event->reason() != QContextMenuEvent::Keyboard) {
    if (rowAt(event->pos()) < m_images->size()) emit menuRequested(event->globalPos());
    return;
  }
  ensureVisible(m_current);
  if (m_selected.isEmpty()) select(m_current, Qt::NoModifier);
  emit menuRequested(viewport()->mapToGlobal(tileRect(m_current).center()));
}

void ImageGrid::wheelEvent(QWheelEvent* event) {
  if (event->modifiers() & Qt::ControlModifier) {
    setTileWidth(std::clamp(m_wantedWidth + (event->angleDelta().y() > 0 ? 24 : -24), 120, 480));
    return;
  }
  QAbstractScrollArea::wheelEvent(event);
}

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/wrap_layout.h"

#include <QSpacerItem>
#include <QWidget>

#include <algorithm>

namespace roadtune::widgets {
namespace {

bool takesRoom(const QLayoutItem* item) { return item->expandingDirections().testFlag(Qt::Horizontal); }

QSize sizeIn(const QLayoutItem* item, int width) {
  const QSize least = item->minimumSize(), size = takesRoom(item) ? least : item->sizeHint().expandedTo(least);
  return {std::min(size.width(), std::max(width, least.width())), std::max(size.height(), item->sizeHint().height())};
}

}  // namespace

WrapLayout::WrapLayout(int gap, QWidget* parent) : QLayout(parent) {
  setContentsMargins(0, 0, 0, 0);
  setSpacing(gap);
}

WrapLayout::~WrapLayout() { qDeleteAll(m_items); }

void WrapLayout::addWidget(QWidget* widget, Qt::Alignment alignment) {
  addWidget(widget);
  m_items.last()->setAlignment(alignment);
}

void WrapLayout::addStretch() { addItem(new QSpacerItem(0, 0, QSizePolicy::Expanding)); }

QLayoutItem* WrapLayout::takeAt(int index) {
  return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

QList<WrapLayout::Line> WrapLayout::linesIn(int width) const {
  QList<Line> lines(1);
  for (QLayoutItem* item : m_items) {
    if (item->isEmpty() && !item->spacerItem()) continue;  // hidden
    const QSize size = sizeIn(item, width);
    const int gap = lines.last().width > 0 ? spacing() : 0;
    if (lines.last().width > 0 && lines.last().width + gap + size.width() > width) lines.append(Line());
    Line& line = lines.last();
    line.width += (line.width > 0 && !item->spacerItem() ? spacing() : 0) + size.width();
    line.height = std::max(line.height, size.height());
    line.items << item;
  }
  return lines;
}

int WrapLayout::heightForWidth(int width) const {
  const QMargins around = contentsMargins();
  int tall = around.top() + around.bottom() - spacing();
  for (const Line& line : linesIn(width - around.left() - around.right())) tall += line.height + spacing();
  return tall;
}

void WrapLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  QRect room = rect.marginsRemoved(contentsMargins());
  for (const Line& line : linesIn(room.width())) {
    put(line, room);
    room.setTop(room.top() + line.height + spacing());
  }
}

QList<int> WrapLayout::widthsOf(const Line& line, int width) {
  QList<int> widths;
  for (const QLayoutItem* item : line.items) widths << sizeIn(item, width).width();
  int left = std::max(0, width - line.width);
  for (const bool stretches : {false, true}) {
    const auto grows = [stretches](QLayoutItem* item) {
      return takesRoom(item) && (item->spacerItem() != nullptr) == stretches;
    };
    auto growing = static_cast<int>(std::ranges::count_if(line.items, grows));
    for (qsizetype i = 0; i < line.items.size(); ++i) {
      if (!grows(line.items[i])) continue;
      const int more = std::min(left / growing--, line.items[i]->maximumSize().width() - widths[i]);
      widths[i] += more;
      left -= more;
    }
  }
  return widths;
}

void WrapLayout::put(const Line& line, const QRect& rect) const {
  const QList<int> widths = widthsOf(line, rect.width());
  int x = rect.left();
  for (qsizetype i = 0; i < line.items.size(); ++i) {
    QLayoutItem* item = line.items[i];
    const int tall = std::min(sizeIn(item, rect.width()).height(), line.height);
    const int down = line.height - tall;
    item->setGeometry({x, rect.top() + (item->alignment() & Qt::AlignBottom ? down : down / 2), widths[i], tall});
    x += widths[i] + (item->spacerItem() ? 0 : spacing());
  }
}

QSize WrapLayout::sizeHint() const {
  const QMargins around = contentsMargins();
  QSize size;
  for (const Line& line : linesIn(QLAYOUTSIZE_MAX)) size = {line.width, line.height};
  return size + QSize(around.left() + around.right(), around.top() + around.bottom());
}

QSize WrapLayout::minimumSize() const {
  const QMargins around = contentsMargins();
  QSize size(0, 0);
  for (const QLayoutItem* item : m_items)
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  return size + QSize(around.left() + around.right(), around.top() + around.bottom());
}

}  // namespace roadtune::widgets

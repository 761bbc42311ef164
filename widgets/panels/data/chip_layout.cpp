// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/chip_layout.h"

#include <algorithm>

namespace roadtune::widgets {
namespace {
constexpr int kChipGap = 4;
}

ChipLayout::ChipLayout(QWidget* parent) : QLayout(parent) { setContentsMargins(0, 0, 0, 0); }
ChipLayout::~ChipLayout() { qDeleteAll(m_items); }

QLayoutItem* ChipLayout::takeAt(int index) {
  return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

void ChipLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  place(rect, true);
}

int ChipLayout::place(const QRect& rect, bool move) const {
  int x = rect.x(), y = rect.y(), line = 0;
  for (QLayoutItem* item : m_items) {
    const QSize size = item->sizeHint().boundedTo({rect.width(), 1000});
    if (x > rect.x() && x + size.width() > rect.right() + 1) {
      x = rect.x();
      y += line + kChipGap;
      line = 0;
    }
    if (move) item->setGeometry({QPoint(x, y), size});
    x += size.width() + kChipGap;
    line = std::max(line, size.height());
  }
  return y + line - rect.y();
}

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLayout>
#include <QList>

namespace roadtune::widgets {

// Widgets one after the other, in as many lines as they need.
class ChipLayout : public QLayout {
 public:
  explicit ChipLayout(QWidget* parent);
  ~ChipLayout() override;
  void addItem(QLayoutItem* item) override { m_items.append(item); }
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
  QLayoutItem* takeAt(int index) override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return place({0, 0, width, 0}, false); }
  QSize sizeHint() const override { return {120, heightForWidth(240)}; }
  QSize minimumSize() const override { return {60, 22}; }
  void setGeometry(const QRect& rect) override;

 private:
  int place(const QRect& rect, bool move) const;  // how tall it is
  QList<QLayoutItem*> m_items;
};

}  // namespace roadtune::widgets

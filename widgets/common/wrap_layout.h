// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLayout>
#include <QList>

namespace roadtune::widgets {

// Widgets one after the other, in as many lines as they need. What expands needs its least width and takes what a line
// has left; then its stretches do.
class WrapLayout : public QLayout {
 public:
  explicit WrapLayout(int gap, QWidget* parent = nullptr);
  ~WrapLayout() override;
  void addWidget(QWidget* widget, Qt::Alignment alignment);
  using QLayout::addWidget;
  void addStretch();
  void addItem(QLayoutItem* item) override { m_items.append(item); }
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;     // all in one line
  QSize minimumSize() const override;  // the widest of them
  void setGeometry(const QRect& rect) override;

 private:
  struct Line {
    QList<QLayoutItem*> items;
    int width = 0, height = 0;
  };
  QList<Line> linesIn(int width) const;
  static QList<int> widthsOf(const Line& line, int width);
  void put(const Line& line, const QRect& rect) const;
  QList<QLayoutItem*> m_items;
};

}  // namespace roadtune::widgets

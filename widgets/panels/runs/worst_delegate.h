// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/runs/worst_samples.h"

#include <QStyledItemDelegate>

#include <functional>

class QPixmap;

namespace roadtune::widgets {

// A small picture before the name of a sample; a quiet box where there is none yet.
class WorstDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using Picture = std::function<QPixmap(int row)>;
  WorstDelegate(Picture picture, QObject* parent) : QStyledItemDelegate(parent), m_picture(std::move(picture)) {}
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  Picture m_picture;
};

}  // namespace roadtune::widgets

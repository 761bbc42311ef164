// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

namespace roadtune::widgets {

// One line that ends in an ellipsis when it does not fit, with the whole text as its tool tip.
class ElidedLabel : public QWidget {
  Q_OBJECT
 public:
  explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
  void setText(const QString& text);
  QString text() const { return m_text; }
  void setElideMode(Qt::TextElideMode mode);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refreshToolTip();
  QString m_text;
  Qt::TextElideMode m_mode = Qt::ElideRight;
};

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/frame/overlay.h"

#include <QPair>
#include <QVector>

class QScrollArea;

namespace roadtune::widgets {

// Every key of the program on one sheet, in groups.
class KeySheet : public Overlay {
  Q_OBJECT
 public:
  struct Group {
    QString title;
    QVector<QPair<QString, QString>> keys;  // keys, what they do
  };
  KeySheet(const QVector<Group>& groups, QWidget* window);

 signals:
  void documentationRequested();

 protected:
  QSize panelSize(const QSize& window) const override;
  void onOpen() override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QScrollArea* m_scroll;
};

}  // namespace roadtune::widgets

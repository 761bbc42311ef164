// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/control.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;

namespace roadtune::widgets {

// What may change while a run goes on: the learning rate, where gradients are clipped, and how often it logs, saves
// and evaluates. Empty fields stay as they are; what is wrong is said at once.
class LiveEditPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LiveEditPanel(QWidget* parent = nullptr);
  void setConfig(const QString& yaml);  // what the run began with
  void open();
  void close();
  void clear();  // after it was told

 signals:
  void applied(const roadtune::protocol::LiveEdit& edit);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Field {
    QString key;
    QLineEdit* edit;
  };
  void refresh();
  void apply();
  std::vector<Field> m_fields;
  QLabel* m_problem;
  QPushButton* m_apply;
  QString m_yaml;
  protocol::LiveEdit m_edit;
};

}  // namespace roadtune::widgets

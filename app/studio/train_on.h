// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QObject>
#include <QPair>
#include <QString>

namespace roadtune::studio {

class MainWindow;
class TrainController;

// From the Data page to the Train page: what is on show there becomes what a run learns from. The index and the saved
// views stand ready at the fields that want them.
class TrainOn : public QObject {
  Q_OBJECT
 public:
  TrainOn(MainWindow* window, TrainController* train, QObject* parent = nullptr);
  void setIndex(const QString& folder);  // the one that is open now

 private:
  void use();
  MainWindow* m_window;
  TrainController* m_train;
  QString m_folder;
  QString m_said;  // in the strip, of the configuration as it was then
};

}  // namespace roadtune::studio

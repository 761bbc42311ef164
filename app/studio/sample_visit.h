// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QPointer>
#include <QWidget>

namespace roadtune::studio {

class MainWindow;

// A look at one image from the Runs page: large on the Data page, whose query stays as it is. Going back leads to where
// the look began. UI thread only.
class SampleVisit : public QObject {
  Q_OBJECT
 public:
  explicit SampleVisit(MainWindow* window, QObject* parent = nullptr);
  void show(quint32 image);
  // True: `samples` are one image of the data that is open, which is shown.
  bool showOnly(const QStringList& samples);

 private:
  void goBack();
  MainWindow* m_window;
  QPointer<QWidget> m_from;  // had the keys; null: there is nowhere to go back to
};

}  // namespace roadtune::studio

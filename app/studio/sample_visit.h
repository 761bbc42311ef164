// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "core/data/index/index.h"

#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QWidget>

#include <vector>

namespace roadtune::studio {

class MainWindow;

// A look at images from the Runs page. One is shown large on the Data page, whose query stays as it is, and going back
// leads to where the look began; of several the grid is filled. Also finds the pictures of a step whose data is not
// open. UI thread only.
class SampleVisit : public QObject {
  Q_OBJECT
 public:
  explicit SampleVisit(MainWindow* window, QObject* parent = nullptr);
  void show(quint32 image);
  // Samples of the run in `run`. Where they are not in the data that is open, that which the run learnt from is opened.
  void show(const QStringList& samples, const QString& run);
  void takeIndex();  // other data is open

 signals:
  void openRequested(const QString& folder);

 private:
  void showAll(const data::Index& index, const std::vector<data::ImageId>& images);
  void openDataOf(const QStringList& samples, const QString& run);
  void findPictures(const QStringList& samples);
  void tell(const QString& text);
  void goBack();
  MainWindow* m_window;
  QPointer<QWidget> m_from;  // had the keys; null: there is nowhere to go back to
  QString m_said;            // in the strip, of the run that is on show
  QStringList m_awaited;     // samples to show once the data that has them is open
  Background m_background{"samples"};
};

}  // namespace roadtune::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/runs/worst_samples.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTreeView;

namespace roadtune::widgets {

class PicturePool;
class TableModel;

// The samples a run has most trouble with, with their pictures where they are images of the index on show, or of the
// one that the run learnt from. Reads nothing itself: it says when it is looked at, and is told.
class WorstPanel : public QWidget {
  Q_OBJECT
 public:
  explicit WorstPanel(QWidget* parent = nullptr);
  ~WorstPanel() override;
  void setSamples(const WorstSamplesPtr& samples);
  void clear();
  void setIndex(std::shared_ptr<const data::Index> index);  // on the Data page, may be null; asks anew
  TableModel* table() const { return m_table; }

 signals:
  void wanted();                              // it is looked at
  void sampleChosen(quint32 image);           // to be seen large
  void unknownChosen(const QString& sample);  // it is of other data
  void orderRequested();                      // all images in the order of their losses

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void open(int row);
  void askForPictures();
  QLabel* m_title;
  QPushButton* m_show;
  QPushButton* m_openData;
  TableModel* m_table;
  QTreeView* m_view;
  QLabel* m_empty;
  WorstSamplesPtr m_samples;
  std::shared_ptr<const data::Index> m_index;
  std::unique_ptr<PicturePool> m_pool;  // made when the first pictures are shown
};

}  // namespace roadtune::widgets

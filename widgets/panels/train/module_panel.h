// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/train/train_estimate.h"

#include <QWidget>

class QLabel;
class QModelIndex;
class QTreeView;

namespace roadtune::widgets {

class ElidedLabel;
class ModuleTreeModel;

// What is trained: the modules of the chosen model. A click (or Space) on a state moves it on.
class ModulePanel : public QWidget {
  Q_OBJECT
 public:
  explicit ModulePanel(QWidget* parent = nullptr);
  void setEstimate(const TrainEstimate& estimate);
  ModuleTreeModel* model() const { return m_model; }
  QTreeView* view() const { return m_view; }

 signals:
  void modeRequested(const QString& path, const QString& method);  // frozen | full | lora

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void cycle(const QModelIndex& index);
  ModuleTreeModel* m_model;
  QTreeView* m_view;
  ElidedLabel* m_name;
  QLabel* m_nothing;
  QLabel* m_notes;
  bool m_first = true;
};

}  // namespace roadtune::widgets

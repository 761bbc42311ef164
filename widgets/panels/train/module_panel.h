// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/models/module_paint.h"
#include "widgets/panels/train/train_estimate.h"

#include <QWidget>

class QLabel;
class QModelIndex;
class QPushButton;
class QTreeView;

namespace roadtune::widgets {

class ElidedLabel;
class ModuleTreeModel;
class PaintBar;

// What is trained: the modules of the chosen model, to paint on. A click (or Space) on a state moves it on; brushes,
// keys and the context menu work on the selected rows, or on what the pattern finds.
class ModulePanel : public QWidget {
  Q_OBJECT
 public:
  explicit ModulePanel(QWidget* parent = nullptr);
  void setEstimate(const TrainEstimate& estimate);
  void setConfig(const config::RunConfig& config);
  ModuleTreeModel* model() const { return m_model; }
  QTreeView* view() const { return m_view; }

 signals:
  void paintRequested(const QStringList& paths, const roadtune::widgets::ModulePaint& paint);
  void freezeRequested(const QString& field, bool frozen);
  void languageOnlyRequested();  // keep adapters off the vision tower

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void connectParts();
  void shareRoom();
  void cycle(const QModelIndex& index);
  void paint(const ModulePaint& paint);
  void showMatches();
  bool paintByKey(int key);
  void showMenu(const QPoint& at);
  void refreshNotes(const TrainEstimate& estimate);
  QStringList selectedPaths() const;
  ModuleTreeModel* m_model;
  QTreeView* m_view;
  PaintBar* m_brushes;
  ElidedLabel* m_name;
  QLabel* m_nothing;
  QLabel* m_notes;
  QPushButton* m_languageOnly;
  bool m_first = true;
};

}  // namespace roadtune::widgets

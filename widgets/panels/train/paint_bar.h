// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/models/module_paint.h"

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace roadtune::widgets {

class ModuleTreeModel;

// What a module can compute in, as painted, and the words of a menu.
QList<std::pair<QString, QString>> paintTypes();

// The brushes of the module tree: one button per method, one for the type to compute in, what paint takes along (rank,
// alpha and dropout for adapters, a learning rate for whatever is trained), and a pattern that stands for all modules
// whose name it is found in.
class PaintBar : public QWidget {
  Q_OBJECT
 public:
  explicit PaintBar(ModuleTreeModel* model, QWidget* parent = nullptr);
  ModulePaint paintOf(const QString& method) const;       // with what is set beside it, where that counts
  QStringList matches() const;                            // of the pattern; empty when there is none
  QToolButton* freezeButton() const { return m_freeze; }  // for whoever lays it out
  void refreshCount();
  void setFrozen(bool vision, bool projector, bool language);

 signals:
  void patternChanged();
  void painted(const roadtune::widgets::ModulePaint& paint);
  void freezeRequested(const QString& field, bool frozen);  // a whole tower, by its setting

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QWidget* makeBrushes();
  QPushButton* makeTypeBrush();
  QWidget* makeDetails();
  QToolButton* makeTowers();
  ModuleTreeModel* m_model;
  QSpinBox* m_rank;
  QDoubleSpinBox *m_alpha, *m_dropout;
  QLineEdit* m_rate;
  QLineEdit* m_pattern;
  QLabel* m_count;
  QList<QAction*> m_towers;
  QToolButton* m_freeze;
};

}  // namespace roadtune::widgets

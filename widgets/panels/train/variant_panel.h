// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace roadtune::widgets {

// Several runs that differ in some settings: which, and what their values are. Hidden until it is asked for.
class VariantPanel : public QWidget {
  Q_OBJECT
 public:
  explicit VariantPanel(QWidget* parent = nullptr);
  void setConfig(const config::RunConfig& config);  // what the settings are now
  void setAllowed(bool allowed);                    // false: something else stands in the way
  void setProblem(const QString& problem);          // why they cannot be queued
  void open();
  void close();
  QStringList varied() const;  // "learning_rate=1e-5,2e-5"

 signals:
  void queueRequested(const QStringList& varied);
  void grown();
  void focusLeaving();  // it is about to be put away with the focus in it

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Row {
    QWidget* whole;
    QComboBox* setting;
    QLineEdit* values;
    QToolButton* remove;
  };
  void addRow(const char* field);
  void removeRow(QWidget* whole);
  void refresh();
  void queue();
  std::vector<Row> m_rows;
  QVBoxLayout* m_lines;
  QPushButton *m_more, *m_queue;
  QLabel* m_summary;
  config::RunConfig m_config;
  bool m_allowed = true;
};

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/fleet/preflight_changes.h"

#include <QWidget>

class QLabel;
class QTreeView;

namespace roadtune::widgets {

class ChangedMarks;
class TableModel;

// The checks of before, newest first; the chosen one as a matrix below them, with what had changed by then.
class PreflightHistoryPanel : public QWidget {
  Q_OBJECT
 public:
  explicit PreflightHistoryPanel(QWidget* parent = nullptr);
  void setRecords(PreflightRecords records);

 signals:
  void removeRequested(double when);
  void removeAllRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeOld();
  void connectList();
  void showCurrent();
  void close();
  void showMenu(const QPoint& at);
  void fit();
  std::size_t recordAt(int row) const { return m_records.size() - 1 - static_cast<std::size_t>(row); }
  PreflightRecords m_records;
  TableModel* m_model;
  ChangedMarks* m_marks;
  QTreeView *m_list, *m_table;
  QWidget* m_old;
  QLabel *m_empty, *m_title;
};

}  // namespace roadtune::widgets

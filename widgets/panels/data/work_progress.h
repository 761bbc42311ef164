// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace roadtune::widgets {

class ElidedLabel;

// How far a piece of work is: what it does, a bar, amounts with rate and time left, and a button that cancels it, which
// gets the focus.
class WorkProgress : public QWidget {
  Q_OBJECT
 public:
  // `name` begins the object names of its parts: nameCancel, nameAmount.
  explicit WorkProgress(const QString& name, QWidget* parent = nullptr);
  struct State {
    QString stage, unit, detail;  // "indexing", "bytes", the file at hand
    quint64 done = 0, total = 0;  // total 0: not known
    double rate = 0, eta = 0;     // units and seconds; 0: not known
  };
  void begin(const QString& what);
  void setState(const State& state);

 signals:
  void cancelRequested();

 private:
  QLabel* m_stage;
  QProgressBar* m_bar;
  QLabel* m_amount;
  ElidedLabel* m_detail;
  QPushButton* m_cancel;
};

// "12.4 MB of 50 MB  ·  4.2 MB/s  ·  9 s left".
QString progressAmounts(const WorkProgress::State& state);

}  // namespace roadtune::widgets

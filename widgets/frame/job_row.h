// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include <cstdint>

class QProgressBar;

namespace roadtune::widgets {

class ElidedLabel;

// One piece of background work in the status strip: title, bar, detail, cancel.
class JobRow : public QWidget {
  Q_OBJECT
 public:
  explicit JobRow(const QString& title, QWidget* parent = nullptr);
  void setProgress(std::uint64_t done, std::uint64_t total, const QString& detail);

 signals:
  void cancelRequested();

 private:
  QProgressBar* m_bar;
  ElidedLabel* m_detail;
};

}  // namespace roadtune::widgets

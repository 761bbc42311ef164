// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include <cstdint>
#include <map>

class QHBoxLayout;
class QPushButton;

namespace roadtune::widgets {

class ElidedLabel;
class JobRow;

// The thin bar at the bottom: work in the background with progress and cancel, a passing message, and the chip that
// tells of live runs.
class StatusStrip : public QWidget {
  Q_OBJECT
 public:
  explicit StatusStrip(QWidget* parent = nullptr);

  int addJob(const QString& title);  // returns its number
  // `total` 0: not known. `detail` is a short text such as "1,204 of 9,000 images".
  void setJobProgress(int job, std::uint64_t done, std::uint64_t total, const QString& detail);
  void endJob(int job);
  int jobCount() const { return static_cast<int>(m_jobs.size()); }

  void setMessage(const QString& text);                    // stays until the next one
  void withdraw(const QString& text);                      // where it still stands: it is true no more
  void setLiveRuns(int running, double samplesPerSecond);  // 0 hides the chip

 signals:
  void cancelRequested(int job);
  void liveRunsClicked();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  ElidedLabel* m_message;
  QHBoxLayout* m_jobRows;
  QPushButton* m_chip;
  std::map<int, JobRow*> m_jobs;
  int m_next = 1;
};

}  // namespace roadtune::widgets

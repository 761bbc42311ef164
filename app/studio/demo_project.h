// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/job_board.h"

#include <QObject>
#include <QString>
#include <QTimer>

namespace roadtune::studio {

// The demo project: drawn street scenes and a tiny model, made by `roadtune demo` as a child process, and a run on
// them, which is started as any other and goes on without the window. Tells of each part as soon as it is there.
class DemoProject : public QObject {
  Q_OBJECT
 public:
  DemoProject(JobBoard* jobs, QString folder, QObject* parent = nullptr);
  void open();

 signals:
  void dataReady(const QString& index);
  void configReady(const QString& file);
  void runReady(const QString& folder);
  void failed(const QString& message);

 private:
  void look();
  void train();
  JobBoard* m_jobs;
  QString m_folder;
  QTimer m_timer;
  Background m_launch{"demo"};
  bool m_data = false, m_config = false, m_run = false;
  bool m_opening = false;
};

}  // namespace roadtune::studio

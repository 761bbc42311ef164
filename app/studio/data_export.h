// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/job_board.h"
#include "widgets/panels/data/export_panel.h"

#include <QObject>
#include <QPointer>

#include <filesystem>
#include <map>
#include <string>

namespace roadtune::widgets {
class DataPage;
}

namespace roadtune::studio {

// What happens behind the export panel: `roadtune data export` in a child process.
class DataExport : public QObject {
  Q_OBJECT
 public:
  DataExport(widgets::DataPage* page, JobBoard* jobs, QObject* parent = nullptr);
  void choose();                         // opens the panel
  void setIndex(const QString& folder);  // exports suggest a place named after it
  // What queries call runs: the program that exports knows folders only.
  void setRuns(const std::map<std::string, std::filesystem::path>& runs) { m_runs = runs; }

 private:
  void browseTarget();
  bool makeRoom(const widgets::ExportPanel::Wish& wish);  // false: nothing may be written there
  void start(const widgets::ExportPanel::Wish& wish);
  void end(int exitCode, const QByteArray& printed, const QString& message);
  widgets::DataPage* m_page;
  widgets::ExportPanel* m_panel;
  JobBoard* m_jobs;
  QString m_index;
  std::map<std::string, std::filesystem::path> m_runs;
  widgets::ExportPanel::Wish m_wish;
  QPointer<ChildJob> m_job;
  Background m_cleaning{"old exports"};
};

}  // namespace roadtune::studio

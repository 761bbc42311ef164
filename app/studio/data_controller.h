// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/job_board.h"
#include "app/studio/query_worker.h"
#include "app/studio/settings.h"

#include <QObject>
#include <QTimer>

namespace roadtune::widgets {
class DataPage;
}

namespace roadtune::studio {

// Opens and imports data for the Data page and answers its queries.
class DataController : public QObject {
  Q_OBJECT
 public:
  DataController(widgets::DataPage* page, JobBoard* jobs, Settings& settings, QObject* parent = nullptr);
  ~DataController() override;

  void open(const QString& folder, bool quiet = false);  // an index; quiet: no message when it is not one
  void importFrom(const QStringList& sources);

 signals:
  void opened(const QString& folder);

 private:
  void chooseImport();
  void chooseIndex();
  void startImport(const QStringList& sources, const QString& out, bool licenceAccepted);
  void endImport(const QStringList& sources, const QString& out, int exitCode, const QString& message);
  void ask(const QString& query);
  void connectMarks();
  void askViewName();
  void show(std::shared_ptr<const data::Index> index);

  widgets::DataPage* m_page;
  JobBoard* m_jobs;
  Settings& m_settings;
  WorkerThread<QueryWorker> m_queries{"queries"};
  Background m_background{"data"};
  QTimer m_peek;  // shows an import before it is over
  QString m_importing;
  std::uint64_t m_ticket = 0;
  data::CancelToken m_cancel;
};

}  // namespace roadtune::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/data_export.h"
#include "app/studio/data_history.h"
#include "app/studio/data_import.h"
#include "app/studio/data_losses.h"
#include "app/studio/data_predictions.h"
#include "app/studio/data_quality.h"
#include "app/studio/data_tokens.h"
#include "app/studio/job_board.h"
#include "app/studio/query_worker.h"
#include "app/studio/settings.h"

#include <QObject>

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
  // Boxes that a model predicted for the images of `query`, over the first of them.
  void showPredictions(const QString& index, const QString& query, const QString& file, const QString& name);
  DataHistory& history() { return m_history; }
  DataPredictions& predictions() { return m_predictions; }
  DataTokens& tokens() { return m_tokens; }
  DataLosses& losses() { return m_losses; }
  void importFrom(const QStringList& sources);

 signals:
  void opened(const QString& folder);

 private:
  void chooseIndex();
  void ask(const QString& query);
  void connectMarks();
  void tellGone(const QString& folder);
  void tellNoIndex(const QString& folder);
  void takeImported(const QString& folder, bool quiet);
  void show(std::shared_ptr<const data::Index> index, bool grown = false);

  widgets::DataPage* m_page;
  Settings& m_settings;
  DataHistory m_history;
  DataImport m_import;
  DataExport m_export;
  DataQuality m_quality;
  DataPredictions m_predictions;
  DataTokens m_tokens;
  DataLosses m_losses;
  WorkerThread<QueryWorker> m_queries{"queries"};
  Background m_background{"data"};
  std::uint64_t m_ticket = 0;
  std::uint64_t m_number = 0;   // of the index on show: images of another one have the same numbers
  QStringList m_words, m_tags;  // that complete a query: of the index on show, of its user
  QString m_folder;             // of the index on show, or that was on show last
  bool m_openFirst = false;     // image of the next answer
  data::CancelToken m_cancel;
};

}  // namespace roadtune::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/job_board.h"
#include "widgets/panels/data/import_panel.h"

#include <QDateTime>
#include <QObject>
#include <QPointer>
#include <QTimer>

namespace roadtune::widgets {
class DataPage;
}

namespace roadtune::studio {

// What happens behind the import panel: looking into what was picked, and importing it, each in a child process.
class DataImport : public QObject {
  Q_OBJECT
 public:
  DataImport(widgets::DataPage* page, JobBoard* jobs, QObject* parent = nullptr);
  void choose();                              // opens the panel
  void consider(const QStringList& sources);  // opens it on these
  bool going() const { return m_going; }

 signals:
  void indexWanted(const QString& folder, bool quiet);  // there may be something to show

 private:
  void browse();
  void browseTarget();
  void tellTarget(const QString& folder);
  void stopLooking();
  void listBucket();
  void showFound(int exitCode, const QByteArray& printed, const QString& message);
  void start(const widgets::ImportPanel::Wish& wish);
  void lookAtIndex();
  void end(int exitCode, const QString& message);
  widgets::DataPage* m_page;
  widgets::ImportPanel* m_panel;
  JobBoard* m_jobs;
  QString m_address;  // the bucket to look into
  QTimer m_typing;
  QTimer m_peek;  // shows an import before it is over
  QString m_stage;
  QDateTime m_saved;  // when what was looked at last had been written
  bool m_going = false, m_quiet = true;
  widgets::ImportPanel::Wish m_wish;
  QPointer<ChildJob> m_look, m_import;
  Background m_background{"import target"};
};

}  // namespace roadtune::studio

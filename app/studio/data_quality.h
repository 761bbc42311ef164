// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/job_board.h"
#include "app/studio/quality_report.h"

#include <QObject>
#include <QPointer>

namespace roadtune::widgets {
class DataPage;
class QualityPanel;
}  // namespace roadtune::widgets

namespace roadtune::studio {

// What happens behind the quality panel: `roadtune data quality` in a child process, once per index and again with
// pictures or tokens when asked.
class DataQuality : public QObject {
  Q_OBJECT
 public:
  DataQuality(widgets::DataPage* page, JobBoard* jobs, QObject* parent = nullptr);
  void choose();  // opens the panel
  void setIndex(const std::shared_ptr<const data::Index>& index);

 signals:
  void cutFound(const QString& tag, const QStringList& images);  // samples that a run would cut: these carry the tag

 private:
  void measure(const QString& what);
  void start(const QString& what);
  void end(int exitCode, const QByteArray& printed, const QString& message);
  void browseModel();
  void drop();  // the job at hand, whose answer nobody wants any more
  widgets::DataPage* m_page;
  widgets::QualityPanel* m_panel;
  JobBoard* m_jobs;
  Background m_background{"quality"};
  std::shared_ptr<const data::Index> m_index;
  std::vector<PictureSize> m_sizes;
  bool m_pictures = false, m_measured = false;
  QString m_model;
  int m_maxLength = 0;
  QPointer<ChildJob> m_job;
};

}  // namespace roadtune::studio

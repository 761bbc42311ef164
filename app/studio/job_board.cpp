// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/job_board.h"

#include "app/studio/strip_progress.h"
#include "widgets/frame/status_strip.h"

#include <QTimer>

namespace roadtune::studio {
JobBoard::JobBoard(widgets::StatusStrip* strip, QObject* parent) : QObject(parent), m_strip(strip) {
  connect(strip, &widgets::StatusStrip::cancelRequested, this, [this](int number) {
    if (const auto found = m_jobs.find(number); found != m_jobs.end()) found->second->cancel();
  });
}

ChildJob* JobBoard::run(const QString& title, const QStringList& arguments) {
  auto* job = new ChildJob(arguments, this);
  const int number = m_strip->addJob(title);
  m_jobs[number] = job;
  connect(job, &ChildJob::progressed, this, [this, number](const JobProgress& now) {
    m_strip->setJobProgress(number, now.done, now.total, progressText(now.stage, now.done, now.total, now.unit));
  });
  connect(job, &ChildJob::finished, this, [this, number, job] {
    m_strip->endJob(number);
    m_jobs.erase(number);
    job->deleteLater();
  });
  QTimer::singleShot(0, job, &ChildJob::start);
  return job;
}

}  // namespace roadtune::studio

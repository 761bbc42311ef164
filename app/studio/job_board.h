// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/child_job.h"

#include <QObject>

#include <map>

namespace roadtune::widgets {
class StatusStrip;
}

namespace roadtune::studio {

// Child jobs on the status strip: shows how far they are, and cancels them.
class JobBoard : public QObject {
  Q_OBJECT
 public:
  explicit JobBoard(widgets::StatusStrip* strip, QObject* parent = nullptr);

  // Starts the job and shows it until it ends. The board owns it.
  ChildJob* run(const QString& title, const QStringList& arguments);

 private:
  widgets::StatusStrip* m_strip;
  std::map<int, ChildJob*> m_jobs;
};

}  // namespace roadtune::studio

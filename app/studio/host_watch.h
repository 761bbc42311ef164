// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/host_sample.h"
#include "remote/launch/host_access.h"
#include "widgets/panels/fleet/machine_reading.h"

#include <QObject>

#include <atomic>
#include <memory>
#include <optional>

class QTimer;

namespace roadtune::studio {

// Looks at one other machine every few seconds over one connection, without installing anything there. Asks no
// questions of its own: what it may answer is in the prompts it is given. Lives on a thread of its own.
class HostWatch : public QObject {
  Q_OBJECT
 public:
  explicit HostWatch(QObject* parent = nullptr);
  ~HostWatch() override;
  void requestStop() { m_stop = true; }  // from any thread

  void watch(const QString& host, const remote::Prompts& prompts);  // (again), from the connection on
  void pause();                                                     // ends the connection

 signals:
  // `reading` is null unless the state is Ready.
  void changed(const QString& host, roadtune::widgets::MachineState state, const QString& message,
               const roadtune::widgets::MachineReadingPtr& reading);

 private:
  void look();
  void fail(const Error& error);
  Status connectNow();
  QString m_host;
  remote::Prompts m_prompts;
  std::optional<remote::Session> m_session;
  HostCounters m_counters;
  int m_pause = 0;  // ms until the next attempt after a failure
  std::atomic<bool> m_stop = false;
  QTimer* m_timer;
};

}  // namespace roadtune::studio

Q_DECLARE_METATYPE(roadtune::widgets::MachineState)

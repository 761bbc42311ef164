// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QThread>

#include <memory>

namespace roadtune::studio {

// A thread that owns one worker object: both end with this. Talk to worker() through signals or
// QMetaObject::invokeMethod only.
template <class Worker>
class WorkerThread {
 public:
  explicit WorkerThread(const char* name) : m_worker(new Worker) {
    m_thread.setObjectName(QLatin1String(name));
    m_worker->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
  }
  ~WorkerThread() {
    m_thread.quit();
    m_thread.wait();
  }
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  Worker* worker() const { return m_worker; }

  // Runs on the worker's thread.
  template <class Call>
  void post(Call call) {
    QMetaObject::invokeMethod(m_worker, std::move(call), Qt::QueuedConnection);
  }

 private:
  QThread m_thread;
  Worker* m_worker;
};

}  // namespace roadtune::studio

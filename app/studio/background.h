// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/worker_thread.h"

#include <QPointer>

#include <utility>

namespace roadtune::studio {

// Short blocking work (opening files, asking an agent) one after the other on one thread; the answer comes back to the
// UI thread, unless its receiver is gone by then.
class Background {
 public:
  explicit Background(const char* name) : m_thread(name) {}

  template <class Work, class Done>
  void run(QObject* receiver, Work work, Done done) {
    m_thread.post([receiver = QPointer<QObject>(receiver), work = std::move(work), done = std::move(done)]() mutable {
      auto answer = work();
      QObject* target = receiver.data();
      if (!target) return;
      QMetaObject::invokeMethod(
          target, [done = std::move(done), answer = std::move(answer)]() mutable { done(std::move(answer)); },
          Qt::QueuedConnection);
    });
  }

 private:
  WorkerThread<QObject> m_thread;
};

}  // namespace roadtune::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/run_catalogue.h"

#include <QObject>
#include <QStringList>

#include <atomic>
#include <memory>
#include <vector>

class QTimer;

namespace roadtune::studio {

using RunEntries = std::shared_ptr<const std::vector<runs::RunEntry>>;

// Looks for runs below the roots every few seconds. Lives on a thread of its own.
class CatalogueFeed : public QObject {
  Q_OBJECT
 public:
  explicit CatalogueFeed(QObject* parent = nullptr);
  void requestStop() { m_stop = true; }  // from any thread: ends a long search

 public slots:
  void setRoots(const QStringList& roots);
  void lookNow();

 signals:
  void found(const roadtune::studio::RunEntries& runs);

 private:
  QStringList m_roots;
  QTimer* m_timer;
  std::atomic<bool> m_stop = false;
};

}  // namespace roadtune::studio

Q_DECLARE_METATYPE(roadtune::studio::RunEntries)

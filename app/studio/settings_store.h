// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/worker_thread.h"

#include <QMap>
#include <QString>
#include <QVariant>

#include <memory>

namespace roadtune::studio {

// The settings file in memory. It is read once; what changes is written within moments on a thread of its own, because
// every write waits for the disk. UI thread.
class SettingsStore {
 public:
  SettingsStore();
  ~SettingsStore();  // everything is on the disk
  SettingsStore(const SettingsStore&) = delete;
  SettingsStore& operator=(const SettingsStore&) = delete;

  QVariant value(const QString& key, const QVariant& fallback = {}) const { return m_values.value(key, fallback); }
  void set(const QString& key, const QVariant& value);
  void remove(const QString& key) { set(key, {}); }

 private:
  struct Pending;
  QMap<QString, QVariant> m_values;
  std::shared_ptr<Pending> m_pending;
  WorkerThread<QObject> m_writer{"settings"};
};

}  // namespace roadtune::studio

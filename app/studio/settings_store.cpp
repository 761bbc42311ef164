// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/settings_store.h"

#include <QSettings>

#include <mutex>
#include <utility>

namespace roadtune::studio {

// What is not written yet; an invalid value takes its key out.
struct SettingsStore::Pending {
  std::mutex mutex;
  QMap<QString, QVariant> values;

  bool add(const QString& key, const QVariant& value) {  // is it the first one?
    const std::scoped_lock lock(mutex);
    const bool first = values.isEmpty();
    values[key] = value;
    return first;
  }
  void write() {
    std::unique_lock lock(mutex);
    const QMap<QString, QVariant> taken = std::exchange(values, {});
    lock.unlock();
    QSettings file;
    for (auto one = taken.begin(); one != taken.end(); ++one)
      one->isValid() ? file.setValue(one.key(), *one) : file.remove(one.key());
  }
};

SettingsStore::SettingsStore() : m_pending(std::make_shared<Pending>()) {
  const QSettings file;
  for (const QString& key : file.allKeys()) m_values[key] = file.value(key);
}

SettingsStore::~SettingsStore() {
  QMetaObject::invokeMethod(
      m_writer.worker(), [] {}, Qt::BlockingQueuedConnection);  // after all that was posted
}

void SettingsStore::set(const QString& key, const QVariant& value) {
  if (m_values.contains(key) ? m_values[key] == value : !value.isValid()) return;
  if (value.isValid())
    m_values[key] = value;
  else
    m_values.remove(key);
  if (m_pending->add(key, value)) m_writer.post([pending = m_pending] { pending->write(); });
}

}  // namespace roadtune::studio

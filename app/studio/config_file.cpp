// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/config_file.h"

#include "core/base/hash.h"

#include <QFileInfo>

namespace roadtune::studio {
namespace {

constexpr int kSettlingMs = 150;

std::string hashOf(const QString& path) {
  const auto hash = sha256OfFile(path.toStdString());
  return hash.ok() ? hash.value() : std::string();
}

}  // namespace

ConfigFile::ConfigFile(QObject* parent) : QObject(parent) {
  m_settling.setSingleShot(true);
  m_settling.setInterval(kSettlingMs);
  const auto settle = [this] { m_settling.start(); };
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, settle);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, settle);
  connect(&m_settling, &QTimer::timeout, this, [this] {
    watch();
    if (!known() || !exists()) return;
    const std::string now = hashOf(m_path);
    if (now.empty() || now == m_held || now == m_told) return;
    m_told = now;
    emit changed();
  });
}

void ConfigFile::follow(const QString& path, const std::string& held) {
  if (path != m_path) {
    m_settling.stop();
    if (const QStringList watched = m_watcher.files() + m_watcher.directories(); !watched.isEmpty())
      m_watcher.removePaths(watched);
  }
  m_path = path;
  m_held = held;
  m_told.clear();
  watch();
}

bool ConfigFile::exists() const { return QFileInfo(m_path).isFile(); }

bool ConfigFile::changedElsewhere() const { return exists() && hashOf(m_path) != m_held; }

// A file that is replaced is another one to the watcher: its folder tells of that.
void ConfigFile::watch() {
  if (!known() || m_path.isEmpty()) return;
  const QFileInfo file(m_path);
  if (!m_watcher.directories().contains(file.absolutePath())) m_watcher.addPath(file.absolutePath());
  if (file.isFile() && !m_watcher.files().contains(m_path)) m_watcher.addPath(m_path);
}

}  // namespace roadtune::studio

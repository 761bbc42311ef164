// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

#include <string>

namespace roadtune::studio {

// The file a configuration lies in: what it held when it was last read or written here, and whether somebody has
// changed it since. UI thread.
class ConfigFile : public QObject {
  Q_OBJECT
 public:
  explicit ConfigFile(QObject* parent = nullptr);
  // From now on this file, which held the text of this SHA-256; empty: it was neither read nor written here.
  void follow(const QString& path, const std::string& held);
  const std::string& held() const { return m_held; }
  bool known() const { return !m_held.empty(); }
  bool exists() const;
  bool changedElsewhere() const;  // it is there and holds something else

 signals:
  void changed();  // elsewhere

 private:
  void watch();
  QString m_path;
  std::string m_held;
  std::string m_told;  // what it held when changed() was last emitted
  QFileSystemWatcher m_watcher;
  QTimer m_settling;  // an editor writes in steps
};

}  // namespace roadtune::studio

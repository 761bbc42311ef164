// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/worker_thread.h"
#include "core/base/result.h"

#include <QMap>
#include <QObject>
#include <QString>

#include <mutex>
#include <optional>
#include <string>

namespace roadtune::studio {

// A configuration as it was edited and not saved.
struct Draft {
  QString name;  // as the page shows it
  std::string text;
  std::string base;  // SHA-256 of what its file held when the edits began; empty: there was no file
  std::string made;  // where there was none: the text that was edited, empty for a new run
};

// Drafts by the path of their file, each in a small file of its own below the studio's folder. They are written within
// moments on a thread of their own, because every write waits for the disk. UI thread.
class DraftStore : public QObject {
  Q_OBJECT
 public:
  explicit DraftStore(const QString& folder);
  ~DraftStore() override;  // everything is on the disk
  DraftStore(const DraftStore&) = delete;
  DraftStore& operator=(const DraftStore&) = delete;

  std::optional<Draft> find(const QString& path) const;
  void put(const QString& path, const Draft& draft);
  void remove(const QString& path);
  Status lastWrite() const;  // how the last one went that has ended

 signals:
  void failed(const roadtune::Error& error);  // a draft could not be written

 private:
  void note(const Status& written);
  QString fileOf(const QString& path) const;
  QString m_folder;
  QMap<QString, std::optional<Draft>> m_told;  // what the thread was told since the start; none: removed
  mutable std::mutex m_mutex;
  Status m_last;
  WorkerThread<QObject> m_writer{"drafts"};
};

}  // namespace roadtune::studio

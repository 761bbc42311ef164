// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/error.h"

#include <QObject>
#include <QProcess>
#include <QStringList>

#include <cstdint>
#include <optional>

namespace roadtune::studio {

// How far a child is, as it says.
struct JobProgress {
  QString stage, unit, detail;
  quint64 done = 0, total = 0;  // total 0: not known
  double rate = 0, eta = 0;     // units a second, seconds; 0: not known
};

// A line that a command prints on stderr with --progress json: how far it is, or words.
struct ChildLine {
  std::optional<JobProgress> progress;
  QString text;
};
ChildLine readChildLine(const QByteArray& line);

// A `roadtune` command as a child process: heavy or risky work cannot take the window down. Reads the progress lines
// it prints on stderr (--progress json); everything else there is kept as its message.
class ChildJob : public QObject {
  Q_OBJECT
 public:
  ChildJob(QStringList arguments, QObject* parent = nullptr);
  ~ChildJob() override;
  void start();
  void cancel();  // politely first; kills after some seconds
  const QString& message() const { return m_message; }

 signals:
  void progressed(const roadtune::studio::JobProgress& progress);
  void printed(const QByteArray& line);  // on stdout
  void remarked(const QString& line);    // on stderr, progress aside
  void finished(int exitCode);           // exactly once; 3 when the program cannot be started

 private:
  void readErrors();
  void readLine(const QByteArray& line);
  void end(int exitCode);
  QStringList m_arguments;
  QProcess m_process;
  QByteArray m_rest;
  QString m_message;
  bool m_ended = false;
};

}  // namespace roadtune::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/error.h"

#include <QObject>
#include <QProcess>
#include <QStringList>

#include <cstdint>

namespace roadtune::studio {

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
  void progressed(const QString& stage, quint64 done, quint64 total, const QString& unit, const QString& detail);
  void printed(const QByteArray& line);  // on stdout
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

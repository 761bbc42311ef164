// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/child_job.h"

#include "core/base/exit_code.h"
#include "core/base/subprocess.h"
#include "widgets/common/told_words.h"

#include <nlohmann/json.hpp>

#include <QTimer>

#include <csignal>

namespace roadtune::studio {
namespace {
constexpr int kPatienceMs = 5000;
constexpr qsizetype kLongestMessage = 20000;

JobProgress progressOf(const nlohmann::json& json) {
  const auto text = [&json](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
  };
  const auto number = [&json](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? found->get<double>() : 0.0;
  };
  return {.stage = text("stage"),
          .unit = text("unit"),
          .detail = text("detail"),
          .done = static_cast<quint64>(number("done")),
          .total = static_cast<quint64>(number("total")),
          .rate = number("rate"),
          .eta = number("eta")};
}

}  // namespace

ChildLine readChildLine(const QByteArray& line) {
  const auto json =
      line.startsWith('{') ? nlohmann::json::parse(line.begin(), line.end(), nullptr, false) : nlohmann::json();
  if (json.is_object() && json.contains("stage")) return {progressOf(json), {}};
  // What went wrong, and what a run says, are objects as well: their words are meant for people.
  for (const char* key : {"error", "message"})
    if (json.is_object() && json.contains(key) && json[key].is_string())
      return {{}, QString::fromStdString(json[key].get<std::string>()).trimmed()};
  return {{}, QString::fromUtf8(line.trimmed())};
}

ChildJob::ChildJob(QStringList arguments, QObject* parent) : QObject(parent), m_arguments(std::move(arguments)) {
  connect(&m_process, &QProcess::readyReadStandardError, this, &ChildJob::readErrors);
  connect(&m_process, &QProcess::readyReadStandardOutput, this, [this] {
    while (m_process.canReadLine()) emit printed(m_process.readLine().trimmed());
  });
  connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    readErrors();
    end(status == QProcess::NormalExit ? code : kExitFailed);
  });
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    m_message = m_process.errorString();
    end(kExitMissing);
  });
}

ChildJob::~ChildJob() {
  if (m_process.state() == QProcess::NotRunning) return;
  m_process.disconnect(this);
  m_process.terminate();
  if (!m_process.waitForFinished(1000)) m_process.kill();
  m_process.waitForFinished(1000);
}

void ChildJob::start() {
  const auto program = siblingProgram("roadtune");
  if (!program.ok()) {
    m_message = widgets::errorText(program.error());
    QTimer::singleShot(0, this, [this] { end(kExitMissing); });
    return;
  }
  m_process.start(QString::fromStdString(program.value().string()), m_arguments);
  m_process.closeWriteChannel();
}

void ChildJob::cancel() {
  if (m_process.state() == QProcess::NotRunning) return;
  ::kill(static_cast<pid_t>(m_process.processId()), SIGINT);
  QTimer::singleShot(kPatienceMs, this, [this] {
    if (m_process.state() != QProcess::NotRunning) m_process.kill();
  });
}

void ChildJob::readErrors() {
  m_rest += m_process.readAllStandardError();
  qsizetype end = 0;
  while ((end = m_rest.indexOf('\n')) >= 0) {
    readLine(m_rest.left(end));
    m_rest.remove(0, end + 1);
  }
}

void ChildJob::readLine(const QByteArray& line) {
  const ChildLine read = readChildLine(line);
  if (read.progress) return emit progressed(*read.progress);
  if (read.text.isEmpty()) return;
  if (m_message.size() < kLongestMessage) m_message += read.text + QLatin1Char('\n');
  emit remarked(read.text);
}

void ChildJob::end(int exitCode) {
  if (m_ended) return;
  m_ended = true;
  m_message = m_message.trimmed();
  emit finished(exitCode);
}

}  // namespace roadtune::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/source_preparation.h"

#include "app/studio/child_job.h"
#include "core/base/exit_code.h"
#include "core/base/subprocess.h"
#include "core/config/resolve.h"
#include "core/data/source/prepare_sources.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"

#include <QElapsedTimer>
#include <QProcess>

#include <csignal>

namespace roadtune::studio {
namespace {

constexpr int kReadMs = 200, kPatientMs = 5000;
constexpr const char* kLicence = "Waymo data needs one acknowledgement of its licence";

// A `roadtune` command that is waited for.
class WaitedCommand {
 public:
  WaitedCommand(QStringList words, Progress begin, ProgressSink& progress)
      : m_words(std::move(words)), m_now(std::move(begin)), m_progress(progress) {}

  // What it printed on stdout.
  Result<std::string> run() {
    ROADTUNE_TRY(const auto program, siblingProgram("roadtune"));
    m_words << QStringLiteral("--progress") << QStringLiteral("json");
    m_child.start(QString::fromStdString(program.string()), m_words);
    m_child.closeWriteChannel();
    m_child.setReadChannel(QProcess::StandardError);
    while (m_child.state() != QProcess::NotRunning) {
      m_child.waitForReadyRead(kReadMs);
      readLines();
      if (!m_progress.report(m_now)) end();
    }
    readLines();
    if (m_child.error() == QProcess::FailedToStart) return missing(m_child.errorString().toStdString());
    const bool exited = m_child.exitStatus() == QProcess::NormalExit;
    if (exited && m_child.exitCode() == kExitDone) return m_child.readAllStandardOutput().trimmed().toStdString();
    if (m_asked.isValid()) return cancelled();
    return failed(m_last.empty() ? "ended with exit code " + std::to_string(m_child.exitCode()) : m_last);
  }

 private:
  void readLines() {
    while (m_child.canReadLine()) {
      const ChildLine line = readChildLine(m_child.readLine());
      if (!line.progress && !line.text.isEmpty()) m_last = line.text.toStdString();
      if (!line.progress) continue;
      m_now = {.stage = line.progress->stage.toStdString(),
               .done = line.progress->done,
               .total = line.progress->total,
               .unit = line.progress->unit.toStdString(),
               .detail = line.progress->detail.toStdString()};
    }
  }

  // Politely first.
  void end() {
    if (!m_asked.isValid()) {
      m_asked.start();
      ::kill(static_cast<pid_t>(m_child.processId()), SIGINT);
    } else if (m_asked.elapsed() > kPatientMs) {
      m_child.kill();
    }
  }

  QStringList m_words;
  Progress m_now;
  ProgressSink& m_progress;
  QProcess m_child;
  QElapsedTimer m_asked;
  std::string m_last;
};

Result<std::string> fetchHere(const std::string& url, ProgressSink& progress) {
  return WaitedCommand({QStringLiteral("data"), QStringLiteral("fetch"), QString::fromStdString(url)},
                       {.stage = "fetching"}, progress)
      .run();
}

Status readInto(const data::SourceSpec& source, const std::filesystem::path& out, ProgressSink& progress) {
  QStringList words{QStringLiteral("data"), QStringLiteral("index"), QString::fromStdString(source.path)};
  if (!source.images.empty()) words << QString::fromStdString(source.images);
  words << QStringLiteral("--out") << QString::fromStdString(out.string());
  const auto done = WaitedCommand(words, {.stage = "indexing"}, progress).run();
  if (done.ok()) return {};
  if (done.error().what.find("--accept-waymo-license") != std::string::npos)
    return badInput(kLicence, source.path, "import it once on the Data page, which asks for it");
  return done.error();
}

}  // namespace

Status prepareSources(const config::RunConfig& config, const std::filesystem::path& run, bool onHosts,
                      ProgressSink& progress) {
  data::SourceMeans means;
  means.fetch = [&progress](const std::string& url) { return fetchHere(url, progress); };
  means.read = [&progress](const data::SourceSpec& source, const std::filesystem::path& out) {
    return readInto(source, out, progress);
  };
  return data::prepareSources(config, protocol::RunLayout(run).preparedData(), onHosts, means);
}

Status prepareToResume(const std::filesystem::path& run, ProgressSink& progress) {
  const protocol::RunLayout layout(run);
  const auto config = config::loadRunConfig(layout.config());
  const auto manifest = protocol::readManifest(layout.manifest());
  if (!config.ok() || !data::readsStorage(config.value())) return {};  // what is wrong is told later
  if (manifest.ok() && protocol::runsElsewhere(manifest.value())) return {};
  return prepareSources(config.value(), run, false, progress);
}

bool asksForLicence(const Error& error) { return error.what == kLicence; }

}  // namespace roadtune::studio

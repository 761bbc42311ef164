// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/demo_project.h"

#include "core/base/exit_code.h"
#include "core/data/index/index.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/launch.h"
#include "remote/launch/run_folder.h"
#include "widgets/common/told_words.h"

#include <QDir>

namespace roadtune::studio {
namespace {
constexpr int kLookMs = 500;
constexpr int kDepth = 2;  // parts of the project lie this far down at most

template <class Visit>
void forFolders(const QString& folder, int depth, const Visit& visit) {
  visit(folder);
  if (depth == 0) return;
  for (const QString& name : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
    forFolders(folder + QLatin1Char('/') + name, depth - 1, visit);
}

Result<remote::StartedRun> startDemo(const std::filesystem::path& folder) {
  ROADTUNE_TRY(config::Document document, config::Document::load(folder / "demo.yaml"));
  remote::LaunchRequest request{.document = std::move(document),
                                .commandLine = {"roadtune", "demo", "--out", folder.string()}};
  const std::filesystem::path first = folder / "runs" / "demo";
  const bool taken = std::filesystem::exists(first);
  request.overrides.push_back("output_dir=" + (taken ? remote::nextFreeFolder(first) : first).string());
  ROADTUNE_TRY(const remote::LaunchPlan plan, remote::planLaunch(request));
  return remote::launch(plan);
}

}  // namespace

DemoProject::DemoProject(JobBoard* jobs, QString folder, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_folder(std::move(folder)) {
  m_timer.setInterval(kLookMs);
  connect(&m_timer, &QTimer::timeout, this, &DemoProject::look);
}

void DemoProject::open() {
  look();
  if (m_opening || (m_data && m_config && m_run)) return;
  m_opening = true;
  ChildJob* job =
      m_jobs->run(tr("Demo"), {QStringLiteral("demo"), QStringLiteral("--out"), m_folder,
                               QStringLiteral("--prepare-only"), QStringLiteral("--progress"), QStringLiteral("json")});
  connect(job, &ChildJob::finished, this, [this, job](int exitCode) {
    look();
    m_timer.stop();
    m_opening = false;
    if (exitCode == kExitDone && !m_run) return train();
    if (exitCode != kExitDone && exitCode != kExitInterrupted) emit failed(job->message());
  });
  m_timer.start();
}

// The run is no child of what prepares it, nor of the window: whoever ends those leaves it alone.
void DemoProject::train() {
  m_opening = true;
  m_launch.run(
      this, [folder = std::filesystem::path(m_folder.toStdString())] { return startDemo(folder); },
      [this](const Result<remote::StartedRun>& started) {
        m_opening = false;
        if (!started.ok()) return emit failed(widgets::errorText(started.error()));
        look();
      });
}

void DemoProject::look() {
  if (!QDir(m_folder).exists()) return;
  forFolders(m_folder, kDepth, [this](const QString& folder) {
    const std::filesystem::path path = folder.toStdString();
    if (!m_data && data::Index::looksLikeIndex(path)) {
      m_data = true;
      emit dataReady(folder);
    }
    if (!m_run && protocol::RunLayout(path).isRun()) {
      m_run = true;
      emit runReady(folder);
    }
  });
  if (m_config) return;
  const QStringList files = QDir(m_folder).entryList({QStringLiteral("*.yaml")}, QDir::Files, QDir::Name);
  if (files.isEmpty()) return;
  m_config = true;
  emit configReady(QDir(m_folder).filePath(files.first()));
}

}  // namespace roadtune::studio

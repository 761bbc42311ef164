// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/mirror_keeper.h"

#include "core/base/clock.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/host_launch.h"
#include "remote/launch/run_mirrors.h"
#include "widgets/models/run_list_model.h"

namespace roadtune::studio {
namespace {

constexpr double kLastWordsSeconds = 10;
constexpr double kForgottenSeconds = 7 * 86400.0;  // nobody waits for a run that has been silent for a week

// Null for a run of this machine.
std::shared_ptr<remote::RunMirrors> openMirrors(const QString& run, const remote::Prompts& prompts) {
  const std::filesystem::path folder = run.toStdString();
  const auto manifest = protocol::readManifest(protocol::RunLayout(folder).manifest());
  if (!manifest.ok() || !remote::runsElsewhere(manifest.value())) return nullptr;
  const auto access = remote::HostAccess::load(prompts);
  if (!access.ok()) return nullptr;
  auto mirrors = remote::RunMirrors::open(folder, access.value());
  return mirrors.ok() ? std::make_shared<remote::RunMirrors>(std::move(mirrors).value()) : nullptr;
}

}  // namespace

MirrorKeeper::MirrorKeeper(HostQuestions* questions, QObject* parent) : QObject(parent), m_questions(questions) {}
MirrorKeeper::~MirrorKeeper() = default;

void MirrorKeeper::keep(const QString& run, bool asking) {
  if (const auto found = m_kept.find(run); found != m_kept.end() && !asking) return;
  m_kept[run] = {};
  m_background.run(
      this,
      [run, prompts = asking ? m_questions->asking() : m_questions->quiet()] { return openMirrors(run, prompts); },
      [this, run](std::shared_ptr<remote::RunMirrors> mirrors) {
        Kept& kept = m_kept[run];
        kept.elsewhere = mirrors != nullptr;
        kept.mirrors = std::move(mirrors);
        if (kept.elsewhere) emit opened(run);
      });
}

void MirrorKeeper::look(const RunEntries& runs) {
  const double now = wallSeconds();
  for (const runs::RunEntry& run : *runs) {
    if (run.foreign) continue;
    const QString path = widgets::pathText(run.path);
    const bool open = run.state == runs::RunState::Running || run.state == runs::RunState::Created ||
                      run.state == runs::RunState::Lost;
    const auto found = m_kept.find(path);
    if (open) {
      if (found == m_kept.end() && now - run.updated < kForgottenSeconds) keep(path, false);
      if (found != m_kept.end()) found->second.endedAt = 0;
      continue;
    }
    if (found == m_kept.end()) continue;
    if (found->second.endedAt == 0) found->second.endedAt = now;
    if (now - found->second.endedAt < kLastWordsSeconds) continue;
    // The end of a mirror waits for its thread: not here.
    m_background.run(
        this, [last = std::move(found->second.mirrors)]() mutable { return last.reset(), 0; }, [](int) {});
    m_kept.erase(found);
  }
}

QString MirrorKeeper::trouble(const QString& run) const {
  const auto found = m_kept.find(run);
  return found == m_kept.end() || !found->second.mirrors ? QString()
                                                         : QString::fromStdString(found->second.mirrors->trouble());
}

}  // namespace roadtune::studio

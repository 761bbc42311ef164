// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/mirror_keeper.h"

#include "core/base/clock.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/cut_start.h"
#include "remote/launch/run_folder.h"
#include "remote/launch/run_mirrors.h"
#include "widgets/models/run_list_model.h"

#include <limits>
#include <utility>

namespace roadtune::studio {
namespace {

constexpr double kLastWordsSeconds = 10;
constexpr double kForgottenSeconds = 7 * 86400.0;  // nobody waits for a run that has been silent for a week

constexpr double kStartingSeconds = 2;     // until a look whether another program still starts a run
constexpr double kUnansweredSeconds = 30;  // until machines that did not answer are asked again

bool isStartOpen(const std::filesystem::path& folder) {
  const auto manifest = protocol::readManifest(protocol::RunLayout(folder).manifest());
  return manifest.ok() && remote::isStartOpen(manifest.value());
}

}  // namespace

struct MirrorKeeper::Opened {
  std::shared_ptr<remote::RunMirrors> mirrors;  // null for a run of this machine
  bool startOpen = false;
};

struct MirrorKeeper::Closed {
  bool starting = false;  // by a program that goes on
  bool nothing = false;   // there was nothing to ask
  Status asked = {}, whole = {};
};

MirrorKeeper::Opened MirrorKeeper::open(const QString& run, const remote::Prompts& prompts) {
  const std::filesystem::path folder = run.toStdString();
  const auto manifest = protocol::readManifest(protocol::RunLayout(folder).manifest());
  if (!manifest.ok() || !protocol::runsElsewhere(manifest.value())) return {};
  const auto access = remote::HostAccess::load(prompts);
  if (!access.ok()) return {};
  auto mirrors = remote::RunMirrors::open(folder, access.value());
  if (!mirrors.ok()) return {};
  return {std::make_shared<remote::RunMirrors>(std::move(mirrors).value()), remote::isStartOpen(manifest.value())};
}

MirrorKeeper::Closed MirrorKeeper::close(const QString& run, const remote::Prompts& prompts) {
  const std::filesystem::path folder = run.toStdString();
  if (!remote::holdStart(folder).ok()) return {.starting = true};  // and lets go of it again
  if (!isStartOpen(folder)) return {.nothing = true};
  const auto access = remote::HostAccess::load(prompts);
  Closed closed{.asked = access.ok() ? remote::closeStart(folder, access.value()) : Status(access.error())};
  if (closed.asked.ok()) closed.whole = remote::requireWholeStart(folder);
  return closed;
}

MirrorKeeper::MirrorKeeper(HostQuestions* questions, QObject* parent) : QObject(parent), m_questions(questions) {}
MirrorKeeper::~MirrorKeeper() = default;

void MirrorKeeper::keep(const QString& run, bool asking) {
  if (const auto found = m_kept.find(run); found != m_kept.end() && !asking) return;
  Kept& before = m_kept[run];
  letGo(std::move(before.mirrors));
  before = {};
  m_background.run(
      this, [run, prompts = asking ? m_questions->asking() : m_questions->quiet()] { return open(run, prompts); },
      [this, run, asking](Opened answer) {
        Kept& kept = m_kept[run];
        kept.elsewhere = answer.mirrors != nullptr;
        letGo(std::exchange(kept.mirrors, std::move(answer.mirrors)));  // asked for twice
        kept.startOpen = answer.startOpen;
        if (kept.elsewhere) emit opened(run);
        if (kept.startOpen) closeStart(run, asking);
      });
}

// The end of a mirror waits for its thread, which may be connecting: not here.
void MirrorKeeper::letGo(std::shared_ptr<remote::RunMirrors> mirrors) {
  if (!mirrors) return;
  m_background.run(
      this, [last = std::move(mirrors)]() mutable { return last.reset(), 0; }, [](int) {});
}

void MirrorKeeper::closeStart(const QString& run, bool asking) {
  m_kept[run].closeAt = std::numeric_limits<double>::infinity();
  m_starts.run(
      this, [run, prompts = asking ? m_questions->asking() : m_questions->quiet()] { return close(run, prompts); },
      [this, run](const Closed& closed) { takeClosed(run, closed); });
}

void MirrorKeeper::takeClosed(const QString& run, const Closed& closed) {
  const auto found = m_kept.find(run);
  if (found == m_kept.end()) return;
  Kept& kept = found->second;
  kept.closeAt = wallSeconds() + (closed.starting ? kStartingSeconds : kUnansweredSeconds);
  kept.startOpen = closed.starting || !closed.asked.ok();
  if (!closed.starting && !closed.nothing) emit startClosed(run, closed.asked.ok() ? closed.whole : closed.asked);
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
      if (found == m_kept.end()) continue;
      found->second.endedAt = 0;
      if (found->second.startOpen && now >= found->second.closeAt) closeStart(path, false);
      continue;
    }
    if (found == m_kept.end()) continue;
    if (found->second.endedAt == 0) found->second.endedAt = now;
    if (now - found->second.endedAt < kLastWordsSeconds) continue;
    letGo(std::move(found->second.mirrors));
    m_kept.erase(found);
  }
}

QString MirrorKeeper::trouble(const QString& run) const {
  const auto found = m_kept.find(run);
  return found == m_kept.end() || !found->second.mirrors ? QString()
                                                         : QString::fromStdString(found->second.mirrors->trouble());
}

QStringList MirrorKeeper::unreached(const QString& run) const {
  QStringList machines;
  const auto found = m_kept.find(run);
  if (found == m_kept.end() || !found->second.mirrors) return machines;
  for (const std::string& machine : found->second.mirrors->unreached()) machines << QString::fromStdString(machine);
  return machines;
}

}  // namespace roadtune::studio

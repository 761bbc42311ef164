// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transfer/mirror.h"

#include "core/base/clock.h"
#include "core/base/file_lock.h"
#include "core/base/files.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/clock_note.h"
#include "remote/ssh/clock_offset.h"
#include "remote/ssh/remote_process.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace roadtune::remote {

namespace {

constexpr double kFirstPause = 1, kLongestPause = 30;
constexpr double kSilence = 20;  // heartbeats come every 5 s
constexpr double kClockPause = 600;

}  // namespace

FileOffsets MirrorWriter::have() const { return streamableFiles(m_run); }

Status MirrorWriter::feed(std::string_view bytes) {
  m_pending += bytes;
  m_received += bytes.size();
  std::size_t at = 0;
  while (true) {
    const auto newline = m_pending.find('\n', at);
    if (newline == std::string::npos) break;
    ROADTUNE_TRY(const FileFrame frame, parseFrameHeader(m_pending.substr(at, newline - at)));
    if (m_pending.size() - newline - 1 < frame.size) break;
    if (frame.file.empty()) m_lost = frame.lost;
    if (frame.size > 0) ROADTUNE_CHECK(place(frame, std::string_view(m_pending).substr(newline + 1, frame.size)));
    at = newline + 1 + frame.size;
  }
  m_pending.erase(0, at);
  return {};
}

Status MirrorWriter::place(const FileFrame& frame, std::string_view bytes) {
  const std::filesystem::path path = m_run / frame.file;
  ROADTUNE_CHECK(makeFolders(path.parent_path()));
  ROADTUNE_TRY(AppendFile file, AppendFile::open(path));
  if (file.size() != frame.offset)
    return failed("the copy of the run does not fit the original", path.string(),
                  "remove this file; it is fetched again");
  return file.append(bytes);
}

Mirror::Mirror(MirrorSource source, std::filesystem::path localRun, Prompts prompts, SshConfig config)
    : m_source(std::move(source)),
      m_run(std::move(localRun)),
      m_prompts(std::move(prompts)),
      m_config(std::move(config)) {
  m_thread = std::thread([this] { loop(); });
}

Mirror::~Mirror() {
  m_stop = true;
  m_thread.join();
}

std::string Mirror::lastError() const {
  const std::scoped_lock lock(m_mutex);
  return m_error;
}

std::string Mirror::lost() const {
  const std::scoped_lock lock(m_mutex);
  return m_lost;
}

// While another process brings over what is written there, nothing is asked of that machine. The turn is taken when
// there is a connection: nobody shall take the run for followed while its machine cannot be reached.
Result<Session> Mirror::connect(UniqueFd& turn) const {
  const std::filesystem::path lock = protocol::RunLayout(m_run).mirrorLock(m_source.node);
  while (true) {
    ROADTUNE_CHECK(waitForLock(lock, [this] { return !m_stop; }));
    ROADTUNE_TRY(Session session, Session::connect(m_source.host, m_prompts, m_config));
    ROADTUNE_TRY(auto taken, tryLock(lock));
    if (!taken) continue;
    turn = std::move(*taken);
    return session;
  }
}

void Mirror::pause(double seconds) const {
  for (double waited = 0; waited < seconds && !m_stop; waited += 0.05)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

void Mirror::loop() {
  double rest = kFirstPause;
  while (!m_stop) {
    m_state = State::Connecting;
    const double began = monotonicSeconds();
    const Status status = follow();
    if (m_stop) break;
    {
      const std::scoped_lock lock(m_mutex);
      m_error = status.ok() ? "the stream ended" : status.error().text();
    }
    if (monotonicSeconds() - began > 2 * kLongestPause) rest = kFirstPause;
    m_reached = status.ok();
    m_state = State::Waiting;
    pause(rest);
    rest = std::min(2 * rest, kLongestPause);
  }
  m_state = State::Stopped;
}

// A run's folder that cannot be written to is no reason to end: whoever reads events can do without.
Status Mirror::leaveClockNote(Session& session) const {
  ROADTUNE_TRY(const ClockReading clock, readClockOf(session));
  const std::string file = shellQuote(clockNoteFile(m_source.run, m_source.node).string());
  const auto left = session.run(fmt::format("cat > {0}.new && mv -f {0}.new {0}", file),
                                {.input = clockNoteText(clock.offset, clock.roundTrip)});
  return left.ok() ? Status() : Status(left.error());
}

Status Mirror::follow() {
  MirrorWriter writer(m_run);
  UniqueFd turn;
  ROADTUNE_TRY(Session session, connect(turn));
  ROADTUNE_TRY(RemoteProcess process,
               RemoteProcess::start(session, shellCommand({m_source.agent, "--stream", m_source.run, "--have",
                                                           offsetsToJson(writer.have())})));
  m_state = State::Following;
  m_reached = true;
  double lastHeard = monotonicSeconds(), nextClock = 0;
  while (!m_stop) {
    if (monotonicSeconds() >= nextClock) {
      ROADTUNE_CHECK(leaveClockNote(session));
      nextClock = monotonicSeconds() + kClockPause;
    }
    ROADTUNE_TRY(const std::string bytes, process.read(0.2));
    if (!bytes.empty()) {
      lastHeard = monotonicSeconds();
      m_heard = wallSeconds();
      ROADTUNE_CHECK(writer.feed(bytes));
      const std::scoped_lock lock(m_mutex);
      m_lost = writer.lost();
    } else if (process.ended()) {
      return failed("the stream ended: " + process.errors(), m_source.host.label());
    } else if (monotonicSeconds() - lastHeard > kSilence) {
      return failed("nothing was heard for 20 s", m_source.host.label());
    }
  }
  return {};
}

}  // namespace roadtune::remote

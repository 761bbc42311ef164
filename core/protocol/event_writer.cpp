// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/event_writer.h"

#include "core/base/clock.h"
#include "core/protocol/event.h"
#include "core/protocol/file_tail.h"

#include <fmt/format.h>

#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <fcntl.h>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <utility>

namespace roadtune::protocol {

namespace {

constexpr std::size_t kBatchBytes = 256 * 1024;
constexpr std::chrono::seconds kGoodbyeLimit{2};

using Clock = std::chrono::steady_clock;

// Frequent kinds may wait a moment and travel together; everything else is a status change.
bool mayWait(const std::string& kind) {
  return kind == "step" || kind == "metric" || kind == "node" || kind == "heartbeat";
}

// Where this goes may be full as well, and that must not throw.
void complain(const Error& error) {
  std::fputs(("events: " + error.text() + "; training goes on, retrying\n").c_str(), stderr);
}

}  // namespace

struct EventWriter::State {
  fs::path path;
  int rank = 0;
  EventWriterOptions options;
  UniqueFd fd;
  std::uint64_t firstSeq = 0;

  mutable std::mutex mutex;
  std::condition_variable wake;     // the thread: something to do
  std::condition_variable settled;  // flush(): something was written
  std::deque<Event> queue;
  std::uint64_t nextSeq = 0;
  std::uint64_t accepted = 0, finished = 0;  // events taken into the queue; events in the kernel
  std::uint64_t dropped = 0, unreported = 0;
  bool urgent = false, closing = false;
  Clock::time_point oldest{};  // when the first waiting event came
  std::optional<Error> trouble;

  std::string pending;  // encoded, not yet (fully) in the kernel; the thread's own
  std::uint64_t inPending = 0;
  std::thread thread;

  Event make(std::string kind, std::int64_t step, nlohmann::json body);
  void run();
  bool waitForWork(std::unique_lock<std::mutex>& lock);
  void takeBatch();
  bool writePending();
  void reportTrouble(int errnoValue);
};

Event EventWriter::State::make(std::string kind, std::int64_t step, nlohmann::json body) {
  Event event;
  event.seq = nextSeq++;
  event.t = options.wallClock();
  event.mono = options.monotonicClock();
  event.rank = rank;
  event.step = step;
  event.kind = std::move(kind);
  event.body = std::move(body);
  return event;
}

// Returns false when there is nothing left to do for good.
bool EventWriter::State::waitForWork(std::unique_lock<std::mutex>& lock) {
  const auto ready = [this] { return closing || urgent || queue.size() * 4 > options.queueLimit; };
  while (queue.empty() && !closing) wake.wait(lock);
  if (queue.empty()) return false;
  wake.wait_until(lock, oldest + options.flushInterval, ready);
  return true;
}

// Moves events from the queue into `pending`, as many as make a good write. Encoding happens outside the lock.
void EventWriter::State::takeBatch() {
  std::deque<Event> batch;
  {
    const std::lock_guard lock(mutex);
    batch.swap(queue);
    urgent = false;
    if (unreported > 0) {
      batch.push_back(
          make("dropped", batch.empty() ? 0 : batch.back().step, {{"count", std::exchange(unreported, 0)}}));
      ++accepted;
    }
  }
  inPending += batch.size();
  for (const Event& event : batch) {
    pending += encode(event);
    pending += '\n';
  }
}

void EventWriter::State::reportTrouble(int errnoValue) {
  const Error error = systemError(errnoValue, "cannot write events", path.string());
  {
    const std::lock_guard lock(mutex);
    if (trouble) return;
    trouble = error;
  }
  options.onTrouble(error);
}

// Writes what is pending; a part that was not taken stays for the next attempt. True when all is in the kernel.
bool EventWriter::State::writePending() {
  std::size_t done = 0;
  while (done < pending.size()) {
    const ssize_t count =
        options.writeBytes(fd.get(), pending.data() + done, std::min(kBatchBytes, pending.size() - done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int why = count < 0 ? errno : ENOSPC;
      pending.erase(0, done);
      reportTrouble(why);
      return false;
    }
    done += static_cast<std::size_t>(count);
  }
  pending.clear();
  const std::lock_guard lock(mutex);
  trouble.reset();
  finished += std::exchange(inPending, 0);
  settled.notify_all();
  return true;
}

void EventWriter::State::run() {
  std::optional<Clock::time_point> giveUp;
  while (true) {
    if (pending.empty()) {
      {
        std::unique_lock lock(mutex);
        if (!waitForWork(lock)) return;
      }
      takeBatch();
    }
    if (writePending()) continue;
    std::unique_lock lock(mutex);
    if (closing && !giveUp) giveUp = Clock::now() + kGoodbyeLimit;
    if (giveUp && Clock::now() >= *giveUp) return;
    const auto pause = closing ? std::chrono::milliseconds(50) : options.retryInterval;
    if (closing) {
      wake.wait_for(lock, pause);
    } else {
      wake.wait_for(lock, pause, [this] { return closing; });
    }
  }
}

EventWriter::EventWriter(std::unique_ptr<State> state) : m_state(std::move(state)) {}

Result<std::unique_ptr<EventWriter>> EventWriter::open(const fs::path& path, int rank, EventWriterOptions options) {
  if (path.has_parent_path()) ROADTUNE_CHECK(makeFolders(path.parent_path()));
  auto state = std::make_unique<State>();
  state->fd = UniqueFd(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!state->fd.valid()) return systemError("cannot open for writing", path.string());
  ROADTUNE_TRY(const FileTail tail, readTail(state->fd.get(), path));
  if (!options.wallClock) options.wallClock = wallSeconds;
  if (!options.monotonicClock) options.monotonicClock = monotonicSeconds;
  if (!options.writeBytes)
    options.writeBytes = [](int fd, const void* bytes, std::size_t size) { return ::write(fd, bytes, size); };
  if (!options.onTrouble) options.onTrouble = complain;
  state->path = path;
  state->rank = rank;
  state->options = std::move(options);
  state->nextSeq = state->firstSeq = tail.nextSeq;
  if (tail.partial) state->pending = "\n";
  State* raw = state.get();
  state->thread = std::thread([raw] { raw->run(); });
  return std::unique_ptr<EventWriter>(new EventWriter(std::move(state)));
}

EventWriter::~EventWriter() {
  {
    const std::lock_guard lock(m_state->mutex);
    m_state->closing = true;
  }
  m_state->wake.notify_all();
  m_state->thread.join();
}

void EventWriter::write(std::string kind, std::int64_t step, nlohmann::json body) {
  const bool patient = mayWait(kind);
  const std::lock_guard lock(m_state->mutex);
  if (m_state->queue.size() >= m_state->options.queueLimit) {
    ++m_state->nextSeq;  // the gap shows where events are missing
    ++m_state->dropped;
    ++m_state->unreported;
    return;
  }
  if (m_state->queue.empty()) m_state->oldest = Clock::now();
  m_state->queue.push_back(m_state->make(std::move(kind), step, std::move(body)));
  ++m_state->accepted;
  if (!patient) m_state->urgent = true;
  m_state->wake.notify_one();
}

bool EventWriter::flush(std::chrono::milliseconds limit) {
  std::unique_lock lock(m_state->mutex);
  const std::uint64_t target = m_state->accepted;
  m_state->urgent = true;
  m_state->wake.notify_one();
  return m_state->settled.wait_for(lock, limit, [&] { return m_state->finished >= target; });
}

std::uint64_t EventWriter::droppedCount() const {
  const std::lock_guard lock(m_state->mutex);
  return m_state->dropped;
}

std::optional<Error> EventWriter::trouble() const {
  const std::lock_guard lock(m_state->mutex);
  return m_state->trouble;
}

std::uint64_t EventWriter::firstSequence() const { return m_state->firstSeq; }

}  // namespace roadtune::protocol

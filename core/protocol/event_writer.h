// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>

namespace roadtune::protocol {

// What tests replace, and limits.
struct EventWriterOptions {
  std::size_t queueLimit = 4096;                 // events waiting; further ones are dropped and counted
  std::chrono::milliseconds flushInterval{100};  // status changes do not wait for it
  std::chrono::milliseconds retryInterval{500};  // after a failed write (disk full)
  std::function<double()> wallClock = {};
  std::function<double()> monotonicClock = {};
  std::function<ssize_t(int fd, const void* bytes, std::size_t size)> writeBytes = {};
  // Called once per outage from the writer's thread, with what the system said. Default: a line on stderr.
  std::function<void(const Error&)> onTrouble = {};
};

// Appends events to one file from a thread of its own. write() never waits for the disk: it queues, and when the
// queue is full it drops, counts, and a `dropped` event tells how many as soon as there is room. A full or broken
// disk is reported once per outage and retried for as long as the object lives. An existing file is continued: the
// sequence goes on after its last event, a partial last line is ended first. One writer per file; write() and
// flush() may be called from any thread.
class EventWriter {
 public:
  // Creates missing folders. `rank` is the node number in an agent's file.
  static Result<std::unique_ptr<EventWriter>> open(const fs::path& path, int rank, EventWriterOptions options = {});
  ~EventWriter();  // writes what is queued (gives up after two seconds on a broken disk)
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  // `body` is an object. Its keys must not be those of the envelope (v, seq, t, mono, rank, step, kind).
  void write(std::string kind, std::int64_t step, nlohmann::json body = nlohmann::json::object());

  // Waits until everything queued so far has reached the kernel; false when the time is over first.
  bool flush(std::chrono::milliseconds limit = std::chrono::milliseconds(2000));

  std::uint64_t droppedCount() const;    // in all, since open
  std::optional<Error> trouble() const;  // of the outage at hand
  std::uint64_t firstSequence() const;   // 0 for a new file

 private:
  struct State;
  explicit EventWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace roadtune::protocol

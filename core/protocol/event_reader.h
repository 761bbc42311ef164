// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/event.h"
#include "core/protocol/flat_event.h"
#include "core/protocol/line_follower.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::protocol {

// What was odd about a file. Nothing here stops the reading.
struct ReadNotice {
  enum class Kind { Garbage, Gap, Duplicate, Restarted };
  Kind kind;
  std::uint64_t offset = 0;
  std::string text;  // for people: "3 events are missing before sequence 12"
  double t = 0;      // of the event at hand, or the last good one before it
  std::int64_t step = 0;
};

struct ReadCounts {
  std::uint64_t events = 0;
  std::uint64_t garbage = 0;     // lines that are no events
  std::uint64_t missing = 0;     // sequence numbers skipped
  std::uint64_t duplicates = 0;  // sequence numbers seen before; such events are not handed out
  std::uint64_t dropped = 0;     // what the writer itself says it dropped
};

// What another process needs to go on where this one stopped.
struct ReaderPosition {
  FilePosition file = {};
  std::uint64_t nextSeq = 0;
};

// Follows one event file, live or finished alike. A missing file and a last line without newline are "not yet". When
// the file was replaced it starts over, and restarts() tells the owner to forget what it had. One thread at a time.
class EventReader {
 public:
  explicit EventReader(fs::path path, ReaderPosition position = {});

  // New events since the last call. An error only when the file cannot be read, or is of a later format version.
  Result<std::vector<Event>> poll(std::size_t maxBytes = SIZE_MAX);
  // The same without collecting or copying: several times as fast. The visitor may not keep references.
  Status pollFlat(const std::function<void(const FlatEvent&)>& visit, std::size_t maxBytes = SIZE_MAX);

  ReaderPosition tell() const;
  void restore(ReaderPosition position);
  const ReadCounts& counts() const { return m_counts; }
  std::vector<ReadNotice> takeNotices();  // at most 100 are kept between two calls
  std::uint64_t restarts() const { return m_lines.restarts(); }
  bool atEnd() const { return m_lines.atEnd(); }
  const fs::path& path() const { return m_lines.path(); }

 private:
  bool accept(const FlatEvent& event, std::uint64_t offset);
  void note(ReadNotice::Kind kind, std::uint64_t offset, std::string text);

  LineFollower m_lines;
  std::uint64_t m_nextSeq = 0;
  std::uint64_t m_seenRestarts = 0;
  ReadCounts m_counts;
  double m_lastTime = 0;
  std::int64_t m_lastStep = 0;
  FlatEvent m_event;
  std::optional<Error> m_refused;  // a later format version: nothing after it can be trusted
  std::vector<ReadNotice> m_notices;
};

}  // namespace roadtune::protocol

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/event_reader.h"

#include <fmt/format.h>

namespace roadtune::protocol {

namespace {
constexpr std::size_t kMaxNotices = 100;
}

EventReader::EventReader(fs::path path, ReaderPosition position)
    : m_lines(std::move(path), std::move(position.file)), m_nextSeq(position.nextSeq) {}

ReaderPosition EventReader::tell() const { return {m_lines.position(), m_nextSeq}; }

void EventReader::restore(ReaderPosition position) {
  m_lines.restore(std::move(position.file));
  m_nextSeq = position.nextSeq;
}

void EventReader::note(ReadNotice::Kind kind, std::uint64_t offset, std::string text) {
  if (m_notices.size() < kMaxNotices) m_notices.push_back({kind, offset, std::move(text), m_lastTime, m_lastStep});
}

std::vector<ReadNotice> EventReader::takeNotices() { return std::exchange(m_notices, {}); }

bool EventReader::accept(const FlatEvent& event, std::uint64_t offset) {
  if (event.seq < m_nextSeq) {
    ++m_counts.duplicates;
    note(ReadNotice::Kind::Duplicate, offset, fmt::format("event {} was there before", event.seq));
    return false;
  }
  m_lastTime = event.t;
  m_lastStep = event.step;
  if (event.seq > m_nextSeq) {
    const std::uint64_t gap = event.seq - m_nextSeq;
    m_counts.missing += gap;
    note(ReadNotice::Kind::Gap, offset,
         fmt::format("{} event{} missing before number {}", gap, gap == 1 ? " is" : "s are", event.seq));
  }
  m_nextSeq = event.seq + 1;
  ++m_counts.events;
  if (event.kind == "dropped") m_counts.dropped += static_cast<std::uint64_t>(event.members.integerOr("count", 0));
  return true;
}

Status EventReader::pollFlat(const std::function<void(const FlatEvent&)>& visit, std::size_t maxBytes) {
  if (m_refused) return *m_refused;
  const auto onLine = [&](std::string_view line, std::uint64_t offset) {
    if (m_lines.restarts() != m_seenRestarts) {
      m_seenRestarts = m_lines.restarts();
      m_nextSeq = 0;
      note(ReadNotice::Kind::Restarted, 0, "the file was replaced; read again from its start");
    }
    const Status event = m_event.parse(line);
    if (!event.ok() && event.error().kind == ErrorKind::Failed) {  // of a later version
      m_refused = Error{event.error().kind, event.error().what, m_lines.path().string(), event.error().hint};
      return false;
    }
    if (!event.ok()) {
      ++m_counts.garbage;
      note(ReadNotice::Kind::Garbage, offset, fmt::format("a line is {} ({} bytes)", event.error().what, line.size()));
    } else if (accept(m_event, offset)) {
      visit(m_event);
    }
    return true;
  };
  const Result<std::size_t> read = m_lines.poll(onLine, maxBytes);
  if (!read.ok()) return read.error();
  if (m_refused) return *m_refused;
  return {};
}

Result<std::vector<Event>> EventReader::poll(std::size_t maxBytes) {
  std::vector<Event> events;
  const auto keep = [&](const FlatEvent& event) {
    if (Result<Event> whole = decode(event.line); whole.ok()) events.push_back(std::move(whole).value());
  };
  ROADTUNE_CHECK(pollFlat(keep, maxBytes));
  return events;
}

}  // namespace roadtune::protocol

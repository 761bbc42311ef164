// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/upload_pieces.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "remote/ssh/remote_process.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <set>

namespace roadtune::remote {

namespace {

constexpr std::uint64_t kBlock = 1 << 20, kPiece = 4 * kBlock;
constexpr std::size_t kTurn = 1 << 17;  // what a channel may write before the next one's turn
constexpr int kMostChannels = 6;        // sshd allows ten for one connection
constexpr double kShortWay = 0.005;     // seconds there and back; below, one channel is as good as many
constexpr double kLongestSilence = 120;

// Takes lines "NUMBER FIRST-BLOCK BLOCKS", each followed by so many blocks, and at last a line "end". A piece counts as
// finished when dd has written all its blocks; that it ends well says nothing, as it does so when a connection was cut.
// The last piece of a file may be cut short by the end of the input, and is not noted then.
constexpr const char* kScript =
    R"(while read -r n at count; do [ "$n" != end ] || break; r=$(LC_ALL=C dd of={0} bs={1} seek=$at count=$count conv=notrunc iflag=fullblock status=noxfer 2>&1) || {{ echo "$r" >&2; exit 1; }}; case $r in *"$count+0 records out"*) echo $n >> {0}.pieces;; esac; done)";

Result<std::set<std::uint64_t>> finishedPieces(Session& session, const std::string& part, const std::string& hash) {
  const std::string quoted = shellQuote(part);
  ROADTUNE_TRY(
      const std::string text,
      session.output(fmt::format("if [ -e {0} ] && [ \"$(head -n 1 {0}.pieces 2>/dev/null)\" = {1} ]; then cat "
                                 "{0}.pieces; else rm -f {0} && echo {1} > {0}.pieces; fi",
                                 quoted, hash)));
  std::set<std::uint64_t> finished;
  const auto lines = split(text, '\n');
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (!lines[i].empty()) finished.insert(std::strtoull(lines[i].c_str(), nullptr, 10));
  return finished;
}

// A command over there and what it still has to be given.
class Lane {
 public:
  explicit Lane(RemoteProcess process) : m_process(std::move(process)) {}

  bool idle() const { return m_rest.empty() && m_header.empty(); }
  RemoteProcess& process() { return m_process; }

  void take(std::uint64_t number, std::string_view bytes, bool last) {
    const std::uint64_t blocks = (bytes.size() + kBlock - 1) / kBlock;
    m_header = fmt::format("{} {} {}\n", number, number * (kPiece / kBlock), blocks);
    m_rest = bytes;
    m_last = last;
  }

  // As much as may be under way, at most a turn's worth. Returns how much of a piece went out.
  Result<std::size_t> push() {
    if (m_process.room() < m_header.size() + 1) return std::size_t{0};
    ROADTUNE_CHECK(m_process.write(m_header));
    m_header.clear();
    const std::size_t count = std::min({m_process.room(), kTurn, m_rest.size()});
    ROADTUNE_CHECK(m_process.write(m_rest.substr(0, count)));
    m_rest.remove_prefix(count);
    if (m_rest.empty() && m_last) close();
    return count;
  }

  // Once there is room for a word.
  Status finish() {
    constexpr std::string_view kEnd = "end\n";
    if (m_process.room() < kEnd.size()) return {};
    const Status said = m_process.write(kEnd);
    close();
    return said;
  }
  bool finished() const { return m_finished; }

 private:
  void close() {
    m_process.closeInput();
    m_finished = true;
  }
  RemoteProcess m_process;
  std::string m_header;
  std::string_view m_rest;
  bool m_last = false, m_finished = false;
};

class PieceUpload {
 public:
  PieceUpload(Session& session, const MappedFile& file, std::string part)
      : m_session(session), m_file(file), m_part(std::move(part)) {}

  Status run(const std::string& hash, ProgressSink* progress, const std::string& name) {
    const double asked = monotonicSeconds();
    ROADTUNE_TRY(const auto finished, finishedPieces(m_session, m_part, hash));
    const double way = (monotonicSeconds() - asked) / 3;  // a channel, a command and its answer
    for (std::uint64_t n = 0; n * kPiece < m_file.size(); ++n)
      finished.contains(n) ? void(m_sent += pieceOf(n).size()) : m_waiting.push_back(n);
    ROADTUNE_CHECK(open(way < kShortWay ? 1 : kMostChannels));
    return turn(progress, name);
  }

 private:
  std::string_view pieceOf(std::uint64_t number) const {
    const std::uint64_t begin = number * kPiece;
    return m_file.text().substr(begin, std::min(kPiece, m_file.size() - begin));
  }

  // Fewer are as good when the server allows no more.
  Status open(int channels) {
    const std::string command = fmt::format(fmt::runtime(kScript), shellQuote(m_part), kBlock);
    for (int i = 0; i < std::min<int>(channels, static_cast<int>(m_waiting.size())); ++i) {
      auto process = RemoteProcess::start(m_session, command);
      if (!process.ok() && m_lanes.empty()) return process.error();
      if (!process.ok()) break;
      m_lanes.emplace_back(std::move(process).value());
      ROADTUNE_TRY([[maybe_unused]] const bool moved, serve());  // the others need not wait until all are open
    }
    return {};
  }

  // One turn of every lane. True when bytes went out.
  Result<bool> serve() {
    bool moved = false;
    for (auto& lane : m_lanes) {
      if (lane.finished()) continue;
      if (lane.idle() && m_waiting.empty()) {
        if (const Status said = lane.finish(); !said.ok()) return explain(lane, said.error());
        continue;
      }
      if (lane.idle()) {
        const bool last = m_waiting.size() == 1;
        lane.take(m_waiting.front(), pieceOf(m_waiting.front()), last);
        m_waiting.pop_front();
      }
      const auto pushed = lane.push();
      if (!pushed.ok() || lane.process().ended()) return explain(lane, pushed);
      m_sent += pushed.value();
      moved |= pushed.value() > 0;
    }
    return moved;
  }

  Status turn(ProgressSink* progress, const std::string& name) {
    double lastMoved = monotonicSeconds();
    while (true) {
      ROADTUNE_TRY(const bool moved, serve());
      if (moved) lastMoved = monotonicSeconds();
      if (moved && progress && !progress->report({"copying", m_sent, m_file.size(), "bytes", name})) return cancelled();
      Lane* open = nullptr;
      for (auto& lane : m_lanes)
        if (!lane.process().ended()) open = &lane;
      if (!open) break;
      if (!moved) {  // waiting for room: whatever arrives makes some
        ROADTUNE_TRY([[maybe_unused]] const std::string bytes, open->process().read(0.002));
        if (monotonicSeconds() - lastMoved > kLongestSilence)
          return failed("nothing was taken for two minutes: " + m_part, m_session.host().label());
      }
    }
    for (auto& lane : m_lanes)
      if (lane.process().exitCode() != 0) return wordsOf(lane);
    return {};
  }

  Error wordsOf(Lane& lane) const {
    return failed("cannot write " + m_part + ": " + std::string(trim(lane.process().errors())),
                  m_session.host().label(), "check free space and permissions there");
  }

  // Why bytes are not taken any more: the command's own words when it has ended, else what happened to the connection.
  Error explain(Lane& lane, const Result<std::size_t>& pushed) const {
    for (int patience = 0; patience < 20 && !lane.process().ended(); ++patience)
      if (!lane.process().read(0.1).ok()) break;
    if (!pushed.ok() && (!lane.process().ended() || lane.process().errors().empty())) return pushed.error();
    return wordsOf(lane);
  }

  Session& m_session;
  const MappedFile& m_file;
  std::string m_part;
  std::deque<std::uint64_t> m_waiting;
  std::deque<Lane> m_lanes;
  std::uint64_t m_sent = 0;
};

}  // namespace

Status uploadPieces(Session& session, const MappedFile& file, const std::string& hash, const std::string& part,
                    ProgressSink* progress, const std::string& name) {
  return PieceUpload(session, file, part).run(hash, progress, name);
}

}  // namespace roadtune::remote

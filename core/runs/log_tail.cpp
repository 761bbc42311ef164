// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/runs/run_store_impl.h"

#include <algorithm>
#include <utility>

namespace roadtune::runs {

namespace {

constexpr std::size_t kFirstBytes = 256 * 1024;  // of a log that is long already
constexpr std::size_t kMaxLines = 5000;
constexpr std::size_t kMaxLineBytes = 4096;

// What a terminal would show of a line that was written over: the part behind the last carriage return.
std::string_view shown(std::string_view line) {
  while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const std::size_t back = line.rfind('\r');
  return back == std::string_view::npos ? line : line.substr(back + 1);
}

}  // namespace

LogTail::LogTail(fs::path path) : m_follower(std::move(path)) {
  std::error_code code;
  const auto size = fs::file_size(m_follower.path(), code);
  if (code || size <= kFirstBytes) return;
  m_follower.restore({size - kFirstBytes, 0, {}});
  m_cut = true;
}

bool LogTail::poll() {
  std::uint64_t seen = m_follower.restarts();
  const auto take = [&](std::string_view line, std::uint64_t offset) {
    if (std::exchange(seen, m_follower.restarts()) != m_follower.restarts()) m_lines.clear();
    if (std::exchange(m_cut, false)) return true;
    m_lines.emplace_back(offset, toValidUtf8(shown(line).substr(0, kMaxLineBytes)));
    if (m_lines.size() > kMaxLines) m_lines.pop_front();
    return true;
  };
  const Result<std::size_t> read = m_follower.poll(take);
  return read.ok() && read.value() > 0;
}

std::vector<std::string> LogTail::last(std::size_t limit, std::uint64_t begin) const {
  std::vector<std::string> lines;
  for (std::size_t i = m_lines.size() - std::min(limit, m_lines.size()); i < m_lines.size(); ++i)
    if (m_lines[i].first >= begin) lines.push_back(m_lines[i].second);
  return lines;
}

}  // namespace roadtune::runs

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/runs/run_store.h"

#include <filesystem>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace roadtune::cli {

// How a run is shown while it goes on, on stderr.
enum class ScreenStyle {
  None,   // warnings and errors alone
  Plain,  // a line now and then: logs of other programs, terminals without control
  Bar,    // one line, redrawn
  Json,   // one object per change
};

// "json" | "bar" | "none" | "" (bar on a terminal, else plain lines).
Result<ScreenStyle> parseScreenStyle(const std::string& name);

// How work that belongs to a run is shown beside it.
ProgressStyle progressStyle(ScreenStyle style);

// The latest value of a series; NaN where there is none.
double latest(const runs::RunStore& store, const char* metric);

// Values as a row of little bars, the latest at the right; values that are not finite show as a cross.
std::string sparkline(const std::vector<double>& values);

// Warnings and errors that a run has told in an earlier attempt, by rank, time and words.
using ToldNotices = std::set<std::tuple<int, double, std::string>>;

// All that it has told up to now; nothing where there is no run.
ToldNotices noticesOf(const std::filesystem::path& run);

// Shows a run: its phase in words, step of total, loss with its history, speed, time left, and warnings as they come.
class RunScreen {
 public:
  // What was `told` before is not news.
  explicit RunScreen(ScreenStyle style, ToldNotices told = {}) : m_style(style), m_told(std::move(told)) {}
  ~RunScreen() { endLine(); }
  RunScreen(const RunScreen&) = delete;
  RunScreen& operator=(const RunScreen&) = delete;

  void show(const runs::RunStore& store);  // cheap to call often
  void say(const std::string& line);       // a line of its own, above a bar; in JSON a "message"
  void freeze(bool frozen);                // what is shown is of a while ago: no speed, no time left
  void endLine();

 private:
  void showNotices(const runs::RunStore& store);
  std::string speed(const runs::RunStore& store) const;
  void showBar(const runs::RunStore& store);
  void showPlain(const runs::RunStore& store);
  void showJson(const runs::RunStore& store);

  ScreenStyle m_style;
  ToldNotices m_told;
  bool m_open = false, m_frozen = false;
  double m_last = -1;
  std::uint64_t m_revision = 0;
  std::size_t m_notices = 0;
  std::string m_phase;
};

}  // namespace roadtune::cli

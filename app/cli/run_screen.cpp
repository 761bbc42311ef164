// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_screen.h"

#include "core/base/clock.h"
#include "core/base/json_text.h"
#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/protocol/event.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace roadtune::cli {

namespace {

constexpr double kBarInterval = 0.1, kPlainInterval = 5, kJsonInterval = 0.2;  // seconds
constexpr std::size_t kSparkWidth = 24, kBarWidth = 20;

std::string phaseOf(const runs::RunStore& store) {
  if (store.phases().empty()) return "starting";
  const runs::Phase& last = store.phases().back();
  return last.end ? "finishing" : last.name;
}

std::string lossHistory(const runs::RunStore& store) {
  const runs::Series* loss = store.series("train/loss");
  if (!loss || loss->empty()) return {};
  const double first = static_cast<double>(loss->at(0).step), last = static_cast<double>(loss->last().step);
  std::vector<double> means;
  for (const auto& column : loss->columns(runs::Axis::Step, first, last, kSparkWidth)) means.push_back(column.mean);
  return sparkline(means);
}

std::string bar(std::int64_t done, std::int64_t total) {
  std::string text;
  const auto filled =
      total > 0 ? static_cast<std::size_t>(std::min(done, total)) * kBarWidth / static_cast<std::size_t>(total) : 0;
  for (std::size_t i = 0; i < kBarWidth; ++i) text += i < filled ? "━" : "─";
  return text;
}

std::string numbers(const runs::RunStore& store) {
  const auto progress = store.progress();
  std::string text = fmt::format("step {}", formatCount(progress.step));
  if (progress.totalSteps > 0) text += fmt::format(" of {}", formatCount(progress.totalSteps));
  if (const double loss = latest(store, "train/loss"); store.series("train/loss"))
    text += "  loss " + formatNumber(loss);
  return text;
}

// Cut to the terminal's width, counting characters rather than bytes.
std::string fitted(const std::string& line) {
  winsize size{};
  const std::size_t width = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 120U;
  std::size_t columns = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if ((static_cast<unsigned char>(line[i]) & 0xC0) == 0x80) continue;
    if (++columns >= width) return line.substr(0, i);
  }
  return line;
}

}  // namespace

Result<ScreenStyle> parseScreenStyle(const std::string& name) {
  if (name.empty()) return ::isatty(STDERR_FILENO) ? ScreenStyle::Bar : ScreenStyle::Plain;
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(name));
  switch (style) {
    case ProgressStyle::Json: return ScreenStyle::Json;
    case ProgressStyle::Bar: return ScreenStyle::Bar;
    case ProgressStyle::None: break;
  }
  return ScreenStyle::None;
}

ProgressStyle progressStyle(ScreenStyle style) {
  return style == ScreenStyle::Bar    ? ProgressStyle::Bar
         : style == ScreenStyle::Json ? ProgressStyle::Json
                                      : ProgressStyle::None;
}

double latest(const runs::RunStore& store, const char* metric) {
  const runs::Series* series = store.series(metric);
  return series && !series->empty() ? series->last().value : std::nan("");
}

std::string sparkline(const std::vector<double>& values) {
  static constexpr std::array<const char*, 8> kBars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double low = INFINITY, high = -INFINITY;
  for (const double value : values)
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  std::string line;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      line += "×";
      continue;
    }
    const double height = high > low ? (value - low) / (high - low) : 0;
    line += kBars[std::min<std::size_t>(7, static_cast<std::size_t>(height * 8))];
  }
  return line;
}

ToldNotices noticesOf(const std::filesystem::path& run) {
  ToldNotices told;
  auto store = runs::RunStore::open(run);
  if (!store.ok() || !store.value().refresh().ok()) return told;
  for (const auto& notice : store.value().notices()) told.emplace(notice.rank, notice.time, notice.message);
  return told;
}

void RunScreen::endLine() {
  if (m_open) std::fputc('\n', stderr);
  m_open = false;
}

void RunScreen::say(const std::string& line) {
  if (m_style == ScreenStyle::Json) {
    fmt::print(stderr, "{}\n", jsonLine(nlohmann::json{{"message", line}}));
    return;
  }
  if (m_open) fmt::print(stderr, "\r\033[K");
  m_open = false;
  fmt::print(stderr, "{}\n", line);
}

void RunScreen::freeze(bool frozen) {
  if (frozen != m_frozen) m_last = -1;
  if (frozen != m_frozen) m_revision = 0;
  m_frozen = frozen;
}

void RunScreen::showNotices(const runs::RunStore& store) {
  const auto& notices = store.notices();
  for (; m_notices < notices.size(); ++m_notices) {
    const auto& notice = notices[m_notices];
    if (notice.severity == runs::Severity::Info) continue;
    if (m_told.contains({notice.rank, notice.time, notice.message})) continue;
    const Error text{ErrorKind::Failed, notice.message, notice.where, notice.hint};
    say(fmt::format("{}: {}", notice.severity == runs::Severity::Error ? "error" : "warning", text.text()));
  }
}

void RunScreen::show(const runs::RunStore& store) {
  showNotices(store);
  if (m_style == ScreenStyle::None) return;
  const double interval = m_style == ScreenStyle::Plain  ? kPlainInterval
                          : m_style == ScreenStyle::Json ? kJsonInterval
                                                         : kBarInterval;
  const std::string phase = phaseOf(store);
  const bool turned = phase != m_phase;
  const double now = monotonicSeconds();
  if (!turned && (now - m_last < interval || store.revision() == m_revision)) return;
  m_last = now;
  m_revision = store.revision();
  m_phase = phase;
  switch (m_style) {
    case ScreenStyle::None: break;
    case ScreenStyle::Plain: showPlain(store); break;
    case ScreenStyle::Bar: showBar(store); break;
    case ScreenStyle::Json: showJson(store); break;
  }
}

std::string RunScreen::speed(const runs::RunStore& store) const {
  std::string text;
  if (m_frozen) return text;
  if (const double rate = latest(store, "train/samples_per_second"); std::isfinite(rate) && rate > 0)
    text += "  " + formatRate(rate, "samples");
  if (const auto left = store.progress().etaSeconds; left && *left >= 1) text += "  " + formatDuration(*left) + " left";
  return text;
}

void RunScreen::showBar(const runs::RunStore& store) {
  const auto progress = store.progress();
  const std::string line = fmt::format("{:<10} {} {} {}{}", m_phase, bar(progress.step, progress.totalSteps),
                                       numbers(store), lossHistory(store), speed(store));
  fmt::print(stderr, "\r\033[K{}", fitted(line));
  std::fflush(stderr);
  m_open = true;
}

void RunScreen::showPlain(const runs::RunStore& store) {
  if (store.progress().step == 0 && !store.series("train/loss")) {
    fmt::print(stderr, "{}\n", m_phase);
    return;
  }
  fmt::print(stderr, "{:<10} {} {}{}\n", m_phase, numbers(store), lossHistory(store), speed(store));
}

void RunScreen::showJson(const runs::RunStore& store) {
  const auto progress = store.progress();
  nlohmann::json json{{"stage", m_phase},
                      {"done", progress.step},
                      {"total", progress.totalSteps},
                      {"unit", "steps"},
                      {"detail", ""},
                      {"epoch", progress.epoch},
                      {"rate", progress.secondsPerStep && !m_frozen ? 1 / *progress.secondsPerStep : 0.0},
                      {"eta", m_frozen ? 0.0 : progress.etaSeconds.value_or(0)}};
  if (store.series("train/loss")) json["loss"] = protocol::number(latest(store, "train/loss"));
  if (const double rate = latest(store, "train/samples_per_second"); std::isfinite(rate) && !m_frozen)
    json["samples_per_second"] = rate;
  fmt::print(stderr, "{}\n", jsonLine(json));
}

}  // namespace roadtune::cli

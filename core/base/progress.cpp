// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/progress.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/base/units.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <mutex>
#include <sys/ioctl.h>
#include <unistd.h>

namespace roadtune {

namespace {

volatile std::sig_atomic_t interruptCount = 0;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : toValidUtf8(text)) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "\"";
}

class StderrProgress : public ProgressSink {
 public:
  StderrProgress(ProgressStyle style, std::function<bool()> stop) : m_style(style), m_stop(std::move(stop)) {}
  ~StderrProgress() override { endLine(); }

  bool report(const Progress& progress) override {
    const std::scoped_lock lock(m_mutex);
    const double now = monotonicSeconds();
    if (progress.stage != m_stage) {
      endLine();
      m_stage = progress.stage;
      m_began = now;
      m_beganDone = progress.done;
      m_last = -1;
    }
    const bool final = progress.total > 0 && progress.done >= progress.total;
    if (m_style != ProgressStyle::None && (final || now - m_last >= 0.1)) {
      m_last = now;
      const double elapsed = now - m_began;
      const double rate = elapsed > 0 ? static_cast<double>(progress.done - m_beganDone) / elapsed : 0;
      const double eta =
          rate > 0 && progress.total > progress.done ? static_cast<double>(progress.total - progress.done) / rate : 0;
      m_style == ProgressStyle::Json ? printJson(progress, rate, eta) : printBar(progress, rate, eta);
      if (final) endLine();
    }
    return !(m_stop ? m_stop() : Interrupt::requested());
  }

 private:
  void printJson(const Progress& p, double rate, double eta) {
    const std::string line = fmt::format(
        "{{\"stage\":{},\"done\":{},\"total\":{},\"unit\":{},\"rate\":{:.3f},\"eta\":{:.1f},\"detail\":{}}}\n",
        quoted(p.stage), p.done, p.total, quoted(p.unit), rate, eta, quoted(p.detail));
    std::fwrite(line.data(), 1, line.size(), stderr);
  }

  static std::string amount(const Progress& p, std::uint64_t value) {
    return p.unit == "bytes" ? formatBytes(static_cast<double>(value)) : formatCount(static_cast<std::int64_t>(value));
  }

  void printBar(const Progress& p, double rate, double eta) {
    std::string line = fmt::format("{:<14} ", p.stage);
    if (p.total > 0) {
      const auto filled = static_cast<std::size_t>(24.0 * static_cast<double>(std::min(p.done, p.total)) /
                                                   static_cast<double>(p.total));
      for (std::size_t i = 0; i < 24; ++i) line += i < filled ? "━" : "─";
      line += fmt::format(" {} of {}", amount(p, p.done), amount(p, p.total));
    } else {
      line += amount(p, p.done);
    }
    if (p.unit != "bytes") line += " " + p.unit;
    if (rate > 0) line += "  " + (p.unit == "bytes" ? formatBytes(rate) + "/s" : formatRate(rate, p.unit));
    if (eta >= 1) line += "  " + formatDuration(eta) + " left";
    fmt::print(stderr, "\r\033[K{}", line);
    std::fflush(stderr);
    m_open = true;
  }

  void endLine() {
    if (m_open) std::fputc('\n', stderr);
    m_open = false;
  }

  ProgressStyle m_style;
  std::function<bool()> m_stop;
  std::mutex m_mutex;
  std::string m_stage;
  std::uint64_t m_beganDone = 0;
  double m_began = 0, m_last = -1;
  bool m_open = false;
};

}  // namespace

Result<ProgressStyle> parseProgressStyle(const std::string& name) {
  if (name == "json") return ProgressStyle::Json;
  if (name == "bar") return ProgressStyle::Bar;
  if (name == "none") return ProgressStyle::None;
  if (name.empty()) return ::isatty(STDERR_FILENO) ? ProgressStyle::Bar : ProgressStyle::None;
  return badInput("unknown progress style '" + name + "'", "--progress", "json, bar or none");
}

std::unique_ptr<ProgressSink> makeProgressSink(ProgressStyle style, std::function<bool()> stopRequested) {
  return std::make_unique<StderrProgress>(style, std::move(stopRequested));
}

bool wantsColour(int fd) {
  const char* noColour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return ::isatty(fd) && !(noColour && *noColour) && !(term && std::string(term) == "dumb");
}

namespace {

void countSignal(int number) {
  struct sigaction action {};
  action.sa_handler = [](int) { interruptCount = interruptCount + 1; };
  sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

}  // namespace

void Interrupt::install() {
  countSignal(SIGINT);
  countSignal(SIGTERM);
}

void Interrupt::installForHangUp() {
  struct sigaction now {};
  if (::sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) countSignal(SIGHUP);
}

int Interrupt::count() { return interruptCount; }

}  // namespace roadtune

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/control_inbox.h"

#include "core/base/clock.h"
#include "core/base/progress.h"
#include "core/protocol/line_follower.h"

#include <fmt/format.h>

#include <cstdio>
#include <poll.h>
#include <unistd.h>

namespace roadtune::engine {
namespace {

constexpr int kPollMilliseconds = 100;
constexpr double kFileSeconds = 0.5;
constexpr double kTickSeconds = 5.0;

}  // namespace

ControlInbox::ControlInbox(std::filesystem::path file, std::function<void()> tick, bool led)
    : m_led(led), m_file(std::move(file)), m_tick(std::move(tick)), m_inputOpen(::isatty(STDIN_FILENO) == 0) {
  Interrupt::install();
  Interrupt::installForHangUp();
  m_thread = std::thread([this] { run(); });
}

ControlInbox::~ControlInbox() {
  m_ending = true;
  m_thread.join();
}

std::vector<protocol::ControlCommand> ControlInbox::take() {
  const std::lock_guard lock(m_mutex);
  return std::exchange(m_commands, {});
}

void ControlInbox::add(protocol::ControlCommand command) {
  using protocol::ControlWord;
  const bool now = command.word == ControlWord::StopNow, stops = now || command.word == ControlWord::Stop;
  {
    const std::lock_guard lock(m_mutex);
    m_commands.push_back(std::move(command));
  }
  // Whoever sees these finds the word.
  if (now) m_stopNow = true;
  if (stops) m_stopAsked = true;
}

void ControlInbox::addSignals() {
  for (; m_seenSignals < Interrupt::count(); ++m_seenSignals)
    add({.word = m_seenSignals == 0 ? protocol::ControlWord::Stop : protocol::ControlWord::StopNow});
}

void ControlInbox::readInput(std::string& pending) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (!m_inputOpen) {
    ::poll(nullptr, 0, kPollMilliseconds);
    return;
  }
  if (::poll(&input, 1, kPollMilliseconds) <= 0) return;
  char buffer[4096];
  const auto count = ::read(STDIN_FILENO, buffer, sizeof buffer);
  if (count <= 0) {
    m_inputOpen = false;
    if (!m_led) return;
    m_orphaned = true;
    add({.word = protocol::ControlWord::Stop});
    return;
  }
  pending.append(buffer, static_cast<std::size_t>(count));
  for (auto end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
    auto command = protocol::parseControlLine(std::string_view(pending).substr(0, end));
    if (command.ok())
      add(std::move(command).value());
    else
      std::fputs(("control: " + command.error().text() + "\n").c_str(), stderr);
    pending.erase(0, end + 1);
  }
}

void ControlInbox::run() {
  protocol::LineFollower follower(m_file);
  const auto ignore = [](std::string_view, std::uint64_t) { return true; };
  const auto obey = [this](std::string_view line, std::uint64_t) {
    if (auto command = protocol::parseControlLine(line); command.ok()) add(std::move(command).value());
    return true;
  };
  if (!m_file.empty()) (void)follower.poll(ignore).ok();  // lines of an earlier attempt are not for us
  std::string pending;
  double lastFile = monotonicSeconds(), lastTick = lastFile;
  while (!m_ending) {
    readInput(pending);
    addSignals();
    const double now = monotonicSeconds();
    if (!m_file.empty() && now - lastFile > kFileSeconds) {
      (void)follower.poll(obey).ok();
      lastFile = now;
    }
    if (m_tick && now - lastTick > kTickSeconds) {
      m_tick();
      lastTick = now;
    }
  }
}

}  // namespace roadtune::engine

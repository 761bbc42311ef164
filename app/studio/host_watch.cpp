// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/host_watch.h"

#include "core/base/clock.h"
#include "remote/ssh/host_key.h"

#include <QTimer>

#include <algorithm>

namespace roadtune::studio {
namespace {

constexpr int kGlanceMs = 2000;
constexpr int kFirstPauseMs = 3000, kLongestPauseMs = 60'000;  // between attempts to connect
constexpr int kConnectSeconds = 5;                             // also what leaving the studio may wait for
constexpr double kAnswerSeconds = 8;

// Failures that only the user can do something about.
bool needsUser(const Error& error) {
  return error.what.find("unknown host key") != std::string::npos ||
         error.what.find("permission denied") != std::string::npos ||
         error.what.find(remote::kHostKeyChanged) != std::string::npos;
}

}  // namespace

HostWatch::HostWatch(QObject* parent) : QObject(parent), m_timer(new QTimer(this)) {
  m_timer->setSingleShot(true);
  connect(m_timer, &QTimer::timeout, this, &HostWatch::look);
}

HostWatch::~HostWatch() = default;

void HostWatch::watch(const QString& host, const remote::Prompts& prompts) {
  m_host = host;
  m_prompts = prompts;
  m_pause = 0;
  if (!m_session) emit changed(m_host, widgets::MachineState::Connecting, {}, nullptr);
  m_timer->start(0);
}

void HostWatch::pause() {
  m_timer->stop();
  m_session.reset();
}

Status HostWatch::connectNow() {
  ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(m_prompts));
  ROADTUNE_TRY(remote::HostSpec spec, access.config.resolve(m_host.toStdString()));
  spec.connectTimeoutSeconds = std::min(spec.connectTimeoutSeconds, kConnectSeconds);
  ROADTUNE_TRY(remote::Session session, remote::Session::connect(spec, access.prompts, access.config));
  m_session.emplace(std::move(session));
  m_counters = {};
  return {};
}

void HostWatch::fail(const Error& error) {
  m_session.reset();
  const auto state = needsUser(error) ? widgets::MachineState::NeedsAnswer : widgets::MachineState::Unreachable;
  emit changed(m_host, state, QString::fromStdString(error.what), nullptr);
  m_pause = std::clamp(m_pause * 2, kFirstPauseMs, kLongestPauseMs);
  if (state == widgets::MachineState::Unreachable) m_timer->start(m_pause);
}

void HostWatch::look() {
  if (m_stop) return;
  if (!m_session) {
    if (const Status connected = connectNow(); !connected.ok()) return fail(connected.error());
  }
  if (m_stop) return;
  const double asked = wallSeconds();
  const auto answer = m_session->run(
      hostSampleCommand(), {.timeoutSeconds = kAnswerSeconds, .stopRequested = [this] { return m_stop.load(); }});
  if (m_stop) return;
  if (!answer.ok()) return fail(answer.error());
  m_pause = 0;
  auto reading =
      std::make_shared<widgets::MachineReading>(parseHostSample(answer.value().out, monotonicSeconds(), m_counters));
  reading->clockAhead = clockAhead(answer.value().out, asked, wallSeconds());
  emit changed(m_host, widgets::MachineState::Ready, {}, reading);
  m_timer->start(kGlanceMs);
}

}  // namespace roadtune::studio

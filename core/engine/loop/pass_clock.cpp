// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/pass_clock.h"

#include "core/base/clock.h"

#include <c10/core/impl/VirtualGuardImpl.h>

namespace roadtune::engine {

void PassClock::mark(double* into) {
  auto event = std::make_shared<c10::Event>(m_device.type(), c10::EventFlag::BACKEND_DEFAULT);
  event->record(c10::impl::VirtualGuardImpl(m_device.type()).getStream(m_device));
  m_laps.push_back({std::move(event), into});
}

void PassClock::goOnFrom(const PassClock& other) {
  if (!other.m_laps.empty()) m_laps.push_back({other.m_laps.back().end, nullptr});
}

void PassClock::start() {
  if (m_device.is_cpu())
    m_last = monotonicSeconds();
  else
    mark(nullptr);
}

void PassClock::lap(double& into) {
  if (!m_device.is_cpu()) return mark(&into);
  const double now = monotonicSeconds();
  into += now - m_last;
  m_last = now;
}

void PassClock::settle() {
  if (!m_laps.empty()) m_laps.back().end->synchronize();
  for (std::size_t i = 1; i < m_laps.size(); ++i)
    if (m_laps[i].into) *m_laps[i].into += m_laps[i - 1].end->elapsedTime(*m_laps[i].end) / 1000.0;
  m_laps.clear();
}

}  // namespace roadtune::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/throttle.h"

namespace roadtune::widgets {

Throttle::Throttle(int intervalMs, QObject* parent) : QObject(parent) {
  m_timer.setInterval(intervalMs);
  m_timer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, [this] {
    if (!m_pending) return;
    m_pending = false;
    m_timer.start();
    emit fired();
  });
}

void Throttle::request() {
  m_pending = true;
  if (!m_timer.isActive()) {
    m_pending = false;
    m_timer.start();
    emit fired();
  }
}

}  // namespace roadtune::widgets

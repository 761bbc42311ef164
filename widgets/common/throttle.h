// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QTimer>

namespace roadtune::widgets {

// Any number of requests, at most one fired() per interval; the last request is never lost.
class Throttle : public QObject {
  Q_OBJECT
 public:
  explicit Throttle(int intervalMs, QObject* parent = nullptr);
  void request();

 signals:
  void fired();

 private:
  QTimer m_timer;
  bool m_pending = false;
};

}  // namespace roadtune::widgets

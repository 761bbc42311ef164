// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QApplication>
#include <QString>

#include <vector>

namespace roadtune::widgets {

// An application that measures how long each event keeps the windows from answering. What counts is the work of the
// thread and what it waited for by itself (a file, a lock, another program); time in which the machine ran something
// else in its place does not, and work counts as it would take on this machine with nothing beside it: a piece of
// reference work is timed at the start and again when an event took long. One look can be off by far, while memory is
// being moved for example, so it excuses no more than kMostSlowness. Waits of less than kPatience limits do not count
// while the machine has more to do than processors. A loaded machine blames nobody. An event that runs an event loop
// of its own, such as a menu, counts up to where that loop starts. For tests and debug builds: it costs some
// microseconds an event.
class WatchedApplication : public QApplication {
 public:
  static constexpr double kPatience = 12, kMostSlowness = 10;

  struct Blocked {
    double ms = 0;     // work and waiting
    double cpuMs = 0;  // the work in it, as on a quiet machine
    QString what;      // "Timer to StudioWindow mainWindow"
  };

  WatchedApplication(int& argc, char** argv);
  bool notify(QObject* receiver, QEvent* event) override;

  double limit() const { return m_limit; }
  void setLimit(double ms) { m_limit = ms; }          // 0 measures nothing
  std::vector<Blocked> takeBlocked();                 // since the last call, in order
  virtual void onBlocked(const Blocked& /*what*/) {}  // at once

 private:
  void watchLoop();
  void begin(QObject* receiver, QEvent* event);
  void end();
  double m_limit = 50;
  bool m_open = false;  // an event is being measured
  quint64 m_turn = 0;
  double m_start = 0, m_cpu = 0, m_delay = 0;  // ms
  long m_waits = 0;
  QString m_what;
  std::vector<Blocked> m_blocked;
  bool m_watching = false;
  int m_statistics = -1;
  double m_reference = 0;  // ms that the reference work takes at best
};

}  // namespace roadtune::widgets

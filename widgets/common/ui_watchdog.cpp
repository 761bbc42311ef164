// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/ui_watchdog.h"

#include <QAbstractEventDispatcher>
#include <QEvent>
#include <QMetaEnum>
#include <QThread>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace roadtune::widgets {
namespace {

double millisecondsOf(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

// How long this thread was ready and another ran in its place: the second number of its schedstat, in nanoseconds.
double waitedForProcessor(int file) {
  char text[96] = {};
  if (file < 0 || ::pread(file, text, sizeof text - 1, 0) <= 0) return 0;
  char* rest = nullptr;
  std::strtoull(text, &rest, 10);
  return double(std::strtoull(rest, nullptr, 10)) / 1e6;
}

// Arithmetic over more memory than the nearest caches hold, as laying out and painting are; ms of this thread's time.
double referenceWork() {
  static std::vector<std::uint32_t> room(1 << 18, 1);
  const double begin = millisecondsOf(CLOCK_THREAD_CPUTIME_ID);
  std::uint32_t at = 1;
  for (int i = 0; i < 100'000; ++i) {
    at = at * 1664525u + 1013904223u;
    room[at >> 14] += at;
  }
  return millisecondsOf(CLOCK_THREAD_CPUTIME_ID) - begin;
}

double bestOf(int times) {
  double best = referenceWork();
  for (int i = 1; i < times; ++i) best = std::min(best, referenceWork());
  return std::max(best, 1e-3);  // a clock that counts in ticks may not have moved
}

// How often this thread gave the processor away by itself. Where it never did, what is missing between the clock and
// its work was taken from it: by other threads, or from the whole machine where that is a virtual one.
long timesWaited() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

// More to do than processors: whoever holds a lock may itself wait for its turn, and those who wait for it with it.
bool overloaded() {
  double lately = 0;
  const auto processors = std::thread::hardware_concurrency();
  if (::getloadavg(&lately, 1) == 1 && lately > processors) return true;
  unsigned ready = 0;
  if (std::FILE* file = std::fopen("/proc/loadavg", "re")) {
    if (std::fscanf(file, "%*s %*s %*s %u", &ready) != 1) ready = 0;
    std::fclose(file);
  }
  return ready > processors;
}

QString describe(const QObject* receiver, const QEvent* event) {
  const char* type = QMetaEnum::fromType<QEvent::Type>().valueToKey(event->type());
  return QStringLiteral("%1 to %2 %3")
      .arg(QLatin1String(type ? type : "event"), QLatin1String(receiver->metaObject()->className()),
           receiver->objectName());
}

}  // namespace

WatchedApplication::WatchedApplication(int& argc, char** argv)
    : QApplication(argc, argv),
      m_statistics(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)),
      m_reference(bestOf(8)) {}

// The loops inside an event are those of others: neither their waiting nor their work is this event's.
void WatchedApplication::watchLoop() {
  QAbstractEventDispatcher* loop = QAbstractEventDispatcher::instance();
  if (m_watching || !loop) return;
  m_watching = true;
  connect(loop, &QAbstractEventDispatcher::aboutToBlock, this, [this] { end(); });
  connect(loop, &QAbstractEventDispatcher::awake, this, [this] { end(); });
}

bool WatchedApplication::notify(QObject* receiver, QEvent* event) {
  if (m_limit <= 0 || m_open || QThread::currentThread() != thread()) return QApplication::notify(receiver, event);
  watchLoop();
  begin(receiver, event);
  const quint64 turn = m_turn;
  const bool done = QApplication::notify(receiver, event);
  if (m_turn == turn) end();
  return done;
}

void WatchedApplication::begin(QObject* receiver, QEvent* event) {
  m_open = true;
  ++m_turn;
  m_what = describe(receiver, event);  // the receiver may be gone at the end
  m_delay = waitedForProcessor(m_statistics);
  m_waits = timesWaited();
  m_cpu = millisecondsOf(CLOCK_THREAD_CPUTIME_ID);
  m_start = millisecondsOf(CLOCK_MONOTONIC);
}

void WatchedApplication::end() {
  if (!m_open) return;
  m_open = false;
  double ms = millisecondsOf(CLOCK_MONOTONIC) - m_start;
  if (ms < m_limit) return;
  ms -= waitedForProcessor(m_statistics) - m_delay;
  if (ms < m_limit) return;
  const double work = millisecondsOf(CLOCK_THREAD_CPUTIME_ID) - m_cpu;
  const double slowness = std::clamp(referenceWork() / m_reference, 1.0, kMostSlowness);
  const double quiet = work / slowness;
  double waited = timesWaited() > m_waits ? std::max(0.0, ms - work) : 0;
  if (waited < kPatience * m_limit && overloaded()) waited = 0;
  ms = waited + quiet;
  if (ms < m_limit) return;
  const Blocked blocked{ms, quiet, m_what};
  m_blocked.push_back(blocked);
  onBlocked(blocked);
}

std::vector<WatchedApplication::Blocked> WatchedApplication::takeBlocked() { return std::exchange(m_blocked, {}); }

}  // namespace roadtune::widgets

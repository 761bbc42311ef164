// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/options.h"
#include "app/studio/studio.h"
#include "core/base/exit_code.h"
#include "widgets/common/ui_watchdog.h"

#include <QApplication>

#include <clocale>
#include <cstdio>

namespace {

#ifdef NDEBUG
using StudioApplication = QApplication;
#else
// Debug builds tell of every event that keeps the window from answering.
class StudioApplication : public roadtune::widgets::WatchedApplication {
 public:
  using WatchedApplication::WatchedApplication;
  void onBlocked(const Blocked& blocked) override {
    qWarning("the window did not answer for %.0f ms (%.0f ms of work): %s", blocked.ms, blocked.cpuMs,
             qPrintable(blocked.what));
  }
};
#endif

}  // namespace

int main(int argc, char** argv) {
  using namespace roadtune;
  if (const auto answered = studio::answerWithoutWindow(argc, argv)) return *answered;
  StudioApplication application(argc, argv);
  std::setlocale(LC_NUMERIC, "C");  // Qt took the user's; what machines write has a point in its numbers
  QApplication::setApplicationName(QStringLiteral("studio"));
  QApplication::setOrganizationName(QStringLiteral("roadtune"));
  QApplication::setApplicationDisplayName(QStringLiteral("Roadtune Studio"));
  QApplication::setApplicationVersion(QStringLiteral(ROADTUNE_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("roadtune-studio"));
  const auto options = studio::parseOptions(QApplication::arguments());
  if (!options.ok()) {
    std::fprintf(stderr, "%s\n", options.error().text().c_str());
    return exitCode(options.error().kind);
  }
  studio::Studio studio(options.value());
  studio.start();
  return QApplication::exec();
}

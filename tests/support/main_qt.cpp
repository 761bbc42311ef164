// SPDX-License-Identifier: GPL-3.0-or-later
// Main of every test that needs Qt: no display; each Qt warning, and each event that keeps the windows from answering,
// fails the test that caused it.
#include "widgets/common/ui_watchdog.h"

#include <gtest/gtest.h>

#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <cstdio>

namespace {

void onMessage(QtMsgType type, const QMessageLogContext&, const QString& text) {
  const QByteArray line = text.toLocal8Bit();
  if (type == QtDebugMsg || type == QtInfoMsg) {
    std::fprintf(stderr, "%s\n", line.constData());
    return;
  }
  // The offscreen platform says this of every window; it means nothing for a test.
  if (text.contains(QLatin1String("This plugin does not support"))) return;
  ADD_FAILURE() << "Qt warning: " << line.constData();
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kLimitMs = 0;  // everything takes several times as long
#else
constexpr double kLimitMs = 50;
#endif

constexpr const char* kSettings = "ROADTUNE_TEST_SETTINGS";

using roadtune::widgets::WatchedApplication;

// It writes its settings when it goes, and waits for the thread that reads folders. Desktops show theirs in its place.
bool isOfQtsFileDialogue(const QString& what) {
  return what.startsWith(QLatin1String("DeferredDelete to QFileDialog")) ||
         what.contains(QLatin1String("to QFileSystemModel"));
}

// The first paint of a window, all styles and fonts with it, has a budget of its own, of which this is half.
bool isFirstPaint(const QString& what, double ms) {
  return what.startsWith(QLatin1String("Expose to QWidgetWindow")) && ms < 150;
}

class BlockedEvents : public ::testing::EmptyTestEventListener {
 public:
  explicit BlockedEvents(WatchedApplication& application) : m_application(application) {}
  void OnTestStart(const ::testing::TestInfo&) override { m_application.takeBlocked(); }
  void OnTestEnd(const ::testing::TestInfo&) override {
    for (const auto& blocked : m_application.takeBlocked()) {
      if (isOfQtsFileDialogue(blocked.what) || isFirstPaint(blocked.what, blocked.ms)) continue;
      ADD_FAILURE() << "the windows did not answer for " << blocked.ms << " ms (" << blocked.cpuMs
                    << " ms of work): " << blocked.what.toStdString();
    }
  }

 private:
  WatchedApplication& m_application;
};

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);
  // Settings of this process and those it starts alone: another checkout may be tested at the same time.
  const QTemporaryDir settings;
  if (!qEnvironmentVariableIsSet(kSettings)) qputenv(kSettings, settings.path().toLocal8Bit());
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, qEnvironmentVariable(kSettings));
  WatchedApplication application(argc, argv);
  application.setLimit(qEnvironmentVariableIsSet("ROADTUNE_UI_LIMIT_MS") ? qgetenv("ROADTUNE_UI_LIMIT_MS").toDouble()
                                                                         : kLimitMs);
  ::testing::UnitTest::GetInstance()->listeners().Append(new BlockedEvents(application));
  WatchedApplication::setApplicationName(QStringLiteral("roadtune-test"));
  WatchedApplication::setOrganizationName(QStringLiteral("roadtune-test"));
  qInstallMessageHandler(onMessage);
  return RUN_ALL_TESTS();
}

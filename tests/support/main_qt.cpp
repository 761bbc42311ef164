// SPDX-License-Identifier: GPL-3.0-or-later
// Main of every test that needs Qt: no display, and each Qt warning fails the test that caused it.
#include <gtest/gtest.h>

#include <QApplication>
#include <QStandardPaths>

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

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("roadtune-test"));
  QApplication::setOrganizationName(QStringLiteral("roadtune-test"));
  qInstallMessageHandler(onMessage);
  return RUN_ALL_TESTS();
}

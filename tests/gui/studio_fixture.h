// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/studio.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <QSettings>
#include <QStandardPaths>
#include <QTest>

#include <memory>

namespace roadtune::testing {

// A whole studio with settings and folders of its own, driven through object names. With ROADTUNE_LOOK=FOLDER every
// test leaves a picture of how its window ended, dark with ROADTUNE_LOOK_THEME=dark: to look at, not to compare.
struct StudioTest : ::testing::Test {
  void SetUp() override {
    QSettings().clear();
    // The test mode of QStandardPaths points below the home folder; runs and indexes must go with the test.
    qputenv("XDG_DATA_HOME", (home / "data").string().c_str());
    QStandardPaths::setTestModeEnabled(false);
  }
  void TearDown() override {
    if (studio) leavePicture();
    studio.reset();
    QStandardPaths::setTestModeEnabled(true);
    qunsetenv("XDG_DATA_HOME");
  }

  void open(studio::Options options) {
    if (!options.size.isValid()) options.size = QSize(1440, 900);
    const bool dark = qEnvironmentVariable("ROADTUNE_LOOK_THEME") == QLatin1String("dark");
    if (!options.theme) options.theme = dark ? widgets::ThemeChoice::Dark : widgets::ThemeChoice::Light;
    // Whoever runs the tests may work in another language; they read English unless they say otherwise.
    if (options.language.isEmpty() && !QSettings().contains("language")) options.language = "en";
    studio = std::make_unique<studio::Studio>(options);
    studio->start();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window()));
  }
  void leavePicture() const {
    const QString folder = qEnvironmentVariable("ROADTUNE_LOOK");
    if (folder.isEmpty()) return;
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    window()->grab().save(QStringLiteral("%1/%2.png").arg(folder, QLatin1String(test->name())));
  }
  studio::MainWindow* window() const { return studio->window(); }

  template <class T>
  T* find(const char* name) const {
    T* found = window()->findChild<T*>(QLatin1String(name));
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  template <class Condition>
  static bool waitFor(Condition condition, int seconds = 20) {
    return QTest::qWaitFor(condition, seconds * 1000);
  }

  TempFolder home;
  std::unique_ptr<studio::Studio> studio;
};

}  // namespace roadtune::testing

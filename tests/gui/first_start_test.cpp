// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody sees who opens the studio for the first time, and what it says of a run's pace and machines.
#include "app/studio/run_document.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/frame/status_strip.h"
#include "widgets/panels/train/train_page.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

namespace roadtune::testing {
namespace {

struct FirstStart : StudioTest {
  void openTrain(const QString& language = {}) {
    studio::Options options;
    options.page = "train";
    options.language = language;
    open(options);
  }
  QLineEdit* field(const char* name) const { return find<QLineEdit>((std::string("edit_") + name).c_str()); }
  QLabel* problem(const char* name) const { return find<QLabel>((std::string("problem_") + name).c_str()); }
  QLabel* said() const { return find<QLabel>("startBlocked"); }
  void type(const char* name, const std::string& text) const {
    QTest::mouseClick(field(name), Qt::LeftButton);
    field(name)->selectAll();
    QTest::keyClicks(field(name), QString::fromStdString(text));
    QTest::keyClick(field(name), Qt::Key_Return);
  }
};

TEST_F(FirstStart, AConfigurationThatIsNamedIsWhatIsShown) {
  home.write("run.yaml", "learning_rate: 2.0e-5\n");
  studio::Options options;
  options.config = QString::fromStdString((home / "run.yaml").string());
  open(options);
  EXPECT_EQ(window()->page(), studio::Page::Train);
}

TEST_F(FirstStart, TheFormIsEmptyAndCalmUntilTheRunIsAskedFor) {
  openTrain();
  EXPECT_EQ(field("model_name_or_path")->text(), "");
  EXPECT_EQ(field("train_data")->text(), "");
  EXPECT_EQ(field("model_name_or_path")->placeholderText(), "a folder in the Hugging Face layout");
  EXPECT_EQ(studio->train()->document().config().text("output_dir"), (home / "data/roadtune/runs/first").string())
      << "a folder of the user, in which runs are looked for";
  const auto calm = [&] {
    return !problem("model_name_or_path")->isVisible() && !problem("train_data")->isVisible() &&
           !problem("output_dir")->isVisible() && !find<QToolButton>("problemCount")->isVisible();
  };
  EXPECT_TRUE(calm());
  QTest::qWait(400);  // paths are looked at on another thread
  EXPECT_TRUE(calm());
  EXPECT_EQ(said()->text(), "Still to choose: Model, Training data");

  find<QAction>("preset_lora-r8")->trigger();
  EXPECT_TRUE(calm()) << "how it learns says nothing of what from";
  auto* start = find<QPushButton>("startRun");
  ASSERT_TRUE(start->isEnabled());
  QTest::mouseClick(start, Qt::LeftButton);
  EXPECT_TRUE(problem("model_name_or_path")->isVisible());
  EXPECT_TRUE(problem("train_data")->isVisible());
  EXPECT_TRUE(find<QToolButton>("problemCount")->isVisible());
  EXPECT_FALSE(start->isEnabled());
  EXPECT_EQ(window()->focusWidget(), field("model_name_or_path")) << "where the next key goes";
  EXPECT_EQ(said()->text(), "Still to choose: Model, Training data");

  type("model_name_or_path", tinyModel().string());
  EXPECT_FALSE(problem("model_name_or_path")->isVisible());
  type("train_data", drawnIndex().string());
  ASSERT_TRUE(waitFor([&] { return start->isEnabled(); })) << said()->text().toStdString();
  EXPECT_FALSE(said()->isVisible());
}

TEST_F(FirstStart, WhatIsChosenWronglyIsSaidAtOnce) {
  openTrain();
  type("model_name_or_path", "/nowhere/at/all");
  ASSERT_TRUE(waitFor([&] { return problem("model_name_or_path")->isVisible(); }));
  EXPECT_FALSE(problem("train_data")->isVisible()) << "nobody has come to it yet";
  EXPECT_FALSE(find<QPushButton>("startRun")->isEnabled());
}

TEST_F(FirstStart, ItIsCalmInGermanToo) {
  openTrain("de");
  EXPECT_TRUE(said()->text().startsWith("Noch zu wählen: ")) << said()->text().toStdString();
}

TEST_F(FirstStart, ADraftThatWasNeverSavedIsNamedInTheLanguageOfTheWindow) {
  openTrain();
  type("model_name_or_path", "/of/mine");
  window()->close();
  studio.reset();
  openTrain("de");
  EXPECT_EQ(field("model_name_or_path")->text(), "/of/mine");
  EXPECT_EQ(studio->train()->document().name(), "Neuer Lauf");
}

TEST(Program, AnswersWithoutADisplayAndSaysWhatAWindowNeeds) {
  const auto run = [](const std::string& option) {
    return runProgram({"env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", "-u", "QT_QPA_PLATFORM",
                       programPath("roadtune-studio"), option});
  };
  const auto help = run("--help"), version = run("--version"), wrong = run("--hepl"), window = run("--demo");
  EXPECT_EQ(help.exitCode, 0) << help.err;
  EXPECT_NE(help.out.find("--screenshot <FILE>"), std::string::npos) << help.out;
  EXPECT_EQ(version.exitCode, 0) << version.err;
  EXPECT_EQ(version.out.find("roadtune-studio "), 0u) << version.out;
  EXPECT_EQ(window.exitCode, 3) << window.err;
  EXPECT_NE(window.err.find("there is no display here"), std::string::npos) << window.err;
  EXPECT_EQ(wrong.exitCode, 2) << wrong.err;
}

TEST_F(FirstStart, RatesOfManySamplesAreGroupedAsTheLanguageDoes) {
  for (const auto& [language, rate] : {std::pair("en", "12,346 samples/s"), std::pair("de", "12.346 ")}) {
    openTrain(language);
    window()->statusStrip()->setLiveRuns(2, 12345.6);
    QStringList seen;
    for (const auto* chip : window()->statusStrip()->findChildren<QAbstractButton*>()) seen << chip->text();
    EXPECT_TRUE(seen.join('|').contains(rate)) << seen.join('|').toStdString();
    studio.reset();
  }
}

}  // namespace
}  // namespace roadtune::testing

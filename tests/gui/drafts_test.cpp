// SPDX-License-Identifier: GPL-3.0-or-later
// What is edited and not saved comes back, and a file that somebody else has changed is not overwritten.
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/common/notice_bar.h"
#include "widgets/panels/train/train_page.h"

#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

namespace roadtune::testing {
namespace {

struct DraftTest : StudioTest {
  void SetUp() override {
    StudioTest::SetUp();
    writeConfig("one", "");
  }
  void writeConfig(const std::string& name, const std::string& more) {
    home.write(name + ".yaml",
               "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                   "\noutput_dir: " + (home / "runs" / name).string() + "\nfinetuning_type: full\n" + more);
  }
  QString file(const std::string& name) const { return QString::fromStdString((home / (name + ".yaml")).string()); }
  std::string onDisk(const std::string& name) const { return readAll(home / (name + ".yaml")); }
  void openOn(const std::string& name) {
    studio::Options options;
    options.config = file(name);
    options.page = "train";
    open(options);
  }
  void openTrain() {
    studio::Options options;
    options.page = "train";
    open(options);
  }
  void branchAgain(const char* run) {
    studio->train()->branch(QString::fromStdString((home / "runs" / run).string()), {}, studio::Beginning::Again);
  }
  studio::RunDocument& document() const { return studio->train()->document(); }
  QString yaml() const { return QString::fromStdString(document().document().text()); }
  void edit(int seed) { ASSERT_TRUE(document().set("seed", config::Value(std::int64_t(seed))).ok()); }
  qsizetype drafts() const {
    return QDir(QString::fromStdString((home / "data/roadtune/drafts").string())).entryList({"*.json"}).size();
  }
  QString notice() const { return window()->trainPage()->notice()->text(); }
  void press(const char* name) const {
    auto* button = window()->trainPage()->notice()->findChild<QPushButton*>(name);
    ASSERT_NE(button, nullptr);
    ASSERT_TRUE(button->isVisible()) << notice().toStdString();
    QTest::mouseClick(button, Qt::LeftButton);
  }
};

TEST_F(DraftTest, EditsAreBackAfterTheWindowWasClosed) {
  openOn("one");
  edit(7);
  window()->close();
  studio.reset();
  EXPECT_EQ(onDisk("one").find("seed"), std::string::npos) << "the file is as it was";
  openOn("one");
  EXPECT_TRUE(yaml().contains("seed: 7")) << yaml().toStdString();
  EXPECT_TRUE(document().unsaved());
  EXPECT_EQ(notice(), "Edits that were not saved are back.");
  press("noticeAction");
  EXPECT_FALSE(yaml().contains("seed"));
  EXPECT_FALSE(document().unsaved());
  EXPECT_TRUE(waitFor([&] { return drafts() == 0; }));
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(yaml().contains("seed: 7")) << "also that can be taken back";
}

TEST_F(DraftTest, AnEditIsOnTheDiskSoonAndGoneWhenItIsTakenBackOrSaved) {
  openOn("one");
  edit(7);
  EXPECT_TRUE(waitFor([&] { return drafts() == 1; })) << "a studio that is killed now loses nothing";
  document().history().undo();
  EXPECT_TRUE(waitFor([&] { return drafts() == 0; }));
  edit(8);
  EXPECT_TRUE(waitFor([&] { return drafts() == 1; }));
  studio->train()->save();
  EXPECT_TRUE(waitFor([&] { return drafts() == 0; }));
  EXPECT_NE(onDisk("one").find("seed: 8"), std::string::npos);
}

TEST_F(DraftTest, AnotherFileIsOpenedAndTheEditsOfTheFirstAreKept) {
  writeConfig("two", "seed: 2\n");
  openOn("one");
  edit(7);
  studio->train()->openFile(file("two"));
  EXPECT_TRUE(yaml().contains("seed: 2"));
  EXPECT_FALSE(document().unsaved());
  EXPECT_EQ(notice(), "The edits of one.yaml are not saved, but kept.");
  press("noticeAction");
  EXPECT_TRUE(yaml().contains("seed: 7")) << yaml().toStdString();
  EXPECT_TRUE(document().unsaved());
  EXPECT_EQ(document().name(), "one.yaml");
}

TEST_F(DraftTest, FromABranchOneFindsBackToWhatWasNeverSaved) {
  home.write("runs/one/run.yaml", "seed: 3\n");
  openTrain();
  edit(7);
  branchAgain("one");
  ASSERT_TRUE(waitFor([&] { return yaml().contains("seed: 3"); }));
  EXPECT_TRUE(notice().contains("These are the settings of one")) << notice().toStdString();
  EXPECT_TRUE(notice().contains("The edits of New run are not saved, but kept.")) << notice().toStdString();
  press("noticeAction");
  EXPECT_TRUE(yaml().contains("seed: 7")) << yaml().toStdString();
}

TEST_F(DraftTest, TwoThatWereNeverSavedBothOutliveTheWindow) {
  home.write("runs/one/run.yaml", "seed: 3\n");
  openTrain();
  edit(7);
  branchAgain("one");
  ASSERT_TRUE(waitFor([&] { return document().name() == "one-again"; }));
  ASSERT_TRUE(waitFor([&] { return drafts() == 2; }));
  for (int start = 0; start < 2; ++start) {
    window()->close();
    studio.reset();
    ASSERT_EQ(drafts(), 2) << "at start " << start;
    openTrain();
    EXPECT_EQ(document().name(), "one-again") << "at start " << start;
    EXPECT_TRUE(yaml().contains("seed: 3")) << yaml().toStdString();
  }
  EXPECT_TRUE(notice().contains("Edits that were not saved are back.")) << notice().toStdString();
  EXPECT_TRUE(notice().contains("The edits of New run are not saved, but kept.")) << notice().toStdString();
  press("noticeAction");  // back
  EXPECT_TRUE(yaml().contains("seed: 7")) << yaml().toStdString();
  EXPECT_EQ(document().name(), "New run");
}

TEST_F(DraftTest, ABranchThatWasEditedMakesWayForNoOtherOne) {
  home.write("runs/one/run.yaml", "seed: 3\n");
  openTrain();
  const auto branch = [&](const char* expected) {
    QSignalSpy shown(studio->train(), &studio::TrainController::branched);
    branchAgain("one");
    ASSERT_TRUE(shown.wait());
    EXPECT_EQ(document().name(), expected);
  };
  branch("one-again");
  branch("one-again");
  edit(7);
  branch("one-again-2");
  EXPECT_TRUE(yaml().contains("seed: 3"));
  press("noticeAction");
  EXPECT_EQ(document().name(), "one-again");
  EXPECT_TRUE(yaml().contains("seed: 7")) << yaml().toStdString();
}

TEST_F(DraftTest, WithoutItsEditsABranchIsAsItWasMade) {
  home.write("runs/one/run.yaml", "seed: 3\n");
  openTrain();
  branchAgain("one");
  ASSERT_TRUE(waitFor([&] { return document().name() == "one-again"; }));
  const QString made = yaml();
  edit(7);
  for (const bool closed : {false, true}) {
    studio->train()->openFile(file("one"));
    if (closed) {
      studio.reset();
      openOn("one");
      studio->train()->openFile(QString::fromStdString((home / "data/roadtune/one-again.yaml").string()));
    } else {
      press("noticeAction");  // back
    }
    ASSERT_EQ(document().name(), "one-again");
    EXPECT_TRUE(yaml().contains("seed: 7")) << yaml().toStdString();
    press("noticeAction");  // discard
    EXPECT_EQ(yaml(), made);
    EXPECT_TRUE(document().unsaved()) << "no file has it";
    edit(7);
  }
}

TEST_F(DraftTest, WhatAnotherWindowKeepsOfAnUntouchedDocumentStays) {
  const auto folder = home / "data/roadtune/drafts";
  openTrain();
  edit(7);
  studio.reset();
  std::filesystem::rename(folder, home / "theirs");
  openTrain();
  ASSERT_FALSE(document().unsaved());
  std::filesystem::remove_all(folder);
  std::filesystem::rename(home / "theirs", folder);  // now they keep theirs
  window()->close();
  studio.reset();
  EXPECT_EQ(drafts(), 1);
}

TEST_F(DraftTest, WhereTheFileOfLastTimeIsGoneTheNewRunComesBack) {
  openTrain();
  edit(7);
  studio->train()->openFile(file("one"));
  studio.reset();
  std::filesystem::remove(home / "one.yaml");
  openTrain();
  EXPECT_TRUE(yaml().contains("seed: 7")) << yaml().toStdString();
  EXPECT_EQ(document().name(), "New run");
}

TEST_F(DraftTest, AConfigurationWithoutAFileComesBackToo) {
  openTrain();
  edit(7);
  studio.reset();
  openTrain();
  EXPECT_TRUE(yaml().contains("seed: 7")) << yaml().toStdString();
  EXPECT_TRUE(document().unsaved());
  EXPECT_EQ(document().name(), "New run");
  press("noticeAction");
  EXPECT_FALSE(document().unsaved());
}

TEST_F(DraftTest, AFileThatWasChangedElsewhereIsNotOverwritten) {
  openOn("one");
  edit(7);
  writeConfig("one", "seed: 99\n");
  studio->train()->save();
  EXPECT_NE(onDisk("one").find("seed: 99"), std::string::npos) << "theirs is still there";
  EXPECT_TRUE(notice().contains("Nothing is saved yet")) << notice().toStdString();
  press("noticeAction");  // reload
  EXPECT_TRUE(yaml().contains("seed: 99")) << yaml().toStdString();
  EXPECT_FALSE(document().unsaved());
  document().history().undo();
  EXPECT_TRUE(yaml().contains("seed: 7")) << "ours is one step back";

  writeConfig("one", "seed: 100\n");
  studio->train()->save();
  press("noticeOtherAction");  // keep mine
  EXPECT_NE(onDisk("one").find("seed: 7"), std::string::npos) << onDisk("one");
  EXPECT_FALSE(document().unsaved());
  EXPECT_EQ(notice(), "");
}

TEST_F(DraftTest, AFileThatWasChangedWhileTheStudioWasClosedIsAskedAbout) {
  openOn("one");
  edit(7);
  studio.reset();
  writeConfig("one", "seed: 99\n");
  openOn("one");
  EXPECT_TRUE(yaml().contains("seed: 7")) << yaml().toStdString();
  EXPECT_TRUE(notice().contains("one.yaml was changed elsewhere since.")) << notice().toStdString();
  studio->train()->save();
  EXPECT_NE(onDisk("one").find("seed: 99"), std::string::npos) << onDisk("one");
}

TEST_F(DraftTest, WithoutEditsAChangedFileIsLoadedAgain) {
  openOn("one");
  writeConfig("one", "seed: 99\n");
  ASSERT_TRUE(waitFor([&] { return yaml().contains("seed: 99"); }));
  EXPECT_FALSE(document().unsaved());
  EXPECT_TRUE(notice().contains("loaded again")) << notice().toStdString();
  edit(7);
  writeConfig("one", "seed: 100\n");
  ASSERT_TRUE(waitFor([&] { return notice().contains("while it is edited here"); })) << notice().toStdString();
  EXPECT_TRUE(yaml().contains("seed: 7")) << "edits are not taken away";
}

TEST_F(DraftTest, AFolderThatHoldsARunIsSaidBeforeTheStart) {
  home.write("runs/one/run.yaml", "seed: 1\n");
  openOn("one");
  auto* problem = find<QLabel>("problem_output_dir");
  ASSERT_TRUE(waitFor([&] { return problem->text() == "Already holds a run"; })) << problem->text().toStdString();
  auto* start = find<QPushButton>("startRun");
  EXPECT_TRUE(start->isEnabled()) << "a start takes the next free name";
  auto* beside = find<QPushButton>("startWayOut");
  EXPECT_EQ(beside->text(), "Use one-2");
  EXPECT_TRUE(beside->isVisible());
  auto* fix = find<QPushButton>("fix_output_dir");
  EXPECT_TRUE(fix->isVisibleTo(window()));
  fix->click();
  EXPECT_TRUE(yaml().contains(QString::fromStdString((home / "runs/one-2").string()))) << yaml().toStdString();
  ASSERT_TRUE(waitFor([&] { return !beside->isVisible(); })) << find<QLabel>("startBlocked")->text().toStdString();
  document().history().undo();
  ASSERT_TRUE(waitFor([&] { return beside->isVisible(); }));
}

TEST_F(DraftTest, AnotherWindowThatDropsTheDraftDoesNotTakeTheEditsOfThisOne) {
  openOn("one");
  edit(7);
  ASSERT_TRUE(waitFor([&] { return drafts() == 1; }));
  std::filesystem::remove_all(home / "data/roadtune/drafts");
  window()->close();
  studio.reset();
  EXPECT_EQ(drafts(), 1);
}

TEST_F(DraftTest, EditsThatCannotBeKeptAreToldBeforeTheWindowCloses) {
  openOn("one");
  std::filesystem::remove_all(home / "data/roadtune/drafts");
  home.write("data/roadtune/drafts", "in the way");
  edit(7);
  ASSERT_TRUE(waitFor([&] { return notice().contains("is not kept until it is saved"); })) << notice().toStdString();
  window()->close();
  EXPECT_TRUE(notice().contains("would be lost")) << notice().toStdString();
  EXPECT_TRUE(window()->isVisible()) << "one may save them elsewhere";
  window()->close();
  EXPECT_FALSE(window()->isVisible()) << "asked again, it goes";
}

}  // namespace
}  // namespace roadtune::testing

// SPDX-License-Identifier: GPL-3.0-or-later
// Images that were left out of training stay out of what goes on from an earlier run.
#include "app/studio/data_controller.h"
#include "app/studio/run_document.h"
#include "core/protocol/checkpoint_marker.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/table_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/runs/run_detail.h"
#include "widgets/panels/runs/run_header.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/runs/step_panel.h"
#include "widgets/panels/train/train_page.h"

#include <QContextMenuEvent>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include <filesystem>

namespace roadtune::testing {
namespace {

struct LeftOutTest : StudioTest {
  // A run of street scenes that has a checkpoint, with `query` of its own for the data.
  void openRun(const std::string& query) {
    std::filesystem::copy(drawnIndex(), home / "idx", std::filesystem::copy_options::recursive);
    drawRun({home / "runs/night", 30, 0, true, 0, 0.5});
    home.write("runs/night/run.yaml", "model_name_or_path: m\ntrain_data: " + (home / "idx").string() +
                                          "\noutput_dir: " + (home / "runs/night").string() + "\n" + query);
    for (const std::string checkpoint : {"checkpoint-10", "checkpoint-30"}) {
      home.write("runs/night/" + checkpoint + "/adapter_model.safetensors", "");
      home.write("runs/night/" + checkpoint + "/COMPLETE", protocol::markerText({}));
    }
    studio::Options options;
    options.data = QString::fromStdString((home / "idx").string());
    options.run = QString::fromStdString((home / "runs/night").string());
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    options.page = "data";
    open(options);
    ASSERT_TRUE(waitFor([&] { return data()->grid()->images()->size() == 120; }));
  }
  void leaveOneOut() {
    QWidget* grid = data()->grid();
    grid->setFocus();
    chooseInMenu([&] { openMenuByKey(grid); }, "Leave out of training");
    ASSERT_TRUE(waitFor([&] { return window()->findChild<QAbstractButton*>("facet_tag_excluded") != nullptr; }));
  }
  void branch() {
    QTest::keyClick(window(), Qt::Key_3, Qt::ControlModifier);
    auto* button = find<QToolButton>("branchRun");
    ASSERT_TRUE(waitFor([&] { return button->isVisible() && button->isEnabled(); }));
    chooseFrom(button, "checkpoint-30");
    ASSERT_TRUE(waitFor([&] { return window()->page() == studio::Page::Train; }));
  }
  widgets::DataPage* data() const { return window()->dataPage(); }
  studio::RunDocument& document() const { return studio->train()->document(); }
};

TEST_F(LeftOutTest, ABranchLearnsWithoutWhatWasLeftOutSinceTheRunBegan) {
  openRun("train_query: time=Day\n");
  leaveOneOut();
  EXPECT_TRUE(data()->notice()->text().contains("branches learn without it")) << data()->notice()->text().toStdString();
  EXPECT_TRUE(data()->notice()->text().contains("resumed learns as before"));
  branch();
  EXPECT_EQ(document().config().text("train_query"), "time=Day and not tag:excluded");
  EXPECT_TRUE(window()->trainPage()->notice()->text().contains("without the images that were left out"))
      << window()->trainPage()->notice()->text().toStdString();
  studio->train()->undo();
  EXPECT_EQ(document().config().text("train_query"), "time=Day") << "it is one of the changes of the branch";
}

TEST_F(LeftOutTest, UndoTakesTheTagFromThoseItWasGivenToOnly) {
  openRun("train_query: time=Day\n");
  leaveOneOut();
  QTest::keyClick(data()->grid(), Qt::Key_A, Qt::ControlModifier);
  const auto tagged = [&] { return find<QAbstractButton>("facet_tag_excluded")->accessibleName(); };
  const QString one = tagged();
  leaveOneOut();
  ASSERT_TRUE(waitFor([&] { return tagged() != one; })) << "all of them are";
  QTest::mouseClick(data()->notice()->findChild<QPushButton*>("noticeAction"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return tagged() == one; })) << tagged().toStdString();
}

TEST_F(LeftOutTest, LookingAtABranchWritesNothing) {
  openRun("train_query: time=Day\n");
  branch();
  ASSERT_TRUE(waitFor([&] { return document().config().has("resume_from_checkpoint"); }));
  const auto marks = home / "idx/user.sqlite";
  EXPECT_FALSE(std::filesystem::exists(marks)) << "of tags that nobody gave";
  QTest::keyClick(window(), Qt::Key_1, Qt::ControlModifier);
  leaveOneOut();
  EXPECT_TRUE(std::filesystem::exists(marks));
}

TEST_F(LeftOutTest, APresetKeepsWhatABranchLearnsFromAndWhereItBegins) {
  openRun("train_query: time=Day\n");
  branch();
  studio->train()->usePreset("lora-r8");
  EXPECT_EQ(document().config().text("finetuning_type"), "lora");
  EXPECT_EQ(document().config().text("train_query"), "time=Day");
  EXPECT_TRUE(document().config().text("resume_from_checkpoint").ends_with("checkpoint-30"));
}

TEST_F(LeftOutTest, ABranchSaysHowManyStepsAreLeft) {
  openRun("max_steps: 30\n");
  branch();
  ASSERT_TRUE(document().set("model_name_or_path", config::Value(tinyModel().string())).ok());
  auto* length = find<QLabel>("runLength");
  auto* blocked = find<QLabel>("startBlocked");
  EXPECT_TRUE(waitFor([&] { return blocked->text().contains("nothing would be trained"); }))
      << blocked->text().toStdString();
  ASSERT_TRUE(document().set("max_steps", config::Value(std::int64_t(50))).ok());
  EXPECT_TRUE(waitFor([&] { return length->text().contains("20 of 50 steps after the checkpoint"); }))
      << length->text().toStdString();
  EXPECT_TRUE(waitFor([&] { return !blocked->text().contains("nothing would be trained"); }))
      << blocked->text().toStdString();
}

TEST_F(LeftOutTest, ABranchKeepsItsQueryWhereNothingWasLeftOut) {
  openRun("train_query: time=Day\n");
  branch();
  EXPECT_EQ(document().config().text("train_query"), "time=Day");
  EXPECT_TRUE(document().config().text("resume_from_checkpoint").ends_with("checkpoint-30"));
}

TEST_F(LeftOutTest, FromTheStepThatLearntFromItAWayLeadsBackToTheCheckpointBefore) {
  openRun("train_query: time=Day\n");
  home.write("runs/night/provenance/rank-000.jsonl",
             "{\"step\":30,\"samples\":[\"" + data()->index()->imageLabel(0) + "\"]}\n");
  QTest::keyClick(window(), Qt::Key_3, Qt::ControlModifier);
  widgets::RunsPage* page = window()->runsPage();
  ASSERT_TRUE(waitFor([&] { return page->header()->checkpointBefore(30).has_value(); }));
  EXPECT_EQ(page->header()->checkpointBefore(30)->first, 30);
  EXPECT_FALSE(page->header()->checkpointBefore(9));
  emit page->stepRequested(30);
  auto* step = page->detail()->step();
  ASSERT_TRUE(waitFor([&] { return step->shownStep() == 30; }));
  const auto wayBack = [](const widgets::NoticeBar* notice) -> QPushButton* {
    for (auto* button : notice->findChildren<QPushButton*>())
      if (button->isVisible() && button->text().contains("Resume from step 10")) return button;
    return nullptr;
  };
  ASSERT_TRUE(waitFor([&] { return step->samples()->rowCount() == 1; }));
  emit step->leaveOutRequested({1});
  EXPECT_EQ(wayBack(page->notice()), nullptr) << "the step did not learn from this one";
  emit step->leaveOutRequested({0});
  ASSERT_NE(wayBack(page->notice()), nullptr)
      << page->notice()->text().toStdString() << ": checkpoint-30 learnt from it";
  // The step's pictures may have been opened on the Data page.
  QTest::keyClick(window(), Qt::Key_1, Qt::ControlModifier);
  emit data()->leaveOutRequested({0});
  QPushButton* back = wayBack(data()->notice());
  ASSERT_NE(back, nullptr) << data()->notice()->text().toStdString();
  back->click();
  ASSERT_TRUE(waitFor([&] { return window()->page() == studio::Page::Train; }));
  EXPECT_TRUE(document().config().text("resume_from_checkpoint").ends_with("checkpoint-10"));
  EXPECT_EQ(document().config().text("train_query"), "time=Day and not tag:excluded");
}

TEST_F(LeftOutTest, WhatIsOfferedAboutImagesGoesWithTheirData) {
  openRun("train_query: time=Day\n");
  leaveOneOut();
  std::filesystem::copy(drawnIndex(), home / "others", std::filesystem::copy_options::recursive);
  auto* undo = data()->notice()->findChild<QPushButton*>("noticeAction");
  ASSERT_TRUE(undo->isVisible());
  studio->data()->open(QString::fromStdString((home / "others").string()));
  ASSERT_TRUE(waitFor([&] { return data()->index()->folder() == home / "others"; }));
  EXPECT_FALSE(undo->isVisible());
  EXPECT_FALSE(studio->data()->history().canUndo()) << "nothing of theirs is a step here";
}

}  // namespace
}  // namespace roadtune::testing

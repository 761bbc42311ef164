// SPDX-License-Identifier: GPL-3.0-or-later
// A run that goes on, changed and resumed from the window; a stand-in takes the trainer's place.
#include "core/protocol/event_reader.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/run_control.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/program.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/runs_page.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace roadtune::testing {
namespace {

struct LiveRunTest : StudioTest {
  void SetUp() override {
    StudioTest::SetUp();
    home.write("model/config.json", "{}");
    home.write("train.jsonl", R"({"image": "a.jpg", "prefix": "q", "suffix": "a"})"
                              "\n");
    home.write("run.yaml",
               "model_name_or_path: model\noutput_dir: runs/one\ntrain_data: train.jsonl\nmax_steps: 100000\n"
               "device: cpu\nlearning_rate: 2.0e-5\n");
    qputenv("ROADTUNE_TRAINER", ROADTUNE_BIN_DIR "/../fakes/fake-rank");
    qputenv("XDG_RUNTIME_DIR", home.path().string().c_str());
  }
  void TearDown() override {
    if (remote::isAlive(run())) roadtune({"stop", run().string(), "--now"});
    StudioTest::TearDown();
    qunsetenv("ROADTUNE_TRAINER");
    qunsetenv("FAKE_RANK");
  }
  std::filesystem::path run() const { return home / "runs/one"; }
  ProgramResult roadtune(std::vector<std::string> words) const {
    words.insert(words.begin(), "roadtune");
    return runProgram(words, {.folder = home.path().string(), .timeoutSeconds = 60});
  }
  void begin(const char* words, const std::string& setting = "seed=1") {
    qputenv("FAKE_RANK", words);
    const ProgramResult started = roadtune({"train", (home / "run.yaml").string(), "--detach", "--set", setting});
    ASSERT_EQ(started.exitCode, 0) << started.err;
  }
  void openRun() {
    studio::Options options;
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    options.run = QString::fromStdString(run().string());
    open(options);
    page = window()->runsPage();
  }
  std::optional<protocol::Event> lastEvent(const std::string& kind) const {
    std::optional<protocol::Event> found;
    for (protocol::Event& event : protocol::EventReader(protocol::RunLayout(run()).rankEvents(0)).poll().valueOr({}))
      if (event.kind == kind) found = std::move(event);
    return found;
  }
  bool phaseIs(const char* word) const {
    return find<widgets::ElidedLabel>("runPhase")->text().startsWith(QLatin1String(word));
  }
  widgets::RunsPage* page = nullptr;
};

TEST_F(LiveRunTest, SettingsAreChangedWhileTheRunGoesOn) {
  begin("steps=100000 step_ms=5");
  openRun();
  auto* change = find<QToolButton>("editRun");
  ASSERT_TRUE(waitFor([&] { return change->isVisible(); }));
  QTest::mouseClick(change, Qt::LeftButton);
  auto* rate = find<QLineEdit>("live_learning_rate");
  ASSERT_TRUE(rate->hasFocus());
  ASSERT_TRUE(waitFor([&] {
    return rate->placeholderText().contains("e-5") || rate->placeholderText().contains("e-05");
  })) << rate->placeholderText().toStdString();
  auto* apply = find<QPushButton>("liveApply");
  EXPECT_FALSE(apply->isEnabled()) << "nothing to change yet";
  QTest::keyClicks(rate, "fast");
  EXPECT_FALSE(apply->isEnabled());
  EXPECT_EQ(find<QLabel>("liveProblem")->text(), "Learning rate: must be a number");
  rate->clear();
  QTest::keyClicks(rate, "1e-5");
  QTest::keyClicks(find<QLineEdit>("live_save_steps"), "2.5");
  EXPECT_FALSE(apply->isEnabled()) << "steps are whole";
  find<QLineEdit>("live_save_steps")->setText("5000");
  EXPECT_TRUE(apply->isEnabled());
  QTest::keyClick(rate, Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return lastEvent("edit").has_value(); }));
  EXPECT_EQ(lastEvent("edit")->body.value("learning_rate", 0.0), 1e-5);
  EXPECT_EQ(lastEvent("edit")->body.value("save_steps", 0), 5000);
  ASSERT_TRUE(waitFor([&] { return page->notice()->text() == "Changed from the next step on."; }))
      << page->notice()->text().toStdString();
  EXPECT_EQ(rate->text(), "");
  QTest::keyClick(rate, Qt::Key_Escape);
  EXPECT_FALSE(rate->isVisible());
}

TEST_F(LiveRunTest, ThatThereIsNothingToEvaluateOnIsSaid) {
  begin("steps=100000 step_ms=5");
  openRun();
  auto* evaluate = find<QToolButton>("evaluateRun");
  ASSERT_TRUE(waitFor([&] { return evaluate->isVisible() && evaluate->isEnabled(); }));
  QTest::mouseClick(evaluate, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return page->notice()->text().startsWith("This run has nothing to evaluate on."); }));
  EXPECT_FALSE(lastEvent("eval").has_value());
}

TEST_F(LiveRunTest, ItEvaluatesWhenAsked) {
  begin("steps=100000 step_ms=5", "eval_fraction=0.2");
  openRun();
  auto* evaluate = find<QToolButton>("evaluateRun");
  ASSERT_TRUE(waitFor([&] { return evaluate->isVisible() && evaluate->isEnabled(); }));
  QTest::mouseClick(evaluate, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return lastEvent("eval").has_value(); }));
  ASSERT_TRUE(waitFor([&] { return page->notice()->text() == "The run evaluates after the current step."; }))
      << page->notice()->text().toStdString();
}

TEST_F(LiveRunTest, ARunThatWasPausedInATerminalLooksPausedAndGoesOnFromTheWindow) {
  begin("steps=100000 step_ms=5");
  ASSERT_TRUE(waitFor([&] { return lastEvent("step").has_value(); }));
  openRun();
  auto* button = find<QToolButton>("pauseRun");
  ASSERT_TRUE(waitFor([&] { return button->isVisible() && phaseIs("training"); }));
  EXPECT_EQ(button->toolTip(), "Hold the run at its next step; its processes and memory stay");
  const auto listed = [&] { return page->model()->index(0).data(widgets::RunListModel::DetailRole).toString(); };
  ASSERT_TRUE(waitFor([&] { return listed().startsWith("running"); })) << listed().toStdString();
  ASSERT_EQ(roadtune({"pause", run().string()}).exitCode, 0);
  ASSERT_TRUE(waitFor([&] { return phaseIs("paused") && listed().startsWith("paused"); })) << listed().toStdString();
  EXPECT_FALSE(find<widgets::ElidedLabel>("runPhase")->text().contains("left")) << "nobody knows how long it holds";
  EXPECT_EQ(button->text(), "Continue");
  QTest::mouseClick(button, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return phaseIs("training") && listed().startsWith("running"); })) << listed().toStdString();
  EXPECT_EQ(page->notice()->text(), "The run goes on.");
  QTest::mouseClick(button, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return phaseIs("paused"); }));
  EXPECT_TRUE(waitFor([&] { return page->notice()->text().isEmpty(); })) << page->notice()->text().toStdString();
  ASSERT_EQ(roadtune({"continue", run().string()}).exitCode, 0);
  EXPECT_TRUE(waitFor([&] { return phaseIs("training"); }));
}

TEST_F(LiveRunTest, AStoppedRunIsResumedFromTheWindowAndAFinishedOneSaysSo) {
  begin("steps=60 step_ms=20");
  ASSERT_TRUE(waitFor([&] { return lastEvent("step").has_value(); }));
  ASSERT_EQ(roadtune({"stop", run().string()}).exitCode, 0);
  openRun();
  auto* resume = find<QToolButton>("resumeRun");
  ASSERT_TRUE(waitFor([&] { return resume->isVisible(); }))
      << find<widgets::ElidedLabel>("runPhase")->text().toStdString();
  QTest::mouseClick(resume, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return page->notice()->text().startsWith("The run goes on from checkpoint-"); }))
      << page->notice()->text().toStdString();
  ASSERT_TRUE(waitFor([&] { return phaseIs("finished"); }, 60))
      << find<widgets::ElidedLabel>("runPhase")->text().toStdString();
  EXPECT_FALSE(resume->isVisible());
  ASSERT_TRUE(waitFor([&] {
    return page->model()->index(0).data(widgets::RunListModel::StateRole).toInt() ==
           static_cast<int>(runs::RunState::Finished);
  }));
  auto* list = find<QListView>("runList");
  emit list->customContextMenuRequested(list->visualRect(list->model()->index(0, 0)).center());
  auto* menu = list->findChild<QMenu*>();
  ASSERT_NE(menu, nullptr);
  menu->findChild<QAction*>("runResume")->trigger();
  menu->close();
  EXPECT_TRUE(page->notice()->text().contains("is finished")) << page->notice()->text().toStdString();
}

}  // namespace
}  // namespace roadtune::testing

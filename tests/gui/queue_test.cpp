// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that wait for their turn, lined up in the window; a stand-in takes the trainer's place.
#include "remote/launch/run_control.h"
#include "remote/queue/queue_worker.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/notice_bar.h"
#include "widgets/frame/status_strip.h"
#include "widgets/panels/runs/queue_list.h"
#include "widgets/panels/runs/queue_panel.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/train/train_page.h"

#include <gmock/gmock.h>

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace roadtune::testing {
namespace {

using ::testing::HasSubstr;

QString text(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

struct QueueWindow : StudioTest {
  void SetUp() override {
    StudioTest::SetUp();
    home.write("train.jsonl", R"({"image": "a.jpg", "prefix": "q", "suffix": "a"})"
                              "\n");
    qputenv("ROADTUNE_TRAINER", ROADTUNE_BIN_DIR "/../fakes/fake-rank");
    qputenv("XDG_RUNTIME_DIR", home.path().string().c_str());
  }
  void TearDown() override {
    EXPECT_TRUE(remote::QueueWorker::rest(queue()).ok());
    for (const auto& job : queue().jobs().valueOr({}))
      if (remote::isAlive(job.folder)) runProgram({"roadtune", "stop", job.folder, "--now"}, {.timeoutSeconds = 60});
    StudioTest::TearDown();
    for (const char* name : {"ROADTUNE_TRAINER", "FAKE_RANK"}) qunsetenv(name);
  }
  static remote::JobQueue queue() { return remote::JobQueue(); }  // below the test's own data folder

  std::filesystem::path config(const std::string& name) const {
    home.write(name + ".yaml", "model_name_or_path: " + tinyModel().string() + "\noutput_dir: runs/" + name +
                                   "\ntrain_data: train.jsonl\nmax_steps: 40\ndevice: cpu\n");
    return home / (name + ".yaml");
  }
  void addFromTheTerminal(const std::string& name) const {
    const auto added = runProgram({"roadtune", "queue", "add", config(name).string()}, {.timeoutSeconds = 60});
    ASSERT_EQ(added.exitCode, 0) << added.err;
  }
  void openThree() {
    for (const char* name : {"first", "second", "third"}) addFromTheTerminal(name);
    studio::Options options;
    options.page = "runs";
    open(options);
    list = find<widgets::QueueList>("queueList");
    ASSERT_TRUE(waitFor([&] { return rows() == QStringList({"first", "second", "third"}); }));
    list->setFocus();
  }
  QStringList rows() const {
    QStringList names;
    for (int row = 0; row < list->model()->rowCount(); ++row) names << list->model()->index(row, 0).data().toString();
    return names;
  }
  static QStringList kept() {
    QStringList names;
    for (const auto& job : queue().jobs().valueOr({})) names << text(std::filesystem::path(job.folder).filename());
    return names;
  }
  bool becomes(const QStringList& order) const {
    return waitFor([&] { return kept() == order && rows() == order; });
  }
  QPoint middle(int row) const { return list->visualRect(list->model()->index(row, 0)).center(); }
  widgets::QueueList* list = nullptr;
};

TEST_F(QueueWindow, AnEmptyQueueSaysWhatItIsFor) {
  studio::Options options;
  options.page = "runs";
  open(options);
  EXPECT_TRUE(find<QLabel>("queueEmpty")->isVisible());
  EXPECT_FALSE(find<QToolButton>("queueWork")->isVisible());
  QTest::mouseClick(find<QPushButton>("queueTrain"), Qt::LeftButton);
  EXPECT_EQ(window()->page(), studio::Page::Train);
}

TEST_F(QueueWindow, ARunIsQueuedOnTheTrainPageAndRunsWhenTheQueueIsStarted) {
  qputenv("FAKE_RANK", "steps=40 step_ms=5");
  studio::Options options;
  options.config = text(config("night"));
  options.page = "train";
  open(options);
  auto* add = find<QPushButton>("queueRun");
  ASSERT_TRUE(waitFor([&] { return add->isEnabled(); }));
  QTest::mouseClick(add, Qt::LeftButton);
  auto* notice = window()->trainPage()->notice();
  ASSERT_TRUE(waitFor([&] { return notice->isVisible(); }));
  EXPECT_EQ(notice->text(), "It is in the queue. Nothing starts the runs of the queue yet.");
  EXPECT_EQ(kept(), QStringList("night"));
  QTest::mouseClick(find<QPushButton>("queueRun"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return notice->text().startsWith("Job 1 writes into this folder"); }))
      << notice->text().toStdString();
  window()->setPage(studio::Page::Runs);
  auto* work = find<QToolButton>("queueWork");
  ASSERT_TRUE(waitFor([&] { return work->isVisible(); }));
  EXPECT_EQ(find<widgets::ElidedLabel>("queueState")->text(), "1 waiting, paused");
  QTest::mouseClick(work, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return remote::QueueWorker::holder(queue()).has_value(); }));
  ASSERT_TRUE(waitFor(
      [&] {
        const auto jobs = queue().jobs().valueOr({});
        return !jobs.empty() && jobs[0].order.state == policy::JobState::Finished;
      },
      60));
  ASSERT_TRUE(waitFor([&] { return work->text() == "Pause"; }));
  studio.reset();
  EXPECT_TRUE(remote::QueueWorker::holder(queue())) << "the window is not needed";
  open({});
  work = find<QToolButton>("queueWork");
  ASSERT_TRUE(waitFor([&] { return work->text() == "Pause"; }));
  window()->setPage(studio::Page::Runs);
  QTest::mouseClick(work, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return !remote::QueueWorker::holder(queue()); }));
  EXPECT_TRUE(waitFor([&] { return work->text() == "Start"; }));
}

TEST_F(QueueWindow, VariantsOfARunAreChosenAndQueuedTogether) {
  studio::Options options;
  options.config = text(config("night"));
  options.page = "train";
  open(options);
  auto* vary = find<QPushButton>("varyRun");
  ASSERT_TRUE(waitFor([&] { return vary->isEnabled(); }));
  EXPECT_FALSE(find<QWidget>("variantPanel")->isVisible());
  QTest::mouseClick(vary, Qt::LeftButton);
  auto* queue = find<QPushButton>("variantQueue");
  const auto edits = [&] { return window()->findChildren<QLineEdit*>("variantValues"); };
  EXPECT_TRUE(edits()[0]->hasFocus());
  EXPECT_EQ(edits()[0]->placeholderText(), "now 5.0e-05");
  EXPECT_FALSE(queue->isEnabled());
  QTest::keyClicks(edits()[0], "1e-5");
  EXPECT_EQ(queue->text(), "Queue");
  EXPECT_TRUE(queue->isEnabled());
  QTest::keyClicks(edits()[0], ", 2e-5,");
  auto* summary = find<QLabel>("variantSummary");
  EXPECT_THAT(summary->text().toStdString(), HasSubstr("a value is missing between two commas"));
  QTest::keyClick(edits()[0], Qt::Key_Backspace);
  EXPECT_EQ(queue->text(), "Queue 2 runs");
  QTest::mouseClick(find<QPushButton>("variantMore"), Qt::LeftButton);
  ASSERT_EQ(edits().size(), 2);
  const auto combos = window()->findChildren<QComboBox*>("variantSetting");
  EXPECT_EQ(combos[1]->currentText(), "LoRA rank (r)");
  combos[1]->setCurrentIndex(combos[1]->findData("seed"));
  QTest::keyClicks(edits()[1], "one, 2");
  EXPECT_EQ(queue->text(), "Queue 4 runs");
  QTest::keyClick(edits()[1], Qt::Key_Return);
  EXPECT_TRUE(waitFor([&] { return summary->text().contains("seed"); })) << summary->text().toStdString();
  EXPECT_EQ(kept(), QStringList()) << "all or none";
  edits()[1]->setText("1, 2");
  QTest::keyClick(edits()[1], Qt::Key_Return);
  auto* notice = window()->trainPage()->notice();
  ASSERT_TRUE(waitFor([&] { return notice->isVisible(); }));
  EXPECT_EQ(notice->text(), "4 runs are in the queue. Nothing starts the runs of the queue yet.");
  EXPECT_FALSE(find<QWidget>("variantPanel")->isVisible());
  EXPECT_EQ(kept(), QStringList({"night_learning_rate=1e-5_seed=1", "night_learning_rate=1e-5_seed=2",
                                 "night_learning_rate=2e-5_seed=1", "night_learning_rate=2e-5_seed=2"}));
  QTest::mouseClick(vary, Qt::LeftButton);
  QTest::mouseClick(window()->findChildren<QToolButton*>("variantRemove")[1], Qt::LeftButton);
  EXPECT_EQ(queue->text(), "Queue 2 runs");
  QTest::keyClick(edits()[0], Qt::Key_Escape);
  EXPECT_FALSE(find<QWidget>("variantPanel")->isVisible());
  EXPECT_TRUE(vary->hasFocus());
}

TEST_F(QueueWindow, TheOrderIsChangedWithAltAndTheArrows) {
  openThree();
  list->setCurrentIndex(list->model()->index(2, 0));
  QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
  ASSERT_TRUE(becomes({"first", "third", "second"}));
  EXPECT_EQ(list->currentIndex().data().toString(), "third") << "what is moved stays chosen";
  QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
  ASSERT_TRUE(becomes({"third", "first", "second"}));
  QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
  QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
  EXPECT_TRUE(becomes({"first", "third", "second"}));
}

TEST_F(QueueWindow, TheOrderIsChangedByDragging) {
  openThree();
  QTest::mousePress(list->viewport(), Qt::LeftButton, {}, middle(0));
  QTest::mouseMove(list->viewport(), middle(1));
  EXPECT_TRUE(list->dragging());
  QTest::mouseMove(list->viewport(), middle(2) + QPoint(0, 12));
  QTest::mouseRelease(list->viewport(), Qt::LeftButton, {}, middle(2) + QPoint(0, 12));
  EXPECT_FALSE(list->dragging());
  ASSERT_TRUE(becomes({"second", "third", "first"}));
  QTest::mousePress(list->viewport(), Qt::LeftButton, {}, middle(2));
  QTest::mouseMove(list->viewport(), middle(0));
  QTest::keyClick(list, Qt::Key_Escape);
  QTest::mouseRelease(list->viewport(), Qt::LeftButton, {}, middle(0));
  QTest::qWait(300);
  EXPECT_TRUE(becomes({"second", "third", "first"})) << "Esc lets go of it";
}

TEST_F(QueueWindow, WhatIsTakenOutIsPutBackWithUndo) {
  openThree();
  list->setCurrentIndex(list->model()->index(1, 0));
  QTest::keyClick(list, Qt::Key_Delete);
  ASSERT_TRUE(becomes({"first", "third"}));
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(becomes({"first", "second", "third"}));
  QTest::keyClick(window(), Qt::Key_Y, Qt::ControlModifier);
  EXPECT_TRUE(becomes({"first", "third"}));
}

TEST_F(QueueWindow, WhatFailedIsTriedAgainFromItsMenu) {
  openThree();
  ASSERT_TRUE(queue()
                  .update(1,
                          [](remote::QueueJob& job) {
                            job.order.state = policy::JobState::Failed;
                            job.message = "out of memory";
                          })
                  .ok());
  ASSERT_TRUE(waitFor([&] { return rows() == QStringList({"second", "third", "first"}); })) << "it has ended";
  emit list->customContextMenuRequested(middle(2));
  auto* menu = find<QMenu>("queueMenu");
  for (QAction* action : menu->actions())
    if (action->text() == "Try again") action->trigger();
  ASSERT_TRUE(waitFor([&] { return queue().jobs().valueOr({})[0].order.state == policy::JobState::Waiting; }));
  EXPECT_TRUE(waitFor([&] { return rows().front() == "first"; }));
}

}  // namespace
}  // namespace roadtune::testing

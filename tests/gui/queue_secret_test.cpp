// SPDX-License-Identifier: GPL-3.0-or-later
// A run of the queue whose machine asks for a passphrase: the window asks, the worker is told, the run starts.
#include "remote/launch/run_control.h"
#include "remote/queue/queue_worker.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "tests/support/test_network.h"
#include "widgets/frame/question_panel.h"
#include "widgets/panels/runs/queue_list.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace roadtune::testing {
namespace {

struct QueueSecret : StudioTest {
  void SetUp() override {
    if (!TestNetwork::available()) GTEST_SKIP() << "network namespaces and a throw-away sshd need root";
    if (!std::filesystem::exists(programPath("roadtune-train"))) GTEST_SKIP() << "built without the trainer";
    StudioTest::SetUp();
    network = std::make_unique<TestNetwork>(1, std::vector<Door>{{Door::Kind::LockedKey, "correct horse"}});
    qputenv("ROADTUNE_SSH_CONFIG", network->sshConfig().c_str());
    qputenv("XDG_RUNTIME_DIR", home.path().string().c_str());
  }
  void TearDown() override {
    if (!network) return;
    EXPECT_TRUE(remote::QueueWorker::rest(remote::JobQueue()).ok());
    StudioTest::TearDown();
    qunsetenv("ROADTUNE_SSH_CONFIG");
  }
  void addJob() const {
    home.write("far.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\noutput_dir: " + (home / "runs/far").string() +
                               "\nfinetuning_type: full\nnproc_per_node: 1\nmax_steps: 3\n"
                               "per_device_train_batch_size: 2\nlogging_steps: 1\n");
    const auto added =
        runProgram({"roadtune", "queue", "add", home / "far.yaml", "--hosts", "host1"}, {.timeoutSeconds = 60});
    ASSERT_EQ(added.exitCode, 0) << added.err;
  }
  static policy::JobState state() {
    const auto jobs = remote::JobQueue().jobs().valueOr({});
    return jobs.empty() ? policy::JobState::Failed : jobs[0].order.state;
  }
  QString detail() const { return list->model()->index(0, 0).data(widgets::QueueModel::DetailRole).toString(); }
  std::unique_ptr<TestNetwork> network;
  widgets::QueueList* list = nullptr;
};

TEST_F(QueueSecret, TheWindowAsksAndTheRunStarts) {
  addJob();
  studio::Options options;
  options.page = "runs";
  open(options);
  list = find<widgets::QueueList>("queueList");
  auto* panel = find<widgets::QuestionPanel>("questionPanel");
  auto* work = find<QToolButton>("queueWork");
  ASSERT_TRUE(waitFor([&] { return work->isVisible(); }));
  QTest::mouseClick(work, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return panel->isOpen(); }, 40));
  EXPECT_TRUE(find<QLabel>("questionText")->text().contains("user_key")) << "which key it is about";
  QTest::keyClick(panel, Qt::Key_Escape);
  ASSERT_TRUE(waitFor([&] { return detail() == "waits for your answer · host1"; })) << detail().toStdString();
  QTest::qWait(2500);
  EXPECT_FALSE(panel->isOpen()) << "what was put off does not come back by itself";
  EXPECT_EQ(state(), policy::JobState::Waiting) << "and the run has not failed";

  // From its row, first with a slip of the finger.
  emit list->customContextMenuRequested(list->visualRect(list->model()->index(0, 0)).center());
  auto* menu = find<QMenu>("queueMenu");
  const auto actions = menu->actions();
  const auto answer = std::find_if(actions.begin(), actions.end(), [](auto* one) { return one->text() == "Answer…"; });
  ASSERT_NE(answer, actions.end());
  QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(*answer).center());
  auto* field = find<QLineEdit>("questionField");
  for (const char* words : {"wrong horse", "correct horse"}) {
    ASSERT_TRUE(waitFor([&] { return panel->isOpen(); }, 40)) << words;
    EXPECT_EQ(find<QLabel>("questionText")->text().contains("not accepted"), words == std::string("correct horse"));
    window()->activateWindow();  // the menu was a window of its own
    ASSERT_TRUE(waitFor([&] { return field->hasFocus(); }));
    QTest::keyClicks(field, words);
    QTest::keyClick(field, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return !panel->isOpen(); }));
  }
  ASSERT_TRUE(waitFor([&] { return state() == policy::JobState::Finished; }, 120)) << detail().toStdString();
}

}  // namespace
}  // namespace roadtune::testing

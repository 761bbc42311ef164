// SPDX-License-Identifier: GPL-3.0-or-later
// A new run that begins at step 0 with the weights of a checkpoint: a trained adapter, or a whole model.
#include "app/studio/run_document.h"
#include "core/protocol/checkpoint_marker.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/theme.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/run_header.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/train/train_page.h"

#include <QAction>
#include <QFileInfo>
#include <QListView>
#include <QMenu>
#include <QToolButton>

namespace roadtune::testing {
namespace {

struct RunBranch : StudioTest {
  // Sets a run up from the weights of the only checkpoint of one with these settings.
  config::RunConfig begun(const std::string& settings) {
    drawRun({home / "runs/night", 30, 0, true, 0, 0.5});
    home.write("runs/night/run.yaml", "model_name_or_path: /m\ntrain_data: /d\nmax_steps: 400\noutput_dir: " +
                                          (home / "runs/night").string() + "\n" + settings);
    home.write("runs/night/checkpoint-30/model.safetensors", "");
    home.write("runs/night/checkpoint-30/COMPLETE", protocol::markerText({}));
    studio::Options options;
    options.run = QString::fromStdString((home / "runs/night").string());
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    open(options);
    auto* button = find<QToolButton>("branchRun");
    EXPECT_TRUE(waitFor([&] { return button->isVisible(); }));
    auto* weights = button->menu()->findChild<QMenu*>("branchWeights");
    EXPECT_TRUE(weights && weights->actions().size() == 1 && weights->actions()[0]->text() == "checkpoint-30");
    if (!weights || weights->actions().isEmpty()) return {};
    weights->actions()[0]->trigger();
    EXPECT_TRUE(waitFor([&] { return window()->page() == studio::Page::Train; }));
    EXPECT_TRUE(window()->trainPage()->notice()->text().contains("step 0 with the weights of checkpoint-30"));
    return studio->train()->document().config();
  }
  std::string checkpoint() const { return (home / "runs/night/checkpoint-30").string(); }
};

TEST_F(RunBranch, AnAdapterIsTrainedOnAndBringsItsOwnShape) {
  const auto config =
      begun("finetuning_type: lora\ntarget_modules: [q_proj]\nr: 16\nresume_from_checkpoint: /other/checkpoint-3\n");
  EXPECT_EQ(config.text("adapter_name_or_path"), checkpoint());
  EXPECT_EQ(config.text("model_name_or_path"), "/m");
  EXPECT_EQ(config.text("finetuning_type"), "lora");
  EXPECT_FALSE(config.isSet("r") || config.isSet("target_modules")) << "they would have no effect";
  EXPECT_FALSE(config.has("resume_from_checkpoint"));
  EXPECT_EQ(config.integer("max_steps"), 400) << "all else is as it was";
  EXPECT_EQ(config.text("output_dir"), (home / "runs/night-on").string());

  auto& document = studio->train()->document();
  ASSERT_TRUE(document.paint({"model.language_model"}, {.method = "qlora"}, nullptr).ok());
  EXPECT_EQ(document.config().text("finetuning_type"), "qlora");
  EXPECT_FALSE(document.config().isSet("target_modules")) << "where it is stays what it was";
}

TEST_F(RunBranch, AdaptersOnSomeModulesOfAWholeModelComeAlong) {
  const auto config =
      begun("finetuning_type: full\nmodules: {language_model.layers.0: lora}\ntarget_modules: [q_proj]\n");
  EXPECT_EQ(config.text("adapter_name_or_path"), checkpoint());
  EXPECT_EQ(config.text("finetuning_type"), "lora") << "what is trained in full is in the adapter's file";
  EXPECT_EQ(config.text("model_name_or_path"), "/m");
}

TEST_F(RunBranch, AWholeModelIsTheModelOfTheNewRun) {
  const auto config = begun("finetuning_type: full\nlearning_rate: 3e-6\n");
  EXPECT_EQ(config.text("model_name_or_path"), checkpoint());
  EXPECT_FALSE(config.has("adapter_name_or_path"));
  EXPECT_EQ(config.number("learning_rate"), 3e-6);
  studio->train()->document().history().undo();
  EXPECT_EQ(studio->train()->document().config().text("model_name_or_path"), "/m") << "one step, taken back at once";
}

// A run is on show as soon as it starts, some moments before the list has it.
TEST_F(RunBranch, KeysOnTheListActOnTheRunThatHasJustStarted) {
  const auto folder = [this](const char* name) { return QString::fromStdString((home / "runs" / name).string()); };
  drawRun({home / "runs/night", 30, 0, true, 0, 0.5});
  studio::Options options;
  options.run = folder("night");
  options.runRoots = {QString::fromStdString((home / "runs").string())};
  open(options);
  auto* list = find<QListView>("runList");
  ASSERT_TRUE(waitFor([&] { return list->model()->rowCount() == 1; }));
  window()->setPage(studio::Page::Train);
  emit studio->train()->runStarted(folder("night-branch"));
  ASSERT_TRUE(list->hasFocus());
  for (const int key : {Qt::Key_Delete, Qt::Key_P, Qt::Key_Return}) QTest::keyClick(list, static_cast<Qt::Key>(key));
  EXPECT_EQ(window()->runsPage()->selectedRun(), folder("night-branch")) << "keys go to no other run";
  EXPECT_FALSE(list->model()->index(0, 0).data(widgets::RunListModel::PinnedRole).toBool());
  drawRun({home / "runs/night-branch", 20, 0, true, 0, 0.5});
  ASSERT_TRUE(waitFor([&] { return list->model()->rowCount() == 2; }));
  EXPECT_EQ(list->currentIndex().data(widgets::RunListModel::PathRole).toString(), folder("night-branch"));
  QTest::keyClick(list, Qt::Key_Delete);
  ASSERT_TRUE(waitFor([&] { return !QFileInfo::exists(folder("night-branch")); }));
  EXPECT_TRUE(QFileInfo::exists(folder("night")));
}

// What a run looks like is read on another thread: its buttons wait until that is on show.
TEST(RunPageHeader, ActsOnNoRunThatItDoesNotShow) {
  widgets::Theme::instance().apply(widgets::ThemeChoice::Light);
  widgets::RunsPage page;
  const auto* name = page.findChild<widgets::ElidedLabel*>("runName");
  const auto* change = page.findChild<QToolButton*>("editRun");
  const auto show = [&](const char* run) {
    auto frame = std::make_shared<widgets::RunFrame>();
    frame->folder = QStringLiteral("/runs/") + QLatin1String(run);
    frame->name = QLatin1String(run);
    frame->state = runs::RunState::Running;
    page.setFrame(frame);
  };
  page.selectRun("/runs/day");
  show("day");
  EXPECT_TRUE(page.header()->stopAction()->isEnabled() && change->isEnabled());
  page.selectRun("/runs/night");
  EXPECT_EQ(name->text(), "night");
  EXPECT_FALSE(page.header()->stopAction()->isEnabled() || change->isEnabled());
  show("day");
  EXPECT_FALSE(page.header()->stopAction()->isEnabled() || change->isEnabled());
  show("night");
  EXPECT_TRUE(page.header()->stopAction()->isEnabled() && change->isEnabled());
}

}  // namespace
}  // namespace roadtune::testing

// SPDX-License-Identifier: GPL-3.0-or-later
// A new run that begins at step 0 with the weights of a checkpoint: a trained adapter, or a whole model.
#include "app/studio/run_document.h"
#include "core/protocol/checkpoint_marker.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "widgets/common/notice_bar.h"
#include "widgets/panels/train/train_page.h"

#include <QAction>
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

}  // namespace
}  // namespace roadtune::testing

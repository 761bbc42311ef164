// SPDX-License-Identifier: GPL-3.0-or-later
// The Train page in narrow windows, by keyboard, with presets and with text that cannot be read.
#include "app/studio/run_document.h"
#include "core/config/presets.h"
#include "core/config/problem.h"
#include "core/model/memory_plan.h"
#include "remote/launch/run_folder.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/forms/schema_form.h"
#include "widgets/panels/train/cost_panel.h"
#include "widgets/panels/train/dry_run_panel.h"
#include "widgets/panels/train/memory_bar.h"
#include "widgets/panels/train/train_page.h"

#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <cmath>

namespace roadtune::testing {
namespace {

double lightOf(const QColor& colour) {
  const auto linear = [](double part) {
    return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

TEST(MemoryColour, BelongsToAKindOfPartAndStandsOutInBothThemes) {
  const QStringList keys{"weights",
                         "nf4",
                         "nf4_constants",
                         "masters",
                         "adapters",
                         "gradients",
                         "optimizer",
                         "gathered_ends",
                         "gathered_blocks",
                         "gathered_exchange",
                         "compute_copies",
                         "activations_vision",
                         "activations_text",
                         "activations_ends",
                         "logits",
                         "workspace",
                         "cuda"};
  for (const widgets::Tokens* t : {&widgets::lightTokens(), &widgets::darkTokens()}) {
    for (const QString& key : keys) {
      const QColor colour = widgets::memoryColour(key.toStdString(), *t);
      const double a = lightOf(colour), b = lightOf(t->surface);
      EXPECT_GE((std::max(a, b) + 0.05) / (std::min(a, b) + 0.05), 3.0) << key.toStdString() << t->dark;
      for (const QString& other : keys) {
        const QColor beside = widgets::memoryColour(other.toStdString(), *t);
        const int apart = std::abs(colour.red() - beside.red()) + std::abs(colour.green() - beside.green()) +
                          std::abs(colour.blue() - beside.blue());
        EXPECT_TRUE(key == other || apart >= 40) << key.toStdString() << " and " << other.toStdString() << t->dark;
      }
    }
  }
}

TEST(NextFreeFolder, CountsOnAndLeavesNamesAlone) {
  const TempFolder home;
  home.write("demo/run.yaml", "");
  home.write("demo-2/run.yaml", "");
  EXPECT_EQ(remote::nextFreeFolder(home / "demo").filename(), "demo-3");
  EXPECT_EQ(remote::nextFreeFolder(home / "demo-2").filename(), "demo-3");
  EXPECT_EQ(remote::nextFreeFolder((home / "demo").string() + "/").filename(), "demo-3");
  EXPECT_EQ(remote::nextFreeFolder(home / "waymo-detect-448").filename(), "waymo-detect-448-2");
}

TEST(NarrowForm, CutsNothingOff) {
  widgets::Theme::instance().apply(widgets::ThemeChoice::Light);
  widgets::SchemaForm form;
  form.setAllShown(true);
  config::Problem problem;
  problem.key = "output_dir";
  problem.message = "cannot write in /" + std::string(200, 'x');
  form.setProblems({problem});
  form.resize(form.minimumSizeHint().width(), 600);
  form.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&form));
  EXPECT_LE(form.width(), 540);
  for (const QLineEdit* edit : form.findChildren<QLineEdit*>()) {
    if (!edit->isVisible()) continue;
    EXPECT_LE(edit->mapTo(&form, QPoint(edit->width(), 0)).x(), form.width() - 32) << edit->objectName().toStdString();
    EXPECT_GE(edit->width(), 120) << edit->objectName().toStdString();
  }
}

TEST(StartButtons, HandTheFocusOnAndTakeItBack) {
  widgets::CostPanel cost(new QWidget);
  cost.resize(320, 700);
  cost.show();
  cost.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&cost));
  cost.startButton()->setFocus();
  cost.setStarting(true);
  EXPECT_TRUE(cost.hasFocus()) << "it stays on this page";
  cost.setStarting(false);
  EXPECT_TRUE(cost.startButton()->hasFocus());

  auto* attempt = cost.findChild<QPushButton*>("dryRun");
  attempt->setFocus();
  cost.dryRun()->begin("this machine");
  cost.setProving(true);
  EXPECT_TRUE(cost.dryRun()->closeButton()->hasFocus()) << "what ends it comes next";
  cost.dryRun()->finish({});
  cost.setProving(false);
  EXPECT_TRUE(attempt->hasFocus());
  cost.dryRun()->closeButton()->setFocus();
  QTest::keyClick(cost.dryRun()->closeButton(), Qt::Key_Space);
  EXPECT_FALSE(cost.dryRun()->isVisible());
  EXPECT_TRUE(attempt->hasFocus());
}

struct TrainFormTest : StudioTest {
  void openTrain(const std::string& more = {}) {
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\noutput_dir: " + (home / "runs/one").string() + "\nfinetuning_type: full\n" + more);
    studio::Options options;
    options.config = QString::fromStdString((home / "run.yaml").string());
    options.page = "train";
    open(options);
  }
};

TEST_F(TrainFormTest, PresetsSayTheirNamesAndKeepThePlacesOfTheUser) {
  openTrain();
  auto& document = studio->train()->document();
  for (const config::Preset& preset : config::presets()) {
    const QString name = QString::fromStdString(preset.name);
    const auto* action = find<QToolButton>("presets")->menu()->findChild<QAction*>("preset_" + name);
    ASSERT_NE(action, nullptr) << preset.name;
    EXPECT_NE(action->text(), name) << "a name that people say";
    studio->train()->usePreset(name);
    EXPECT_FALSE(document.config().has("eval_data")) << preset.name;
    EXPECT_EQ(document.config().text("eval_strategy"), "no") << preset.name;
    EXPECT_EQ(document.config().text("model_name_or_path"), tinyModel().string()) << preset.name;
    EXPECT_EQ(document.config().text("output_dir"), (home / "runs/one").string()) << preset.name;
    EXPECT_FALSE(config::hasErrors(document.problems())) << preset.name << '\n' << config::toText(document.problems());
  }
}

TEST_F(TrainFormTest, WhatCannotBeReadStaysAsItWasTyped) {
  openTrain("learning_rate: fast\n");
  auto* rate = find<QLineEdit>("edit_learning_rate");
  EXPECT_EQ(rate->text(), "fast");
  EXPECT_TRUE(rate->property("invalid").toBool());
  auto& document = studio->train()->document();
  ASSERT_TRUE(document.set("per_device_train_batch_size", config::Value(std::int64_t(-1))).ok());
  EXPECT_EQ(find<QLineEdit>("edit_per_device_train_batch_size")->text(), "-1");
  ASSERT_TRUE(document.reset("learning_rate").ok());
  EXPECT_EQ(rate->text(), "5.0e-05");
}

TEST_F(TrainFormTest, APresetEvaluatesOnTheDataOfTheUser) {
  openTrain("eval_data: " + drawnIndex().string() + "\n");
  studio->train()->usePreset("lora-r8");
  const auto& config = studio->train()->document().config();
  EXPECT_EQ(config.sources("eval_data").at(0).path, drawnIndex().string());
  EXPECT_EQ(config.text("eval_strategy"), "steps");
}

TEST_F(TrainFormTest, TextThatCannotBeReadIsShownAsTextAndTheFormWaits) {
  openTrain();
  auto* form = window()->trainPage()->form();
  EXPECT_TRUE(form->isVisible() && form->isEnabled());
  home.write("broken.yaml", "seed: 1\nclasses: [a, b\n");
  studio->train()->openFile(QString::fromStdString((home / "broken.yaml").string()));
  EXPECT_FALSE(form->isEnabled());
  EXPECT_TRUE(find<QPlainTextEdit>("yamlEdit")->isVisible());
  studio->train()->document().setText("seed: 1\n");
  EXPECT_TRUE(form->isEnabled());
}

// Keys come before a field loses the cursor.
TEST_F(TrainFormTest, AStartAndASaveTakeWhatIsTypedInAFieldThatStillHasTheCursor) {
  openTrain("seed: none\n");  // keeps the start from going further
  auto& document = studio->train()->document();
  auto* rate = find<QLineEdit>("edit_learning_rate");
  const auto typeInto = [](QWidget* field, const char* words) {
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, words);
  };
  typeInto(rate, "0.001");
  EXPECT_FALSE(document.config().isSet("learning_rate"));
  QTest::keyClick(rate, Qt::Key_Return, Qt::ControlModifier);
  EXPECT_EQ(document.config().number("learning_rate"), 0.001);
  auto* processes = find<QSpinBox>("whereProcesses");
  typeInto(processes, "3");
  QTest::keyClick(processes, Qt::Key_F5);
  EXPECT_EQ(document.config().integer("nproc_per_node"), 3);
  typeInto(rate, "0.002");
  QTest::keyClick(rate, Qt::Key_S, Qt::ControlModifier);
  EXPECT_EQ(document.config().number("learning_rate"), 0.002);
  EXPECT_FALSE(document.unsaved());
  const auto saved = config::Document::load(home / "run.yaml");
  ASSERT_TRUE(saved.ok());
  EXPECT_EQ(saved.value().text(), document.document().text());
}

TEST_F(TrainFormTest, WhatIsTypedGoesWithItsConfigurationWhenAnotherOneComes) {
  openTrain();
  home.write("other.yaml", "model_name_or_path: m\nlearning_rate: 0.5\n");
  auto* rate = find<QLineEdit>("edit_learning_rate");
  rate->setFocus();
  rate->selectAll();
  QTest::keyClicks(rate, "0.001");
  studio->train()->openFile(QString::fromStdString((home / "other.yaml").string()));
  EXPECT_EQ(studio->train()->document().config().number("learning_rate"), 0.5);
  EXPECT_EQ(rate->text().toDouble(), 0.5);
  studio->train()->openFile(QString::fromStdString((home / "run.yaml").string()));
  EXPECT_EQ(studio->train()->document().config().number("learning_rate"), 0.001);
}

}  // namespace
}  // namespace roadtune::testing

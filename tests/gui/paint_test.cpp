// SPDX-License-Identifier: GPL-3.0-or-later
// Deciding what is trained: brushes, pattern, towers, what changed.
#include "app/studio/run_document.h"
#include "app/studio/train_length.h"
#include "core/config/resolve.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/module_tree_model.h"
#include "widgets/models/table_model.h"
#include "widgets/panels/train/compare_panel.h"
#include "widgets/panels/train/train_page.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>

#include <map>

namespace roadtune::testing {
namespace {

struct PaintTest : StudioTest {
  void openTrain(const std::string& more = "finetuning_type: full\n") {
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\noutput_dir: " + (home / "runs/one").string() + "\nper_device_train_batch_size: 8\n" +
                               more);
    studio::Options options;
    options.config = QString::fromStdString((home / "run.yaml").string());
    options.page = "train";
    open(options);
    tree = find<QTreeView>("moduleTree");
    ASSERT_TRUE(waitFor([&] { return tree->model()->rowCount() >= 3; }));
  }
  QString yaml() const { return QString::fromStdString(studio->train()->document().document().text()); }
  void select(const QString& label) const {
    for (int row = 0; row < tree->model()->rowCount(); ++row) {
      const QModelIndex index = tree->model()->index(row, 0);
      if (index.data().toString() == label) tree->setCurrentIndex(index);
    }
  }
  QTreeView* tree = nullptr;
};

TEST_F(PaintTest, BrushesPaintTheSelectedRowsWithTheirRank) {
  openTrain();
  select("Language model");
  find<QSpinBox>("paintRank")->setValue(4);
  QTest::mouseClick(find<QPushButton>("paint_lora"), Qt::LeftButton);
  EXPECT_TRUE(yaml().contains("language_model")) << yaml().toStdString();
  EXPECT_TRUE(yaml().contains("r: 4")) << yaml().toStdString();
  const QModelIndex state = tree->currentIndex().siblingAtColumn(widgets::ModuleTreeModel::StateColumn);
  ASSERT_TRUE(waitFor([&] { return state.data().toString().startsWith("LoRA r4"); }))
      << state.data().toString().toStdString();
  tree->setFocus();
  QTest::keyClick(tree, Qt::Key_F);
  ASSERT_TRUE(waitFor([&] { return state.data().toString() == "frozen"; }));
  QTest::keyClick(tree, Qt::Key_Delete);
  ASSERT_TRUE(waitFor([&] { return state.data().toString() == "full"; })) << "what the settings say";
  EXPECT_FALSE(yaml().contains("modules:")) << yaml().toStdString();
}

TEST_F(PaintTest, PaintTakesDropoutAndLearningRateAlong) {
  openTrain();
  select("Vision tower");
  auto* rate = find<QLineEdit>("paintRate");
  QTest::keyClicks(rate, "2e-6x");
  EXPECT_TRUE(rate->property("invalid").toBool()) << "what is no number is marked";
  QTest::keyClick(rate, Qt::Key_Backspace);
  EXPECT_FALSE(rate->property("invalid").toBool());
  QTest::mouseClick(find<QPushButton>("paint_full"), Qt::LeftButton);
  EXPECT_TRUE(yaml().contains("learning_rate: 2.0e-06")) << yaml().toStdString();
  EXPECT_FALSE(yaml().contains("lora_dropout")) << "it is of adapters alone";

  select("Language model");
  find<QDoubleSpinBox>("paintDropout")->setValue(0.1);
  rate->clear();
  QTest::mouseClick(find<QPushButton>("paint_lora"), Qt::LeftButton);
  EXPECT_TRUE(yaml().contains("lora_dropout: 0.1")) << yaml().toStdString();
  EXPECT_TRUE(studio->train()->document().valid()) << yaml().toStdString();
  const QModelIndex state = tree->currentIndex().siblingAtColumn(widgets::ModuleTreeModel::StateColumn);
  ASSERT_TRUE(waitFor([&] { return state.data(Qt::ToolTipRole).toString().contains("Dropout 0.1"); }))
      << state.data(Qt::ToolTipRole).toString().toStdString();
  const QModelIndex vision = tree->model()->index(0, widgets::ModuleTreeModel::StateColumn);
  EXPECT_EQ(vision.data().toString(), "full · 2e-06");
  EXPECT_TRUE(vision.data(Qt::ToolTipRole).toString().contains("Kept as float32"));
}

TEST_F(PaintTest, ATypeIsPaintedByItsBrush) {
  openTrain("finetuning_type: lora\ntarget_modules: [q_proj]\n");
  const QModelIndex vision = tree->model()->index(0, widgets::ModuleTreeModel::StateColumn);
  ASSERT_TRUE(waitFor([&] { return vision.data().toString() == "LoRA r8"; })) << vision.data().toString().toStdString();
  const QString memory = find<QLabel>("memoryVerdict")->text();
  select("Vision tower");
  auto* brush = find<QPushButton>("paint_type");
  for (QAction* action : brush->menu()->actions())
    if (action->text() == "bfloat16") action->trigger();
  EXPECT_TRUE(yaml().contains("dtype: bfloat16")) << yaml().toStdString();
  ASSERT_TRUE(waitFor([&] { return vision.data().toString() == QString::fromUtf8("LoRA r8 · bf16"); }))
      << vision.data().toString().toStdString();
  EXPECT_TRUE(vision.data(Qt::ToolTipRole).toString().contains("Computed in bfloat16"));
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("memoryVerdict")->text() != memory; })) << memory.toStdString();
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([&] { return vision.data().toString() == "LoRA r8"; }));
  EXPECT_FALSE(yaml().contains("dtype")) << yaml().toStdString();
}

TEST_F(PaintTest, FourBitsMakeTheRunOneOfAdapters) {
  openTrain();
  select("Language model");
  QTest::keyClick(tree, Qt::Key_Q);
  EXPECT_TRUE(yaml().contains("finetuning_type: qlora"));
  EXPECT_TRUE(studio->train()->document().valid()) << yaml().toStdString();
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(yaml().contains("finetuning_type: full") && !yaml().contains("modules"))
      << "one step back takes all of it";
}

// How each module is trained, but for those below `painted`.
std::map<std::string, std::string> methodsBut(const config::RunConfig& config, const std::string& painted) {
  const auto modelConfig = model::PaliGemmaConfig::fromFolder(tinyModel());
  const auto method = model::methodFrom(config);
  EXPECT_TRUE(modelConfig.ok() && method.ok());
  const auto tree = model::buildModuleTree(modelConfig.value(), method.value());
  EXPECT_TRUE(tree.ok()) << tree.error().text();
  std::map<std::string, std::string> methods;
  for (const model::Tensor& tensor : tree.value().tensors) {
    const model::Module& module = tree.value().moduleOf(tensor);
    if (module.path.rfind(painted, 0) == 0) continue;
    methods[tensor.name] = model::stateText(tree.value(), tensor);
  }
  return methods;
}

TEST(FourBitPaint, LeavesEveryOtherModuleAsItWas) {
  const auto modelConfig = model::PaliGemmaConfig::fromFolder(tinyModel());
  ASSERT_TRUE(modelConfig.ok());
  const std::string places = "model_name_or_path: " + tinyModel().string() + "\ntrain_data: /d\noutput_dir: /o\n";
  for (const std::string& run :
       {std::string("finetuning_type: full\n"), std::string("finetuning_type: full\nfreeze_vision_tower: true\n"),
        std::string("finetuning_type: full\nfreeze_multi_modal_projector: true\nmodules: "
                    "{language_model.layers.1: lora, vision_tower: {dtype: float32}}\n"),
        std::string("finetuning_type: lora\ntarget_modules: [q_proj, v_proj]\n"),
        std::string("finetuning_type: lora\nr: 4\ntarget_modules: [q_proj]\nmodules: {multi_modal_projector: full}\n")})
    for (const char* painted : {"model.vision_tower", "model.language_model", "model.language_model.layers.0",
                                "model.multi_modal_projector"}) {
      studio::RunDocument document;
      document.load(config::Document(places + run, "/tmp/run.yaml"), "run.yaml");
      ASSERT_TRUE(document.valid()) << config::toText(document.problems());
      const auto tree = model::buildModuleTree(modelConfig.value(), model::methodFrom(document.config()).value());
      ASSERT_TRUE(tree.ok());
      const auto before = methodsBut(document.config(), painted);
      ASSERT_TRUE(document.paint({painted}, {"qlora"}, &tree.value()).ok());
      EXPECT_TRUE(document.valid()) << document.document().text() << config::toText(document.problems());
      EXPECT_EQ(methodsBut(document.config(), painted), before) << painted << '\n' << document.document().text();
      const auto after = model::buildModuleTree(modelConfig.value(), model::methodFrom(document.config()).value());
      ASSERT_TRUE(after.ok());
      for (const model::Module& module : after.value().modules)
        if (module.lora && module.path.rfind(std::string(painted) + ".", 0) == 0)
          EXPECT_TRUE(module.nf4) << module.path;
    }
}

TEST_F(PaintTest, AClickGoesRoundAndInARunInFourBitsThroughThemToo) {
  openTrain("finetuning_type: qlora\ntarget_modules: [q_proj, v_proj]\nmodules: {vision_tower: lora}\n");
  select("Vision tower");
  const QModelIndex state = tree->currentIndex().siblingAtColumn(widgets::ModuleTreeModel::StateColumn);
  const auto click = [&] { QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(state).center()); };
  for (const char* word : {"LoRA r8", "QLoRA r8", "frozen 4-bit", "full", "LoRA r8"}) {
    ASSERT_TRUE(waitFor([&] { return state.data().toString() == QString::fromUtf8(word); }))
        << state.data().toString().toStdString() << " instead of " << word;
    EXPECT_TRUE(waitFor([&] { return tree->columnWidth(state.column()) >= tree->sizeHintForIndex(state).width(); }))
        << word << " is not cut off";
    click();
  }
}

TEST_F(PaintTest, APatternCountsWhatItFindsAndPaintsIt) {
  openTrain();
  auto* pattern = find<QLineEdit>("paintPattern");
  QTest::keyClicks(pattern, "language_model\\.layers\\.0$");
  EXPECT_TRUE(find<QLabel>("paintCount")->text().endsWith(" modules: language model"))
      << find<QLabel>("paintCount")->text().toStdString();
  QTest::mouseClick(find<QPushButton>("paint_frozen"), Qt::LeftButton);
  EXPECT_TRUE(yaml().contains("language_model.layers.0: frozen")) << yaml().toStdString();
  pattern->setText("layers\\.0$");
  const auto both = QRegularExpression("^\\d+ modules: \\d+ vision tower, \\d+ language model$");
  EXPECT_TRUE(both.match(find<QLabel>("paintCount")->text()).hasMatch())
      << find<QLabel>("paintCount")->text().toStdString();
  pattern->clear();
  EXPECT_FALSE(find<QLabel>("paintCount")->isVisible());
  QTest::keyClicks(pattern, "layers[");
  EXPECT_EQ(find<QLabel>("paintCount")->text(), "not a pattern");
}

TEST_F(PaintTest, AdaptersInBothTowersAreSaidAndTakenBackWithOneClick) {
  openTrain("finetuning_type: lora\nfreeze_vision_tower: true\ntarget_modules: [q_proj, v_proj]\n");
  auto* only = find<QPushButton>("languageOnly");
  ASSERT_TRUE(waitFor([&] { return only->isVisible(); }));
  const auto before = find<QLabel>("trainableCount")->text();
  QTest::mouseClick(only, Qt::LeftButton);
  EXPECT_TRUE(yaml().contains("exclude_modules"));
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("trainableCount")->text() != before && !only->isVisible(); }));
}

TEST_F(PaintTest, TellsStepsFromTheData) {
  openTrain("finetuning_type: full\nnum_train_epochs: 2\n");
  EXPECT_FALSE(yaml().isEmpty());
  auto* length = find<QLabel>("runLength");
  ASSERT_TRUE(waitFor([&] { return length->text().contains("samples"); })) << length->text().toStdString();
  EXPECT_TRUE(length->text().contains("on disk for each checkpoint")) << length->text().toStdString();
}

TEST_F(PaintTest, APatternOpensTheTreeUpToWhatItFinds) {
  openTrain();
  auto* view = find<QTreeView>("moduleTree");
  ASSERT_TRUE(waitFor([&] { return view->model()->rowCount() >= 3; }));
  QTest::keyClicks(find<QLineEdit>("paintPattern"), "language_model\\.layers\\.1$");
  const QModelIndexList found = view->selectionModel()->selectedRows();
  ASSERT_EQ(found.size(), 1);
  EXPECT_FALSE(view->visualRect(found[0]).isEmpty());
}

TEST_F(PaintTest, ComparesWithARun) {
  DrawnRun run{home / "data/roadtune/runs/night-walkers"};
  drawRun(run);
  openTrain();
  auto* runs = find<QComboBox>("compareRun");
  EXPECT_EQ(window()->trainPage()->compare()->findChild<QStackedWidget*>()->currentIndex(), 0) << "what to do here";
  ASSERT_TRUE(waitFor([&] { return runs->count() == 2; }));
  runs->setCurrentIndex(1);
  emit runs->activated(1);
  EXPECT_GT(window()->trainPage()->compare()->model()->rowCount(), 0)
      << find<QLabel>("compareNote")->text().toStdString();
}

TEST_F(PaintTest, AFileOfAnotherTrainerIsTakenOverAndPlacesStay) {
  openTrain();
  home.write("adapter_config.json",
             R"({"peft_type": "LORA", "r": 4, "lora_alpha": 32, "target_modules": ["q_proj", "v_proj"],
                 "base_model_name_or_path": null, "megatron_config": {"a": 1}})");
  QAction* import = nullptr;
  for (QAction* one : find<QToolButton>("presets")->menu()->actions())
    if (one->objectName() == "importConfig") import = one;
  ASSERT_NE(import, nullptr);
  import->trigger();
  auto* dialog = window()->findChild<QFileDialog*>("importConfigDialog");
  ASSERT_NE(dialog, nullptr);
  dialog->close();
  emit dialog->fileSelected(QString::fromStdString((home / "adapter_config.json").string()));
  EXPECT_TRUE(yaml().contains("r: 4") && yaml().contains("lora_alpha: 32")) << yaml().toStdString();
  EXPECT_TRUE(yaml().contains(QString::fromStdString(tinyModel().string()))) << "the model stays";
  EXPECT_TRUE(window()->trainPage()->notice()->text().contains("adapter_config.json, a file of PEFT"))
      << window()->trainPage()->notice()->text().toStdString();
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(yaml().contains("finetuning_type: full")) << "one step back takes it away again";

  home.write("swift.yaml", "train_type: lora\ndataset: walkers.jsonl#500\n");
  studio->train()->importFile(QString::fromStdString((home / "swift.yaml").string()));
  window()->trainPage()->notice()->findChild<QPushButton*>("noticeCopy")->click();
  EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(),
            "swift.yaml:2: dataset: All samples are taken, not 500. Try: max_train_samples");
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);

  home.write("notes.json", "[1, 2]");
  studio->train()->importFile(QString::fromStdString((home / "notes.json").string()));
  EXPECT_TRUE(window()->trainPage()->notice()->text().contains("notes.json"))
      << window()->trainPage()->notice()->text().toStdString();
  EXPECT_TRUE(yaml().contains("finetuning_type: full")) << "and nothing changed";
}

}  // namespace
}  // namespace roadtune::testing

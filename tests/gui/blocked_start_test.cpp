// SPDX-License-Identifier: GPL-3.0-or-later
// Beside a start that is blocked stands the mistake that blocks it, by its field's name.
#include "app/studio/run_document.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/common/elided_label.h"
#include "widgets/panels/train/cost_panel.h"
#include "widgets/panels/train/train_page.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

namespace roadtune::testing {
namespace {

struct BlockedStart : StudioTest {
  // What stands there for these settings, which come after a mere warning.
  QString why(const std::string& settings) {
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\neval_data: " + drawnIndex().string() + "\neval_strategy: \"no\"\noutput_dir: " +
                               (home / "runs/one").string() + "\n" + settings);
    studio::Options options;
    options.config = QString::fromStdString((home / "run.yaml").string());
    options.page = "train";
    open(options);
    auto* label = find<QLabel>("startBlocked");
    EXPECT_TRUE(waitFor([&] { return label->isVisible() && !label->text().isEmpty(); }));
    return label->text();
  }
};

TEST_F(BlockedStart, IsNotForAWarning) {
  const QString one = why("learning_rate: fast\n");
  EXPECT_TRUE(one.startsWith("One setting stands in the way: Learning rate: ")) << one.toStdString();
}

TEST_F(BlockedStart, NamesTheFirstOfSeveral) {
  const QString several = why("learning_rate: fast\nseed: none\n");
  EXPECT_TRUE(several.startsWith("2 settings stand in the way. The first is Learning rate: ")) << several.toStdString();
}

TEST_F(BlockedStart, AskedForAllTheSameLeadsToTheSettingAndSaysItBelow) {
  const QString one = why("learning_rate: fast\n");
  window()->setPage(studio::Page::Data);
  QTest::keyClick(window(), Qt::Key_F5);
  EXPECT_EQ(window()->page(), studio::Page::Train);
  const auto* rate = find<QLineEdit>("edit_learning_rate");
  EXPECT_TRUE(rate->hasFocus());
  EXPECT_FALSE(rate->visibleRegion().isEmpty()) << "it was scrolled to";
  EXPECT_EQ(find<widgets::ElidedLabel>("statusMessage")->text(), one);
}

TEST_F(BlockedStart, WithoutAMachineLeadsToTheChoiceAndPromisesNothing) {
  home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                             "\noutput_dir: " + (home / "runs/one").string() + "\n");
  studio::Options options;
  options.config = QString::fromStdString((home / "run.yaml").string());
  options.page = "train";
  open(options);
  auto* fitness = find<QLabel>("whereFitness");
  ASSERT_TRUE(waitFor([&] { return fitness->text().startsWith("This machine"); }, 60)) << fitness->text().toStdString();
  EXPECT_TRUE(fitness->isVisible());
  auto* where = find<QComboBox>("whereChoice");
  where->setCurrentIndex(1);
  emit where->activated(1);
  EXPECT_FALSE(fitness->isVisible()) << "no machine is chosen";
  QTest::keyClick(window(), Qt::Key_F5);
  EXPECT_TRUE(where->hasFocus());
  EXPECT_EQ(find<widgets::ElidedLabel>("statusMessage")->text(), "Choose at least one machine.");
}

TEST_F(BlockedStart, CountsNoFolderInWhosePlaceAnotherIsTaken) {
  home.write("runs/one/run.yaml", "seed: 1\n");
  why("learning_rate: fast\n");
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("problem_output_dir")->text() == "Already holds a run"; }));
  const QString one = find<QLabel>("startBlocked")->text();
  EXPECT_TRUE(one.startsWith("One setting stands in the way: Learning rate: ")) << one.toStdString();
  QTest::keyClick(window(), Qt::Key_F5);
  EXPECT_TRUE(find<QLineEdit>("edit_learning_rate")->hasFocus());
  EXPECT_EQ(studio->train()->document().config().text("output_dir"), (home / "runs/one").string());
}

TEST_F(BlockedStart, ByAFolderThatHoldsARunTakesTheNextFreeName) {
  home.write("runs/one/run.yaml", "seed: 1\n");
  home.write("runs/one-2/run.yaml", "seed: 1\n");
  const QString note = why("");
  EXPECT_EQ(note, "The folder holds a run already, so this one will start in “one-3”.");
  QTest::keyClick(window(), Qt::Key_F5);
  const auto folder = [&] { return studio->train()->document().config().text("output_dir"); };
  EXPECT_EQ(folder(), (home / "runs/one-3").string());
  EXPECT_EQ(find<widgets::ElidedLabel>("statusMessage")->text(), "“one” holds a run already, so this one is “one-3”.");
}

TEST_F(BlockedStart, ATextThatCannotBeReadComesFirst) {
  const QString unread = why("seed: [7\n");
  EXPECT_TRUE(unread.startsWith("The text cannot be read at line ")) << unread.toStdString();
}

TEST_F(BlockedStart, TheFreeNameOfOneConfigurationIsNoneOfAnother) {
  home.write("runs/one/run.yaml", "seed: 1\n");
  EXPECT_EQ(why(""), "The folder holds a run already, so this one will start in “one-2”.");
  home.write("other.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\noutput_dir: " + (home / "runs/other").string() + "\n");
  studio->train()->openFile(QString::fromStdString((home / "other.yaml").string()));
  EXPECT_FALSE(find<QLabel>("startBlocked")->text().contains("one-2"));  // before anything of it was looked at
  emit window()->trainPage()->cost()->wayOutRequested();
  EXPECT_EQ(studio->train()->document().config().text("output_dir"), (home / "runs/other").string());
}

}  // namespace
}  // namespace roadtune::testing

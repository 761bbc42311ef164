// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the whole window: `/`, `?`, `[` and `]` work from everywhere but fields that one types into.
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/common/theme.h"
#include "widgets/frame/key_sheet.h"
#include "widgets/frame/overlay.h"
#include "widgets/frame/question_panel.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/fleet/fleet_page.h"
#include "widgets/panels/fleet/machine_tile.h"
#include "widgets/panels/runs/run_detail.h"
#include "widgets/panels/runs/runs_page.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeView>

namespace roadtune::testing {
namespace {

struct PageKeys : StudioTest {
  void openRuns() {
    drawRun({home / "runs/baseline", 30, 0, true, 0, 0.5});
    studio::Options options;
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    options.run = QString::fromStdString((home / "runs/baseline").string());
    options.page = "runs";
    open(options);
    ASSERT_TRUE(waitFor([&] { return model()->rowCount() == 1; }));
  }
  widgets::RunListModel* model() const { return window()->runsPage()->model(); }
};

TEST_F(PageKeys, AListWithTheFocusLeavesThemToTheWindow) {
  openRuns();
  auto* list = find<QListView>("runList");
  auto* filter = find<QLineEdit>("runFilter");
  list->setFocus();
  QTest::keyClick(list, '/');
  ASSERT_TRUE(filter->hasFocus());
  QTest::keyClicks(QApplication::focusWidget(), "p[/?");
  EXPECT_EQ(filter->text(), "p[/?") << "a field keeps its characters";
  EXPECT_FALSE(model()->index(0).data(widgets::RunListModel::PinnedRole).toBool()) << "nothing is pinned instead";
  EXPECT_TRUE(find<QLabel>("noRunMatches")->isVisible());
  QTest::keyClick(filter, Qt::Key_Escape);
  EXPECT_EQ(filter->text(), "");
  EXPECT_TRUE(list->isVisible());
  QTest::keyClick(filter, Qt::Key_Escape);
  EXPECT_TRUE(list->hasFocus());

  const auto* detail = window()->runsPage()->detail();
  ASSERT_TRUE(detail->isVisible());
  list->setFocus();
  QTest::keyClick(list, ']');
  EXPECT_FALSE(detail->isVisible());
  QTest::keyClick(list, ']');
  EXPECT_TRUE(detail->isVisible());
  list->setFocus();
  QTest::keyClick(list, '?');
  EXPECT_TRUE(find<widgets::Overlay>("keySheet")->isVisible());
}

TEST_F(PageKeys, EscapeEmptiesTheSearchForASetting) {
  studio::Options options;
  options.page = "train";
  open(options);
  auto* search = find<QLineEdit>("settingSearch");
  search->setFocus();
  QTest::keyClicks(search, "rate");
  QTest::keyClick(search, Qt::Key_Escape);
  EXPECT_EQ(search->text(), "");
  EXPECT_TRUE(search->hasFocus());
  QTest::keyClick(search, Qt::Key_Escape);
  EXPECT_FALSE(search->hasFocus());
}

TEST_F(PageKeys, TheKeySheetNamesTheKeysOfEveryCommand) {
  open({});
  QStringList keys;
  for (const QLabel* label : find<widgets::KeySheet>("keySheet")->findChildren<QLabel*>())
    keys << label->text().split("   ");
  for (const QAction* action : window()->actions())
    for (const QKeySequence& one : action->shortcuts()) {
      const QString name = one.toString().replace("Return", "Enter").remove("Num+");
      // One line stands for the four pages, and redo has more keys than anybody needs.
      if (action->objectName() == "redoCommand" || QRegularExpression("^Ctrl\\+[1-4]$").match(name).hasMatch())
        continue;
      EXPECT_TRUE(keys.contains(name)) << action->text().toStdString() << ": " << name.toStdString();
    }
}

TEST_F(PageKeys, SoDoATreeAndAChoice) {
  home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\noutput_dir: out\n");
  studio::Options options;
  options.config = QString::fromStdString((home / "run.yaml").string());
  options.page = "train";
  open(options);
  ASSERT_TRUE(waitFor([&] { return find<QTreeView>("moduleTree")->model()->rowCount() >= 3; }));
  auto* search = find<QLineEdit>("settingSearch");
  for (QWidget* part : {static_cast<QWidget*>(find<QTreeView>("moduleTree")),
                        static_cast<QWidget*>(find<QComboBox>("edit_finetuning_type"))}) {
    part->setFocus();
    ASSERT_TRUE(part->hasFocus()) << part->objectName().toStdString();
    QTest::keyClick(part, '/');
    EXPECT_TRUE(search->hasFocus()) << part->objectName().toStdString();
  }
}

TEST_F(PageKeys, WithoutDataThereIsNoQueryToTypeInto) {
  studio::Options options;
  options.page = "data";
  open(options);
  QTest::keyClick(window(), '/');
  EXPECT_FALSE(window()->dataPage()->queryLine()->edit()->hasFocus());
  QTest::keyClicks(window(), "night");
  EXPECT_EQ(window()->dataPage()->query(), "");
}

// Right after Ctrl+1 … 4 keys go to what the page is about.
struct MainParts : PageKeys {
  void openAll(const char* page) {
    for (const char* name : {"runs/baseline", "runs/other"}) drawRun({home / name, 30, 0, true, 0, 0.5});
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\noutput_dir: out\n");
    studio::Options options;
    options.data = QString::fromStdString(drawnIndex().string());
    options.config = QString::fromStdString((home / "run.yaml").string());
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    options.run = QString::fromStdString((home / "runs/baseline").string());
    options.page = page;
    open(options);
    window()->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window()));
    ASSERT_TRUE(waitFor([&] { return grid()->images()->size() == 120 && model()->rowCount() == 2; }));
    ASSERT_TRUE(waitFor([&] { return find<QTreeView>("moduleTree")->model()->rowCount() >= 3; }));
  }
  widgets::ImageGrid* grid() const { return window()->dataPage()->grid(); }
  void go(Qt::Key key) const { QTest::keyClick(QApplication::focusWidget(), key, Qt::ControlModifier); }
  void press(Qt::Key key) const { QTest::keyClick(QApplication::focusWidget(), key); }
};

TEST_F(MainParts, EachPageHasTheKeysAsSoonAsItIsShown) {
  openAll("data");
  EXPECT_EQ(QApplication::focusWidget(), grid()) << "also when the index opens";
  go(Qt::Key_2);
  EXPECT_EQ(QApplication::focusWidget(), find<QTreeView>("moduleTree"));
  go(Qt::Key_3);
  auto* list = find<QListView>("runList");
  ASSERT_EQ(QApplication::focusWidget(), list);
  const QString shown = window()->runsPage()->selectedRun();
  press(list->currentIndex().row() == 0 ? Qt::Key_Down : Qt::Key_Up);
  EXPECT_NE(window()->runsPage()->selectedRun(), shown);
  go(Qt::Key_4);
  EXPECT_TRUE(qobject_cast<widgets::MachineTile*>(QApplication::focusWidget()));
  go(Qt::Key_1);
  ASSERT_EQ(QApplication::focusWidget(), grid());
  press(Qt::Key_Right);
  EXPECT_EQ(grid()->currentRow(), 1u);
  press(Qt::Key_Space);
  ASSERT_TRUE(window()->dataPage()->showsSample());
  go(Qt::Key_3);
  go(Qt::Key_1);
  press(Qt::Key_Space);
  EXPECT_FALSE(window()->dataPage()->showsSample()) << "the image that is open large has them";
  press(Qt::Key_Return);
  EXPECT_TRUE(window()->dataPage()->showsSample());
}

TEST_F(MainParts, WhatLoadsLaterTakesThemWhenItIsThere) {
  openAll("train");
  EXPECT_EQ(QApplication::focusWidget(), find<QTreeView>("moduleTree"));
  go(Qt::Key_1);
  EXPECT_EQ(QApplication::focusWidget(), grid());
}

TEST_F(MainParts, FromAnywhereOnThePageButAFieldThatIsTypedInto) {
  openAll("data");
  find<QToolButton>("importData")->setFocus();
  go(Qt::Key_1);
  EXPECT_EQ(QApplication::focusWidget(), grid());
  auto* edit = find<QLineEdit>("queryEdit");
  QTest::keyClick(grid(), '/');
  go(Qt::Key_1);
  EXPECT_EQ(QApplication::focusWidget(), edit);
  go(Qt::Key_4);
  go(Qt::Key_1);
  EXPECT_EQ(QApplication::focusWidget(), edit) << "one goes on typing";
  press(Qt::Key_Escape);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_K, Qt::ControlModifier);
  QTest::keyClicks(QApplication::focusWidget(), "go to runs");
  press(Qt::Key_Return);
  EXPECT_EQ(QApplication::focusWidget(), find<QListView>("runList")) << "by the palette too";
}

TEST_F(MainParts, TheImagesOfAStepHaveThemOnTheDataPage) {
  openAll("runs");
  const data::Index& index = *window()->dataPage()->index();
  const auto label = [&](data::ImageId image) { return QString::fromStdString(index.imageLabel(image)); };
  emit window()->runsPage()->imagesRequested({label(3), label(40)});
  ASSERT_EQ(window()->page(), studio::Page::Data);
  ASSERT_TRUE(waitFor([&] { return grid()->images()->size() == 2; }));
  EXPECT_EQ(QApplication::focusWidget(), grid());
}

TEST(FleetPage, ArrowsGoFromMachineToMachine) {
  widgets::FleetPage page;
  page.resize(1000, 900);
  page.setMachines({{"gpu1", {}, widgets::MachineState::Unknown, {}, nullptr},
                    {"gpu2", {}, widgets::MachineState::Unknown, {}, nullptr}});
  page.show();
  page.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&page));
  QStringList asked;
  QObject::connect(&page, &widgets::FleetPage::connectRequested, [&](const QString& name) { asked << name; });
  page.focusMain();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
  EXPECT_EQ(QApplication::focusWidget(), page.tile("gpu1"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  EXPECT_EQ(asked, QStringList("gpu1"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_End);
  EXPECT_EQ(QApplication::focusWidget(), page.tile("gpu2"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
  EXPECT_EQ(QApplication::focusWidget()->accessibleName(), "This machine") << "two beside each other";
}

TEST(Questions, TakeNoEnterThatWasMeantForAnotherFieldAndStayBelowOtherPanels) {
  widgets::Theme::instance().apply(widgets::ThemeChoice::Light);
  QWidget outer;
  outer.resize(800, 600);
  auto* field = new QLineEdit(&outer);
  auto* panel = new widgets::QuestionPanel(&outer);
  auto* sheet = new widgets::KeySheet({}, &outer);
  outer.show();
  outer.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&outer));
  QSignalSpy answered(panel, &widgets::QuestionPanel::answered);
  field->setFocus();
  panel->ask({.title = "Password", .text = "host", .field = "Password", .yes = "Log in"});
  auto* secret = panel->findChild<QLineEdit*>("questionField");
  ASSERT_TRUE(secret->hasFocus());
  QTest::keyClick(secret, Qt::Key_Return);
  EXPECT_EQ(answered.count(), 0);
  sheet->open();
  EXPECT_TRUE(sheet->isOpen() && panel->isOpen());
  EXPECT_EQ(answered.count(), 0) << "it was not put off";
  sheet->close();
  ASSERT_TRUE(secret->hasFocus());
  QTest::qWait(800);
  QTest::keyClicks(secret, "abc");
  QTest::keyClick(secret, Qt::Key_Return);
  ASSERT_EQ(answered.count(), 1);
  EXPECT_EQ(answered[0][1].toString(), "abc");
  EXPECT_TRUE(field->hasFocus());
  sheet->open();
  panel->ask({.title = "Password", .text = "host", .field = "Password", .yes = "Log in"});
  EXPECT_FALSE(sheet->isOpen());
}

}  // namespace
}  // namespace roadtune::testing

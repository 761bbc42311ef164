// SPDX-License-Identifier: GPL-3.0-or-later
// While one looks through images: how many are chosen, what is still being typed, and what is dropped on the window.
#include "app/studio/query_worker.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/side_drawer.h"
#include "widgets/panels/runs/runs_page.h"

#include <QContextMenuEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QToolButton>

namespace roadtune::testing {
namespace {

struct LookingTest : StudioTest {
  void openData(const char* page = "data") {
    std::filesystem::copy(drawnIndex(), home / "idx", std::filesystem::copy_options::recursive);
    studio::Options options;
    options.data = text(home / "idx");
    options.page = page;
    options.size = QSize(1280, 720);
    open(options);
    ASSERT_TRUE(waitFor([&] { return data()->grid()->images()->size() == 120; }));
  }
  QString count() const { return find<QLabel>("queryCount")->text(); }
  static QString text(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }
  widgets::DataPage* data() const { return window()->dataPage(); }
};

TEST_F(LookingTest, HowManyAreSelectedStandsBesideTheCount) {
  openData();
  EXPECT_EQ(count(), "120 images");
  data()->grid()->setFocus();
  QTest::keyClick(data()->grid(), Qt::Key_A, Qt::ControlModifier);
  EXPECT_EQ(count(), "120 images  ·  120 selected");
  QTest::keyClick(data()->grid(), Qt::Key_Home);
  EXPECT_EQ(count(), "120 images");
}

TEST_F(LookingTest, WhatWasLeftOutIsNotSaidAnyMoreOnceItIsTakenBack) {
  openData();
  data()->grid()->setFocus();
  QTest::keyClick(data()->grid(), Qt::Key_A, Qt::ControlModifier);
  chooseInMenu([&] { openMenuByKey(data()->grid()); }, "Leave out of training");
  ASSERT_TRUE(waitFor([&] { return window()->findChild<QAbstractButton*>("facet_tag_excluded") != nullptr; }));
  EXPECT_TRUE(data()->notice()->text().contains("learn without them")) << data()->notice()->text().toStdString();
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(waitFor([&] { return !data()->notice()->isVisible(); })) << data()->notice()->text().toStdString();
}

TEST_F(LookingTest, AWordThatIsStillGrowingKeepsTheImages) {
  openData();
  auto* edit = data()->queryLine()->edit();
  edit->setFocus();
  QTest::keyClicks(edit, "time=da");
  ASSERT_TRUE(waitFor([&] { return count().startsWith("0 of"); })) << count().toStdString();
  EXPECT_EQ(data()->grid()->images()->size(), 120u);
  EXPECT_TRUE(data()->grid()->isVisible());
  QTest::keyClicks(edit, "y");
  ASSERT_TRUE(waitFor([&] { return !count().startsWith("0 of"); })) << count().toStdString();
  edit->selectAll();
  QTest::keyClicks(edit, "time=da");
  QTest::keyClick(edit, Qt::Key_Escape);  // the completions
  QTest::keyClick(edit, Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return !data()->grid()->isVisible(); })) << "who confirms it gets what it finds: nothing";
}

TEST_F(LookingTest, AQueryThatIsStillBeingWrittenIsNoMistakeUntilItIsConfirmed) {
  openData();
  auto* edit = data()->queryLine()->edit();
  auto* error = find<QLabel>("queryError");
  edit->setFocus();
  QTest::keyClicks(edit, "camera=front and ");
  QTest::qWait(600);  // longer than the query waits for more
  EXPECT_FALSE(error->isVisible()) << error->text().toStdString();
  EXPECT_EQ(data()->grid()->images()->size(), 120u);
  QTest::keyClick(edit, Qt::Key_Return);
  EXPECT_TRUE(waitFor([&] { return error->isVisible(); })) << "who confirms it is told";
}

TEST_F(LookingTest, AnExampleIsOneThatTheIndexKnows) {
  std::filesystem::create_directories(home / "drives");
  for (const auto& file : std::filesystem::recursive_directory_iterator(drawnRecordings()))
    if (file.path().extension() == ".tfrecord")
      std::filesystem::copy_file(file, home / "drives/drive.tfrecord",
                                 std::filesystem::copy_options::overwrite_existing);
  const auto made =
      runProgram({"roadtune", "data", "index", (home / "drives").string(), "--out", (home / "plain").string()});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  studio::QueryWorker worker;
  std::optional<data::QueryError> told;
  QObject::connect(&worker, &studio::QueryWorker::answered,
                   [&](const studio::QueryAnswerPtr& answer) { told = answer->error; });
  worker.setIndex(data::Index::open(home / "plain").value(), 1);
  worker.run(1, "camera=front and ", {});
  ASSERT_TRUE(told);
  EXPECT_EQ(told->suggestion, "") << "nothing of it is of that split";
  worker.run(2, "heigth>4", {});
  ASSERT_TRUE(told);
  EXPECT_EQ(told->suggestion, "height") << "a word is no example";
}

TEST_F(LookingTest, TheMenuTellsTheKeysOfWhatItOffers) {
  openData();
  openMenuByKey(data()->grid());
  auto* menu = data()->findChild<QMenu*>("imageMenu");
  ASSERT_NE(menu, nullptr);
  QMap<QString, QKeySequence> keys;
  for (const QAction* one : menu->actions())
    if (one->isShortcutVisibleInContextMenu()) keys[one->text()] = one->shortcut();
  EXPECT_EQ(keys["Open"], QKeySequence(Qt::Key_Enter));
  EXPECT_EQ(keys["Tag…"], QKeySequence(Qt::Key_T));
  EXPECT_EQ(keys["Note…"], QKeySequence(Qt::Key_N));
  menu->close();
}

TEST_F(LookingTest, WhatIsDroppedOnAnyPageOpensWhereItBelongs) {
  openData("fleet");
  home.write("my.yaml", "model_name_or_path: m\n");
  dropOn(window(), home / "my.yaml");
  EXPECT_EQ(window()->page(), studio::Page::Train);
  EXPECT_EQ(studio->train()->document().name(), "my.yaml");
  drawRun({home / "runs/night", 30, 0, true, 0, 0.5});
  dropOn(window(), home / "runs/night");
  EXPECT_EQ(window()->page(), studio::Page::Runs);
  ASSERT_TRUE(waitFor([&] { return window()->runsPage()->model()->rowOf(text(home / "runs/night")) >= 0; }));
  drawRun({home / "others/day", 30, 0, true, 0, 0.5});
  window()->setPage(studio::Page::Fleet);
  dropOn(window(), home / "others");
  EXPECT_EQ(window()->page(), studio::Page::Runs) << "a folder of runs";
  ASSERT_TRUE(waitFor([&] { return window()->runsPage()->model()->rowOf(text(home / "others/day")) >= 0; }));
  window()->setPage(studio::Page::Fleet);
  dropOn(window(), drawnRecordings());
  EXPECT_EQ(window()->page(), studio::Page::Data);
  auto* start = find<QPushButton>("importStart");
  ASSERT_TRUE(waitFor([&] { return start->isEnabled() && start->hasFocus(); }));
}

TEST_F(LookingTest, PathsOfTheCommandLineOpenAsIfTheyWereDropped) {
  home.write("my.yaml", "model_name_or_path: m\n");
  open(studio::parseOptions({"roadtune-studio", text(home / "my.yaml")}).value());
  EXPECT_EQ(window()->page(), studio::Page::Train);
  EXPECT_EQ(studio->train()->document().name(), "my.yaml");
  const auto wrong = studio::parseOptions({"roadtune-studio", text(home / "absent")});
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().text().find("there is no such file or folder"), std::string::npos);
}

TEST_F(LookingTest, EnterPressesTheButtonThatHasTheFocus) {
  openData();
  auto* quality = find<QToolButton>("dataQuality");
  quality->setFocus();
  QTest::keyClick(quality, Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return data()->drawer()->isVisible(); }));
  EXPECT_TRUE(quality->isChecked());
  QTest::keyClick(quality, Qt::Key_Enter, Qt::KeypadModifier);
  EXPECT_FALSE(data()->drawer()->isVisible()) << "the button that opened it closes it";
  EXPECT_FALSE(quality->isChecked());
}

}  // namespace
}  // namespace roadtune::testing

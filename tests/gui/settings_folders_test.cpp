// SPDX-License-Identifier: GPL-3.0-or-later
// Every folder with runs is on the list of the settings, and can be taken off it.
#include "app/studio/run_document.h"
#include "app/studio/settings.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/runs_page.h"

#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

namespace roadtune::testing {
namespace {

TEST_F(StudioTest, FoldersWithRunsAreAllListedAndCanBeTakenOff) {
  drawRun({home / "f3/one", 30, 0, true, 0, 0.5});
  const auto folder = [this](int i) { return QString::fromStdString((home / ("f" + std::to_string(i))).string()); };
  {
    studio::Settings before;
    for (int i = 0; i < 9; ++i) before.addRunRoot(folder(i));
  }
  studio::Options options;
  options.page = "runs";
  open(options);
  const auto* runs = window()->runsPage()->model();
  ASSERT_TRUE(waitFor([&] { return runs->rowCount() == 1; }));
  QTest::keyClick(window(), Qt::Key_Comma, Qt::ControlModifier);
  auto* area = find<QScrollArea>("runFolders");
  ASSERT_TRUE(area->isVisible());
  EXPECT_TRUE(waitFor([&] { return area->verticalScrollBar()->maximum() > 0; }))
      << "more than fit, and one can get there";
  auto* last = area->findChild<QPushButton*>(QStringLiteral("removeFolder_") + folder(8));
  ASSERT_NE(last, nullptr);
  auto* third = area->findChild<QPushButton*>(QStringLiteral("removeFolder_") + folder(3));
  ASSERT_NE(third, nullptr);
  area->ensureWidgetVisible(third);
  QTest::mouseClick(third, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return runs->rowCount() == 0; })) << "nobody looks there any more";
  EXPECT_EQ(area->findChild<QPushButton*>(QStringLiteral("removeFolder_") + studio::Settings::defaultFolder()), nullptr)
      << "new runs go there";
  EXPECT_TRUE(std::filesystem::exists(home / "f3/one")) << "the runs are left alone";
  studio.reset();
  const QStringList kept = studio::Settings().runRoots();
  EXPECT_FALSE(kept.contains(folder(3)));
  EXPECT_TRUE(kept.contains(folder(8)));
}

TEST_F(StudioTest, TheSettingsAreNoHigherThanWhatIsInThem) {
  open({});
  QTest::keyClick(window(), Qt::Key_Comma, Qt::ControlModifier);
  const auto* area = find<QScrollArea>("runFolders");
  const auto* done = find<QPushButton>("settingsDone");
  const auto topOf = [](const QWidget* one) { return one->mapTo(one->window(), QPoint()).y(); };
  EXPECT_LE(topOf(done) - topOf(area->widget()) - area->widget()->layout()->sizeHint().height(), 48);
}

TEST_F(StudioTest, NewRunsGoWhereTheSettingsSay) {
  const auto path = [this](const char* name) { return QString::fromStdString((home / name).string()); };
  home.write("a-file", "");
  std::filesystem::create_directories(home / "disk");
  studio::Options options;
  options.page = "train";
  open(options);
  const auto written = [this] {
    return QString::fromStdString(studio->train()->document().config().text("output_dir"));
  };
  ASSERT_TRUE(waitFor([&] { return written().endsWith("/roadtune/runs/first"); })) << written().toStdString();
  QTest::keyClick(window(), Qt::Key_Comma, Qt::ControlModifier);
  auto* folder = find<QLineEdit>("newRunsFolder");
  auto* refused = find<QLabel>("newRunsRefused");
  const auto type = [&](const QString& text) {
    folder->setFocus();
    folder->selectAll();
    QTest::keyClick(folder, Qt::Key_Delete);
    QTest::keyClicks(folder, text);
    QTest::keyClick(folder, Qt::Key_Return);
  };
  for (const QString& wrong : {QStringLiteral("runs"), path("a-file/runs")}) {
    type(wrong);
    EXPECT_TRUE(refused->isVisible()) << wrong.toStdString();
    EXPECT_FALSE(refused->text().isEmpty());
  }
  EXPECT_TRUE(written().endsWith("/roadtune/runs/first")) << written().toStdString();
  EXPECT_TRUE(folder->isVisible()) << "Enter in the field closes nothing";
  type(path("disk/runs"));
  EXPECT_FALSE(refused->isVisible());
  EXPECT_EQ(written(), path("disk/runs/first"));
  EXPECT_FALSE(studio->train()->document().unsaved());
  drawRun({home / "disk/runs/one", 30, 0, true, 0, 0.5});
  ASSERT_TRUE(waitFor([&] { return window()->runsPage()->model()->rowCount() == 1; })) << "runs there are seen";
  EXPECT_EQ(window()->findChild<QPushButton*>(QStringLiteral("removeFolder_") + path("disk/runs")), nullptr);
  studio.reset();
  EXPECT_EQ(studio::Settings().newRunsFolder(), path("disk/runs"));
  open(options);
  ASSERT_TRUE(waitFor([&] { return written() == path("disk/runs/first"); })) << written().toStdString();
  QTest::keyClick(window(), Qt::Key_Comma, Qt::ControlModifier);
  folder = find<QLineEdit>("newRunsFolder");
  type({});
  EXPECT_TRUE(folder->text().endsWith("/roadtune/runs")) << "empty is the default again";
  EXPECT_TRUE(written().endsWith("/roadtune/runs/first")) << written().toStdString();
}

}  // namespace
}  // namespace roadtune::testing

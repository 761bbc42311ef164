// SPDX-License-Identifier: GPL-3.0-or-later
// Every folder with runs is on the list of the settings, and can be taken off it.
#include "app/studio/settings.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/runs_page.h"

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

}  // namespace
}  // namespace roadtune::testing

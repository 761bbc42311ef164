// SPDX-License-Identifier: GPL-3.0-or-later
// What is said where the desktop has no program for a folder.
#include "tests/gui/two_runs.h"
#include "widgets/common/notice_bar.h"
#include "widgets/panels/runs/runs_page.h"

#include <QApplication>
#include <QClipboard>
#include <QPushButton>

namespace roadtune::testing {
namespace {

struct WithoutFileManager : TwoRuns {};

// Offscreen there is none.
TEST_F(WithoutFileManager, AFolderThatNothingOpensIsToldAndCanBeCopied) {
  openTwo();
  emit page->openFolderRequested(folder("night-walkers"));
  EXPECT_TRUE(page->notice()->text().contains(folder("night-walkers"))) << page->notice()->text().toStdString();
  auto* copy = page->notice()->findChild<QPushButton*>("noticeAction");
  ASSERT_TRUE(copy->isVisible());
  EXPECT_EQ(copy->text(), "Copy path");
  QTest::mouseClick(copy, Qt::LeftButton);
  EXPECT_EQ(QApplication::clipboard()->text(), folder("night-walkers"));
}

}  // namespace
}  // namespace roadtune::testing

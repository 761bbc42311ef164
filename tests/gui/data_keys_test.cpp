// SPDX-License-Identifier: GPL-3.0-or-later
// The Data page by keyboard: between the query, its images, one of them large, and the drawer.
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/sample_view.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace roadtune::testing {
namespace {

struct DataKeysTest : StudioTest {
  void openData() {
    studio::Options options;
    options.data = QString::fromStdString(drawnIndex().string());
    open(options);
    ASSERT_TRUE(waitFor([&] { return window()->dataPage()->grid()->images()->size() == 120; }));
  }
};

TEST_F(DataKeysTest, TheKeyboardGoesFromTheQueryToItsImages) {
  openData();
  auto* grid = window()->dataPage()->grid();
  auto* edit = find<QLineEdit>("queryEdit");
  const auto type = [&](const char* query) {
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, query);
    // Without a window manager a popup takes the window's focus along, when the news of its being shown is read.
    ASSERT_TRUE(waitFor([&] {
      QCoreApplication::processEvents();
      edit->findChild<QCompleter*>()->popup()->hide();
      window()->activateWindow();
      edit->setFocus();
      return window()->isActiveWindow() && QApplication::focusWidget() == edit;
    }));
  };
  type("camera=front");
  QTest::keyClick(edit, Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return QApplication::focusWidget() == grid; })) << "Enter goes to what was found";
  EXPECT_EQ(grid->images()->size(), 24u);
  edit->setFocus();
  QTest::keyClick(edit, Qt::Key_Down);
  EXPECT_EQ(QApplication::focusWidget(), grid);
  edit->setFocus();
  QTest::keyClick(edit, Qt::Key_Escape);
  EXPECT_EQ(edit->text(), "");
  EXPECT_EQ(QApplication::focusWidget(), edit) << "the first Esc clears";
  QTest::keyClick(edit, Qt::Key_Escape);
  EXPECT_EQ(QApplication::focusWidget(), grid) << "the second leaves";
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() == 120; }));
  type("n>=");
  QTest::keyClick(edit, Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("queryError")->isVisible(); }));
  EXPECT_EQ(QApplication::focusWidget(), edit) << "a query that is wrong is mended first";
}

TEST_F(DataKeysTest, EscClearsAQueryThatMatchesNothing) {
  openData();
  auto* page = window()->dataPage();
  page->queryLine()->setText("n>=100000");
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->empty(); }));
  QTest::keyClick(page, Qt::Key_Escape);
  EXPECT_EQ(page->query(), "");
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 120; }));
}

TEST_F(DataKeysTest, TheGridStaysWhereItIsWhileAQueryIsWrong) {
  openData();
  auto* grid = window()->dataPage()->grid();
  const QPoint before = grid->mapTo(window(), QPoint());
  window()->dataPage()->queryLine()->setText("n>=");
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("queryError")->isVisible(); }));
  EXPECT_EQ(grid->mapTo(window(), QPoint()), before);
}

TEST_F(DataKeysTest, EscClosesADrawerThatAButtonOpened) {
  openData();
  auto* button = find<QToolButton>("dataExport");
  button->setFocus();
  QTest::mouseClick(button, Qt::LeftButton);
  auto* drawer = find<QWidget>("dataDrawer");
  ASSERT_TRUE(drawer->isVisible());
  QTest::keyClick(button, Qt::Key_Escape);
  EXPECT_FALSE(drawer->isVisible());
}

TEST_F(DataKeysTest, ADrawerGivesTheFocusBackAndNoTileKeepsItsRing) {
  openData();
  auto* grid = window()->dataPage()->grid();
  grid->setFocus();
  QTest::qWait(50);
  const QRect tile = grid->tileRect(0);
  const QImage ringed = grid->viewport()->grab(tile).toImage();
  emit window()->dataPage()->exportRequested();
  auto* drawer = find<QWidget>("dataDrawer");
  ASSERT_TRUE(waitFor([&] { return drawer->isVisible(); }));
  auto* close = find<QToolButton>("drawerClose");
  close->setFocus();
  EXPECT_TRUE(waitFor([&] { return grid->viewport()->grab(tile).toImage() != ringed; }));
  QTest::keyClick(close, Qt::Key_Escape);
  EXPECT_FALSE(drawer->isVisible());
  EXPECT_TRUE(grid->hasFocus());
}

TEST_F(DataKeysTest, SpaceClosesWhatItOpenedAndTheEndsOfTheResultAreNear) {
  openData();
  auto* page = window()->dataPage();
  page->grid()->setFocus();
  QTest::keyClick(page->grid(), Qt::Key_Space);
  ASSERT_TRUE(page->showsSample());
  QTest::keyClick(page->sample(), Qt::Key_End);
  EXPECT_EQ(page->sample()->image(), page->grid()->images()->back());
  QTest::keyClick(page->sample(), Qt::Key_Home);
  EXPECT_EQ(page->sample()->image(), page->grid()->images()->front());
  QTest::keyClick(page->sample(), Qt::Key_Space);
  EXPECT_FALSE(page->showsSample());
}

}  // namespace
}  // namespace roadtune::testing

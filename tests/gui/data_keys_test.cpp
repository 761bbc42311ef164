// SPDX-License-Identifier: GPL-3.0-or-later
// The Data page by keyboard: between the query, its images, one of them large, and the drawer.
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/query_sheet.h"
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

TEST_F(DataKeysTest, AQuestionMarkShowsWhatAQueryCanSay) {
  openData();
  auto* edit = find<QLineEdit>("queryEdit");
  edit->setFocus();
  QTest::keyClicks(edit, "?");
  auto* sheet = find<widgets::QuerySheet>("querySheet");
  ASSERT_TRUE(sheet->isVisible());
  EXPECT_EQ(edit->text(), "");
  QStringList words;
  for (const QLabel* label : sheet->findChildren<QLabel*>()) words << label->text();
  for (const QString& example : widgets::queryExamples()) {
    EXPECT_TRUE(data::Query::parse(example.toStdString()).ok()) << example.toStdString();
    EXPECT_TRUE(words.contains(example)) << example.toStdString();
  }
  QTest::keyClick(sheet, Qt::Key_Escape);
  EXPECT_FALSE(sheet->isVisible());
  EXPECT_EQ(QApplication::focusWidget(), edit);
  QTest::keyClicks(edit, "tag:\"why?\"");
  EXPECT_EQ(edit->text(), "tag:\"why?\"") << "between quotes it is a sign as any other";
  EXPECT_FALSE(sheet->isVisible());
  edit->clear();
  QTest::keyClicks(edit, "?");
  EXPECT_TRUE(sheet->isVisible());
}

TEST_F(DataKeysTest, WhatIsTypedIsCompletedFromTheWholeLanguage) {
  openData();
  const auto* model = find<QLineEdit>("queryEdit")->findChild<QCompleter*>()->model();
  QStringList words;
  for (int row = 0; row < model->rowCount(); ++row) words << model->index(row, 0).data().toString();
  for (const char* word : {"tag", "note", "n", "x", "w", "min", "avg", "sum", "desc", "testing", "Dusk", "location_sf",
                           "sunny", "side_left", "pedestrian", "loss", "in"})
    EXPECT_TRUE(words.contains(word)) << word;
  EXPECT_EQ(words.removeDuplicates(), 0);
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

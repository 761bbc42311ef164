// SPDX-License-Identifier: GPL-3.0-or-later
// What each sample cost a run: the images in that order, and the list of the worst in the Runs page.
#include "app/studio/data_controller.h"
#include "core/protocol/manifest.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/canvas/tile_text.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/run_list_model.h"
#include "widgets/models/table_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/loss_menu.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/runs/run_detail.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/runs/worst_panel.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>

namespace roadtune::testing {
namespace {

// The loss of an image grows with its number; every fifth is seen, image 100 twice.
double lossOf(data::ImageId image) { return 1 + image / 100.0; }

struct WorstTest : StudioTest {
  void SetUp() override {
    StudioTest::SetUp();
    index = data::Index::open(drawnIndex()).value();
    drawRun({home / "runs/night-walkers", 60, 0, true, 0, 0.5});
    drawRun({home / "runs/keeps-nothing", 60, 0, true, 0, 0.5});
    std::string ledger = line(7, index->imageLabel(100), 9.5);
    for (data::ImageId image = 0; image < index->imageCount(); image += 5)
      ledger += line(20, index->imageLabel(image), lossOf(image));
    home.write("runs/night-walkers/ledger/rank-000.jsonl", ledger + line(21, "another-recording/1/FRONT", 1.5));
  }
  static std::string line(int step, const std::string& sample, double loss) {
    return "{\"step\":" + std::to_string(step) + ",\"epoch\":0.5,\"sample\":\"" + sample +
           "\",\"loss\":" + std::to_string(loss) + ",\"tokens\":4}\n";
  }
  QString run(const char* name) const { return QString::fromStdString((home / "runs" / name).string()); }

  void openData(const char* at) {
    studio::Options options;
    options.data = QString::fromStdString(drawnIndex().string());
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    if (at) options.run = run(at);
    options.page = at ? "runs" : "data";
    open(options);
    page = window()->dataPage();
    ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 120; }));
    ASSERT_TRUE(waitFor([&] { return window()->runsPage()->model()->rowCount() == 2; }));
  }
  QStringList order() const {
    QStringList names;
    for (QAction* action : page->lossMenu()->actions()) names << action->text();
    return names;
  }
  void chooseLosses() {
    ASSERT_TRUE(waitFor([&] { return order() == QStringList("night-walkers"); })) << order().join('|').toStdString();
    page->lossMenu()->actions().front()->trigger();
    ASSERT_TRUE(waitFor([&] { return page->grid()->images()->front() == 115; }));
  }

  // A tab of the run by its words.
  void showTab(const QString& words) {
    auto* tabs = find<QTabBar>("runTabs");
    for (int i = 0; i < tabs->count(); ++i)
      if (tabs->tabText(i) == words) QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(i).center());
  }

  std::shared_ptr<const data::Index> index;
  widgets::DataPage* page = nullptr;
};

TEST_F(WorstTest, ImagesComeInTheOrderOfWhatTheyCostARunAndUndoTakesItBack) {
  openData(nullptr);
  chooseLosses();
  EXPECT_EQ((*page->grid()->images())[1], 110u);
  EXPECT_EQ(page->grid()->images()->size(), 120u) << "those the run never saw are there, too";
  EXPECT_EQ((*page->grid()->images())[24], 1u) << "behind those it saw";
  EXPECT_EQ(find<QToolButton>("sortMenu")->text(), "By the loss in night-walkers");
  auto* inspector = page->findChild<QWidget*>("inspector");
  const auto* loss = inspector->findChild<QLabel*>("imageLoss");
  EXPECT_EQ(page->grid()->currentImage(), 115u) << "another order is read from its beginning";
  EXPECT_EQ(loss->text(), "2.150 at step 20");
  page->grid()->setFocus();
  for (int i = 0; i < 3; ++i) QTest::keyClick(page->grid(), Qt::Key_Right);
  EXPECT_EQ(page->grid()->currentImage(), 100u);
  EXPECT_EQ(loss->text(), "2.000 at step 20\nseen 2 times, worst 9.500 at step 7");
  QTest::keyClick(page->grid(), Qt::Key_End);
  EXPECT_EQ(loss->text(), "The run has not seen this image.");
  QTest::keyClick(page->grid(), Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->front() == 0; }));
  EXPECT_EQ(page->query(), "");
  EXPECT_FALSE(loss->isVisible());
  QTest::keyClick(page->grid(), Qt::Key_Y, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->front() == 115; }));
}

TEST_F(WorstTest, AClickOnAFacetIsTakenBackToo) {
  openData(nullptr);
  page->queryLine()->setText("n >= 1");
  page->queryLine()->setText("n >= 1 and camera=front");
  page->grid()->setFocus();
  QTest::keyClick(page->grid(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(page->query(), "n >= 1");
  QTest::keyClick(page->grid(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(page->query(), "");
  QTest::keyClick(page->grid(), Qt::Key_Y, Qt::ControlModifier);
  EXPECT_EQ(page->query(), "n >= 1");
}

TEST_F(WorstTest, AViewRemembersTheOrder) {
  openData(nullptr);
  chooseLosses();
  chooseFrom(find<QToolButton>("savedViews"), "Save this view");
  answerPrompt(window(), "viewNamePrompt", "hardest");
  page->queryLine()->setText("");
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->front() == 0; }));
  chooseFrom(find<QToolButton>("savedViews"), "hardest");
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->front() == 115; }));
}

TEST_F(WorstTest, ARunIsFoundByItsNameAndAMistypedOneSaysSo) {
  openData(nullptr);
  page->queryLine()->setText("loss(night-walkers) > 2 sort by loss(night-walkers)");
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 3; }));
  EXPECT_EQ(page->grid()->images()->front(), 105u);
  auto* error = find<QLabel>("queryError");
  page->queryLine()->setText("sort by loss(night-walker) desc");
  ASSERT_TRUE(waitFor([&] { return error->isVisible(); }));
  EXPECT_TRUE(error->text().contains("night-walkers")) << error->text().toStdString();
  page->queryLine()->setText("sort by loss(keeps-nothing) desc");
  ASSERT_TRUE(waitFor([&] { return error->text().contains("record_sample_losses"); })) << error->text().toStdString();
}

TEST_F(WorstTest, WhatIsFoundByTheNameOfARunIsExported) {
  openData(nullptr);
  page->queryLine()->setText("loss(night-walkers) > 2 sort by loss('night-walkers')");
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 3; }));
  QTest::mouseClick(find<QToolButton>("dataExport"), Qt::LeftButton);
  find<QLineEdit>("exportTo")->setText(QString::fromStdString((home / "worst.jsonl").string()));
  QTest::mouseClick(find<QPushButton>("exportStart"), Qt::LeftButton);
  auto* outcome = find<QLabel>("exportOutcome");
  ASSERT_TRUE(waitFor([&] { return outcome->isVisible(); }, 60));
  EXPECT_TRUE(outcome->text().startsWith("3 images")) << outcome->text().toStdString();
}

TEST_F(WorstTest, ARunThatLearntFromOtherImagesSaysSo) {
  home.write("runs/keeps-nothing/ledger/rank-000.jsonl", line(3, "another-recording/1/FRONT", 1.5));
  openData(nullptr);
  page->queryLine()->setText("sort by loss(keeps-nothing) desc");
  ASSERT_TRUE(waitFor([&] { return page->notice()->text().contains("has not seen any image"); }));
  page->queryLine()->setText("");
  ASSERT_TRUE(waitFor([&] { return !page->notice()->isVisible(); }));
}

TEST_F(WorstTest, TheRunsPageListsTheWorstAndOpensThem) {
  openData("night-walkers");
  showTab("Worst samples");
  auto* table = find<QTreeView>("worstSamples");
  ASSERT_TRUE(waitFor([&] { return table->isVisible() && table->model()->rowCount() == 25; }));
  const auto cell = [&](int row, int column) { return table->model()->index(row, column).data().toString(); };
  EXPECT_EQ(table->model()->index(0, 0).data(Qt::ToolTipRole).toString(),
            QString::fromStdString(index->imageLabel(115)));
  EXPECT_TRUE(cell(0, 0).startsWith(widgets::tileText(*index, index->image(115)))) << cell(0, 0).toStdString();
  EXPECT_EQ(cell(0, 1), "2.150");
  EXPECT_EQ(cell(3, 2), "2") << "seen twice";
  EXPECT_EQ(cell(3, 3), "20");
  EXPECT_EQ(cell(3, 5), "9.500");
  EXPECT_TRUE(find<QLabel>("worstTitle")->text().startsWith("25 samples"));
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Home);
  QTest::keyClick(table, Qt::Key_Down);
  QTest::keyClick(table, Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return page->showsSample(); }));
  EXPECT_EQ(window()->page(), studio::Page::Data);
  EXPECT_EQ(page->sample()->image(), 110u);
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->front() == 115; }));
  QTest::keyClick(page->sample(), Qt::Key_Right);
  EXPECT_EQ(page->sample()->image(), 105u) << "the next one is the next in that order";
  QTest::keyClick(page->sample(), Qt::Key_Escape);
  EXPECT_EQ(window()->page(), studio::Page::Runs) << "where it was opened";
  EXPECT_FALSE(page->showsSample());
}

TEST_F(WorstTest, PicturesAreOfTheRunsOwnDataWhereOtherDataIsOpen) {
  const std::string other = (home / "other").string(), made = (home / "made").string();
  ASSERT_EQ(runProgram({"roadtune", "data", "synth", "--format", "jsonl", "--segments", "1", "--frames", "2", "--scale",
                        "0.1", "--out", made})
                .exitCode,
            0);
  ASSERT_EQ(runProgram({"roadtune", "data", "index", made, "--out", other}).exitCode, 0);
  home.write("runs/night-walkers/run.yaml",
             "model_name_or_path: m\ntrain_data: " + drawnIndex().string() + "\noutput_dir: runs/night-walkers\n");
  studio::Options options;
  options.data = QString::fromStdString(other);
  options.runRoots = {QString::fromStdString((home / "runs").string())};
  options.run = run("night-walkers");
  options.page = "runs";
  open(options);
  page = window()->dataPage();
  ASSERT_TRUE(waitFor([&] { return page->index() != nullptr; }));
  showTab("Worst samples");
  auto* table = find<QTreeView>("worstSamples");
  const auto first = [&] { return table->model()->index(0, 0).data().toString(); };
  ASSERT_TRUE(waitFor([&] { return table->isVisible() && table->model()->rowCount() == 25; }));
  EXPECT_TRUE(first().startsWith(widgets::tileText(*index, index->image(115)))) << first().toStdString();
  const auto grey = [&] {  // a box without a picture is of one colour
    const QRect row = table->visualRect(table->model()->index(0, 0));
    const QImage box = table->viewport()->grab(QRect(14, row.top() + 4, 40, row.height() - 8)).toImage();
    for (int y = 0; y < box.height(); ++y)
      for (int x = 0; x < box.width(); ++x)
        if (box.pixel(x, y) != box.pixel(0, 0)) return false;
    return true;
  };
  EXPECT_TRUE(waitFor([&] { return !grey(); })) << "its picture comes";
  EXPECT_FALSE(find<QPushButton>("showWorst")->isVisible()) << "the data that is open has none of them";
  QTest::mouseClick(find<QPushButton>("openWorstData"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return page->showsSample(); }));
  EXPECT_EQ(page->sample()->image(), 115u);
}

TEST_F(WorstTest, WhereNoIndexHasThePicturesTheListSaysWhereTheyAre) {
  home.write("runs/keeps-nothing/ledger/rank-000.jsonl", line(3, "another-recording/1/FRONT", 1.5));
  openData("keeps-nothing");
  showTab("Worst samples");
  const auto* title = find<QLabel>("worstTitle");
  EXPECT_TRUE(waitFor([&] { return title->text().contains("the run learnt from /data/waymo-night."); }))
      << title->text().toStdString();
}

TEST_F(WorstTest, AnImageOfAStepIsShownLargeAndTheQueryStays) {
  openData("night-walkers");
  page->queryLine()->setText("camera=front");
  const QString sample = QString::fromStdString(index->imageLabel(7));
  emit window()->runsPage()->imagesRequested({sample});
  EXPECT_EQ(window()->page(), studio::Page::Data);
  ASSERT_TRUE(page->showsSample());
  EXPECT_EQ(page->sample()->image(), 7u);
  EXPECT_EQ(page->query(), "camera=front");
  QTest::keyClick(page->sample(), Qt::Key_Escape);
  EXPECT_EQ(window()->page(), studio::Page::Runs);
  window()->setPage(studio::Page::Data);
  page->showSample(7);
  QTest::keyClick(page->sample(), Qt::Key_Escape);
  EXPECT_EQ(window()->page(), studio::Page::Data) << "a look from the grid goes back to the grid";
}

TEST_F(WorstTest, ASampleOfOtherDataSaysSoAndTheOrderIsShownInData) {
  openData("night-walkers");
  showTab("Worst samples");
  auto* table = find<QTreeView>("worstSamples");
  ASSERT_TRUE(waitFor([&] { return table->isVisible() && table->model()->rowCount() == 25; }));
  for (int row = 0; row < 25; ++row)
    if (table->model()->index(row, 0).data().toString().endsWith("another-recording")) {
      table->setFocus();
      table->setCurrentIndex(table->model()->index(row, 0));
      QTest::keyClick(table, Qt::Key_Return);
    }
  EXPECT_FALSE(page->showsSample());
  EXPECT_EQ(window()->page(), studio::Page::Runs);
  QTest::mouseClick(find<QPushButton>("showWorst"), Qt::LeftButton);
  EXPECT_EQ(window()->page(), studio::Page::Data);
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->front() == 115; }));
  EXPECT_FALSE(page->showsSample());
}

TEST_F(WorstTest, TheQueryThatTheOrderTookThePlaceOfIsAClickOrAnUndoAway) {
  openData("night-walkers");
  page->queryLine()->setText("camera=front");
  const auto showWorst = [&] {
    window()->setPage(studio::Page::Runs);
    showTab("Worst samples");
    ASSERT_TRUE(waitFor([&] { return find<QPushButton>("showWorst")->isVisible(); }));
    QTest::mouseClick(find<QPushButton>("showWorst"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return page->grid()->images()->front() == 115; }));
  };
  showWorst();
  EXPECT_TRUE(page->notice()->text().endsWith("the query was: camera=front")) << page->notice()->text().toStdString();
  auto* back = page->notice()->findChild<QPushButton*>("noticeAction");
  ASSERT_TRUE(back->isVisible());
  QTest::mouseClick(back, Qt::LeftButton);
  EXPECT_EQ(page->query(), "camera=front");
  showWorst();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(page->query(), "camera=front");
  EXPECT_FALSE(page->notice()->isVisible()) << "it is about another query";
}

TEST_F(WorstTest, ARunThatKeptNothingSaysWhatWouldKeepIt) {
  openData("keeps-nothing");
  showTab("Worst samples");
  auto* empty = find<QLabel>("worstEmpty");
  ASSERT_TRUE(waitFor([&] { return empty->text().contains("record_sample_losses"); })) << empty->text().toStdString();
  EXPECT_TRUE(empty->isVisible());
  EXPECT_FALSE(find<QTreeView>("worstSamples")->isVisible());
  window()->runsPage()->selectRun(run("night-walkers"));
  ASSERT_TRUE(waitFor([&] { return find<QTreeView>("worstSamples")->isVisible(); }));
}

TEST_F(WorstTest, ALiveRunsListGrowsWhileItIsLookedAt) {
  openData("night-walkers");
  showTab("Worst samples");
  auto* table = find<QTreeView>("worstSamples");
  ASSERT_TRUE(waitFor([&] { return table->isVisible() && table->model()->rowCount() == 25; }));
  home.write("runs/night-walkers/ledger/rank-001.jsonl", line(22, index->imageLabel(1), 4));
  ASSERT_TRUE(waitFor([&] { return table->model()->rowCount() == 26; }));
  EXPECT_EQ(table->model()->index(0, 0).data(Qt::ToolTipRole).toString(), QString::fromStdString(index->imageLabel(1)));
}

TEST_F(WorstTest, LossesThatAreOnAnotherMachineAreNotSaidToBeMissing) {
  home.write("runs/keeps-nothing/run.yaml", "record_sample_losses: true\n");
  const auto file = home / "runs/keeps-nothing/manifest.json";
  auto manifest = protocol::readManifest(file).value();
  manifest.nodes = {{.node = 0, .host = "far", .address = "gpu7"}};
  ASSERT_TRUE(protocol::writeManifest(file, manifest).ok());
  openData("keeps-nothing");
  showTab("Worst samples");
  const auto* panel = window()->runsPage()->detail()->worst();
  const auto says = [panel](const QString& words) {
    for (const QLabel* label : panel->findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(words)) return true;
    return false;
  };
  ASSERT_TRUE(waitFor([&] { return says("lie on gpu7 and are not here yet"); }));
  EXPECT_FALSE(says("record_sample_losses"));
}

TEST_F(WorstTest, OtherDataTakesTheListBackUntilItIsReadAnew) {
  openData("night-walkers");
  showTab("Worst samples");
  auto* table = find<QTreeView>("worstSamples");
  ASSERT_TRUE(waitFor([&] { return table->isVisible() && table->model()->rowCount() == 25; }));
  std::filesystem::copy(drawnIndex(), home / "others", std::filesystem::copy_options::recursive);
  int rows = -1;
  QObject::connect(studio->data(), &studio::DataController::opened, window(),
                   [&] { rows = table->model()->rowCount(); });
  studio->data()->open(QString::fromStdString((home / "others").string()));
  ASSERT_TRUE(waitFor([&] { return rows >= 0; }));
  EXPECT_EQ(rows, 0) << "they were images of the data before";
  ASSERT_TRUE(waitFor([&] { return table->isVisible() && table->model()->rowCount() == 25; }));
}

}  // namespace
}  // namespace roadtune::testing

// SPDX-License-Identifier: GPL-3.0-or-later
// While an import goes on, the page shows what is read so far, and nothing that one has chosen is lost.
#include "core/data/index/index.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <set>

namespace roadtune::testing {
namespace {

namespace fs = std::filesystem;

QString text(const fs::path& path) { return QString::fromStdString(path.string()); }

// One recording of the three: the last by name, so that the others come in before it.
void importOne(const fs::path& into) {
  std::set<fs::path> files;
  for (const auto& file : fs::recursive_directory_iterator(drawnRecordings()))
    if (file.path().extension() == ".tfrecord") files.insert(file.path());
  ASSERT_EQ(files.size(), 3u);
  const ProgramResult result =
      runProgram({"roadtune", "data", "index", files.rbegin()->string(), "--out", into.string()});
  ASSERT_EQ(result.exitCode, 0) << result.err;
}

struct ImportGrowth : StudioTest {
  widgets::DataPage* page() const { return window()->dataPage(); }
  void importAll() {
    dropOn(window(), drawnRecordings());
    ASSERT_TRUE(waitFor([&] { return find<QLabel>("importState")->text() == "Recognised"; }));
  }
  bool imported() const {
    return waitFor([&] { return find<QLabel>("importOutcome")->isVisible(); }, 60);
  }
};

TEST_F(ImportGrowth, WhatIsSelectedAndInSightStaysWhereRecordingsComeInBeforeIt) {
  importOne(home / "idx");
  studio::Options options;
  options.data = text(home / "idx");
  open(options);
  auto* grid = page()->grid();
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() == 40; }));
  page()->queryLine()->setText("camera=front");
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() == 8; }));
  grid->setCurrentRow(5);
  grid->setCurrentRow(6, true);
  const auto labels = [&] {
    std::vector<std::string> all;
    for (const data::ImageId image : grid->selectedImages()) all.push_back(page()->index()->imageLabel(image));
    return all;
  };
  const auto chosen = labels();
  ASSERT_EQ(chosen.size(), 2u);
  const int top = grid->tileRect(grid->currentRow()).top();
  importAll();
  find<QLineEdit>("importTo")->setText(text(home / "idx"));
  QTest::mouseClick(find<QPushButton>("importStart"), Qt::LeftButton);
  EXPECT_EQ(grid->images()->size(), 8u) << "what is there stays on show";
  ASSERT_TRUE(imported());
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() == 24; }));
  EXPECT_EQ(page()->query(), "camera=front");
  EXPECT_EQ(labels(), chosen);
  EXPECT_GE(grid->currentRow(), 16u) << "the others come first";
  const QRect now = grid->tileRect(grid->currentRow());
  EXPECT_TRUE(grid->viewport()->rect().intersects(now)) << top << " to " << now.top();
}

TEST_F(ImportGrowth, TagsCanBeTakenBackAfterRecordingsCameInBeforeTheirs) {
  importOne(home / "idx");
  studio::Options options;
  options.data = text(home / "idx");
  open(options);
  auto* grid = page()->grid();
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() == 40; }));
  const auto undo = find<QAction>("undoCommand");
  emit page()->tagRequested({5, 6}, "dusk", true);
  ASSERT_TRUE(waitFor([&] { return undo->isEnabled(); }));
  const std::string first = page()->index()->imageLabel(5);
  importAll();
  find<QLineEdit>("importTo")->setText(text(home / "idx"));
  QTest::mouseClick(find<QPushButton>("importStart"), Qt::LeftButton);
  ASSERT_TRUE(imported());
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() == 120; }));
  EXPECT_NE(page()->index()->imageLabel(5), first) << "the numbers are others now";
  const auto tagged = [&] {
    page()->queryLine()->setText("tag:dusk");
    return waitFor([&] { return grid->images()->size() == 2; }) &&
           page()->index()->imageLabel(grid->images()->front()) == first;
  };
  ASSERT_TRUE(tagged());
  ASSERT_TRUE(undo->isEnabled());
  undo->trigger();  // the query
  ASSERT_TRUE(waitFor([&] { return grid->images()->size() == 120; }));
  undo->trigger();
  page()->queryLine()->setText("tag:dusk");
  EXPECT_TRUE(waitFor([&] { return grid->images()->empty(); }));
}

TEST_F(ImportGrowth, AllThatIsReadShowsBeforeItsThumbnailsAreMade) {
  open({});
  importAll();
  EXPECT_FALSE(find<QPushButton>("emptyImport")->property("primary").toBool()) << "the next action is in the panel";
  EXPECT_TRUE(find<QPushButton>("importStart")->hasFocus());
  QTest::mouseClick(find<QPushButton>("importStart"), Qt::LeftButton);
  for (const char* name : {"emptyImport", "emptyOpen", "emptyDataDemo"})
    EXPECT_FALSE(find<QPushButton>(name)->isVisible()) << name << ": one import at a time";
  ASSERT_TRUE(imported());
  EXPECT_EQ(page()->grid()->images()->size(), 120u) << "not only once the thumbnails are there";
  QTest::mouseClick(find<QPushButton>("importDone"), Qt::LeftButton);
  EXPECT_TRUE(find<QPushButton>("emptyImport")->property("primary").toBool());
}

TEST_F(ImportGrowth, APathOfTheCommandLineLeadsToTheImportToo) {
  studio::Options options;
  options.paths = {text(drawnRecordings())};
  open(options);
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("importState")->text() == "Recognised"; }));
  EXPECT_TRUE(find<QPushButton>("importStart")->hasFocus()) << window()->focusWidget()->objectName().toStdString();
}

TEST_F(ImportGrowth, WhoLooksAtAnImageIsNotDisturbedAndSeesTheRestAfterwards) {
  importOne(home / "idx");
  studio::Options options;
  options.data = text(home / "idx");
  open(options);
  ASSERT_TRUE(waitFor([&] { return page()->grid()->images()->size() == 40; }));
  importAll();
  find<QLineEdit>("importTo")->setText(text(home / "idx"));
  page()->openSample();
  QTest::mouseClick(find<QPushButton>("importStart"), Qt::LeftButton);
  ASSERT_TRUE(imported());
  EXPECT_TRUE(page()->showsSample()) << "who looks at an image goes on looking";
  page()->closeSample();
  EXPECT_TRUE(waitFor([&] { return page()->grid()->images()->size() == 120; }));
}

}  // namespace
}  // namespace roadtune::testing

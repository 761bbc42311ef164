// SPDX-License-Identifier: GPL-3.0-or-later
// Where data goes and comes from: exports and indexes that do not mix, and one index after another in the window.
#include "core/base/files.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/notice_bar.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"

#include <nlohmann/json.hpp>

#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace roadtune::testing {
namespace {

namespace fs = std::filesystem;

QString text(const fs::path& path) { return QString::fromStdString(path.string()); }

struct DataPlaceTest : StudioTest {
  widgets::DataPage* page() const { return window()->dataPage(); }
  void press(const char* name) const { QTest::mouseClick(find<QAbstractButton>(name), Qt::LeftButton); }
  void drop(const fs::path& path) {
    dropOn(window(), path);
    ASSERT_TRUE(waitFor([&] { return find<QLabel>("importState")->text() != "Looking at what is there…"; }));
  }
  void openData() {
    fs::copy(drawnIndex(), home / "idx", fs::copy_options::recursive);
    studio::Options options;
    options.data = text(home / "idx");
    open(options);
    ASSERT_TRUE(waitFor([&] { return page()->grid()->images()->size() == 120; }));
  }
};

// The pictures that the label files of a YOLO export are about.
QStringList labelled(const QString& folder) {
  QStringList names;
  for (const auto& file : fs::recursive_directory_iterator(fs::path(folder.toStdString()) / "labels"))
    if (file.is_regular_file()) names << text(file.path().filename());
  names.sort();
  return names;
}

struct ExportPlaceTest : DataPlaceTest {
  void choose(const char* format) {
    press("dataExport");
    auto* formats = find<QComboBox>("exportFormat");
    formats->setFocus();
    while (formats->currentText() != QLatin1String(format)) QTest::keyClick(formats, Qt::Key_Down);
  }
  void ask(const char* query) {
    page()->queryLine()->setText(query);
    ASSERT_TRUE(waitFor([&] { return page()->grid()->images()->size() == 24; }));
  }
  void expectWritten() {
    ASSERT_TRUE(waitFor([&] { return find<QLabel>("exportOutcome")->isVisible(); }, 60));
    EXPECT_TRUE(find<QLabel>("exportOutcome")->text().startsWith("24 images"))
        << find<QLabel>("exportOutcome")->text().toStdString();
  }
};

TEST_F(ExportPlaceTest, ASecondExportGetsAPlaceOfItsOwnAndReplacesOnlyWhenToldSo) {
  openData();
  ask("camera=front");
  choose("YOLO");
  auto* to = find<QLineEdit>("exportTo");
  const QString first = to->text();
  EXPECT_TRUE(first.endsWith("-yolo")) << first.toStdString();
  press("exportStart");
  expectWritten();
  page()->queryLine()->setText("camera=side_left");
  ASSERT_TRUE(waitFor([&] { return to->text() == first + "-2"; })) << to->text().toStdString();

  to->setText(first);
  press("exportStart");
  EXPECT_TRUE(find<QLabel>("exportTaken")->isVisible());
  EXPECT_EQ(find<QPushButton>("exportUseFree")->text(), "Use " + first.section('/', -1) + "-2");
  QStringList names = labelled(first);
  EXPECT_EQ(names.size(), 24);
  EXPECT_TRUE(names.filter("SIDE_LEFT").isEmpty()) << "nothing was written there";
  press("exportReplace");
  expectWritten();
  EXPECT_FALSE(find<QLabel>("exportTaken")->isVisible());
  names = labelled(first);
  EXPECT_EQ(names.size(), 24);
  EXPECT_EQ(names.filter("SIDE_LEFT").size(), 24) << "nothing of the first is left";
}

TEST_F(ExportPlaceTest, AFolderOfSomebodyIsNeverReplaced) {
  openData();
  ask("camera=front");
  choose("YOLO");
  fs::create_directories(home / "mine");
  home.write("mine/thesis.txt", "years of work");
  find<QLineEdit>("exportTo")->setText(text(home / "mine"));
  press("exportStart");
  EXPECT_TRUE(find<QLabel>("exportTaken")->isVisible());
  EXPECT_FALSE(find<QPushButton>("exportReplace")->isVisible());
  press("exportUseFree");
  expectWritten();
  EXPECT_EQ(labelled(text(home / "mine-2")).size(), 24);
  EXPECT_EQ(std::distance(fs::directory_iterator(home / "mine"), fs::directory_iterator()), 1);
}

TEST_F(ExportPlaceTest, AFileIsReplacedOnlyWhenToldSo) {
  openData();
  ask("camera=front");
  press("dataExport");
  home.write("list.jsonl", "mine\n");
  find<QLineEdit>("exportTo")->setText(text(home / "list.jsonl"));
  press("exportStart");
  EXPECT_EQ(find<QPushButton>("exportUseFree")->text(), "Use list-2.jsonl");
  EXPECT_EQ(readFile(home / "list.jsonl").valueOr(""), "mine\n");
  press("exportReplace");
  expectWritten();
  EXPECT_GT(readFile(home / "list.jsonl").valueOr("").size(), 100u);
}

struct ImportPlaceTest : DataPlaceTest {
  void copyRecordings(const fs::path& to) {
    fs::create_directories(to);
    for (const auto& file : fs::recursive_directory_iterator(drawnRecordings()))
      if (file.is_regular_file()) fs::copy(file, to);
  }
  QString target() const { return find<QLineEdit>("importTo")->text(); }
};

TEST_F(ImportPlaceTest, FoldersOfOneNameGetAnIndexEach) {
  copyRecordings(home / "a/scenes");
  copyRecordings(home / "b/scenes");
  open({});
  drop(home / "a/scenes");
  const QString first = target();
  EXPECT_TRUE(first.endsWith("/indexes/scenes")) << first.toStdString();
  press("importStart");
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("importOutcome")->isVisible(); }, 60));
  EXPECT_TRUE(waitFor([&] { return find<widgets::ElidedLabel>("statusMessage")->text().endsWith(" in 3 recordings"); }))
      << find<widgets::ElidedLabel>("statusMessage")->text().toStdString();
  drop(home / "b/scenes");
  EXPECT_EQ(target(), first + "-2");
  EXPECT_FALSE(find<QLabel>("importTargetNote")->isVisible());
  drop(home / "a/scenes");
  EXPECT_EQ(target(), first) << "the same recordings go on where they were";
  auto* note = find<QLabel>("importTargetNote");
  ASSERT_TRUE(waitFor([&] { return note->isVisible(); }));
  EXPECT_EQ(note->text(), "Adds to scenes, where 120 images are already.");
}

TEST_F(ImportPlaceTest, LeavingTheFieldLooksAtWhatWasTyped) {
  open({});
  drop(home.path());
  auto* from = find<QLineEdit>("importFrom");
  from->setFocus();
  from->selectAll();
  QTest::keyClicks(from, text(drawnRecordings()));
  find<QLineEdit>("importTo")->setFocus();
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("importState")->text() == "Recognised"; }))
      << find<QLabel>("importState")->text().toStdString();
  EXPECT_TRUE(find<QLineEdit>("importTo")->hasFocus()) << "whoever went on is left there";
  EXPECT_TRUE(find<QPushButton>("importStart")->isEnabled());
}

TEST_F(ImportPlaceTest, AFolderThatIsNoIndexIsOfferedForImport) {
  copyRecordings(home / "scenes");
  open({});
  studio->data()->open(text(home / "scenes"));
  ASSERT_TRUE(waitFor([&] { return page()->notice()->text().contains("is no index"); }));
  EXPECT_FALSE(page()->notice()->text().contains("roadtune data")) << "there is no command line here";
  auto* action = page()->notice()->findChild<QPushButton*>("noticeAction");
  EXPECT_EQ(action->text(), "Import this folder");
  QTest::mouseClick(action, Qt::LeftButton);
  EXPECT_EQ(find<QLineEdit>("importFrom")->text(), text(home / "scenes"));
  EXPECT_TRUE(waitFor([&] { return find<QPushButton>("importStart")->isEnabled(); }));
}

TEST_F(DataPlaceTest, AnotherIndexIsSeenWhole) {
  openData();
  fs::copy(drawnIndex(), home / "other", fs::copy_options::recursive);
  const auto narrow = [&] {
    page()->queryLine()->setText("camera=front");
    ASSERT_TRUE(waitFor([&] { return page()->grid()->images()->size() == 24; }));
  };
  const auto reopen = [&](const fs::path& folder) {
    const auto before = page()->index();
    studio->data()->open(text(folder));
    ASSERT_TRUE(waitFor([&] { return page()->index() != before; }));
  };
  narrow();
  reopen(home / "other");
  EXPECT_EQ(page()->query(), "");
  ASSERT_TRUE(waitFor([&] { return page()->grid()->images()->size() == 120; }));
  narrow();
  reopen(home / "other");
  EXPECT_EQ(page()->query(), "camera=front") << "it is the same one";
}

TEST_F(DataPlaceTest, PicturesOfNoCarShowWhatTheyHave) {
  nlohmann::json coco{{"categories", {{{"id", 1}, {"name", "cut_512"}}}},
                      {"images", nlohmann::json::array()},
                      {"annotations", nlohmann::json::array()}};
  for (int i = 1; i <= 3; ++i) {
    const std::string name = std::to_string(i) + ".png";
    QImage(64, 48, QImage::Format_RGB32).save(text(home / name));
    coco["images"].push_back({{"id", i}, {"file_name", name}, {"width", 64}, {"height", 48}});
    coco["annotations"].push_back({{"id", i}, {"image_id", i}, {"category_id", 1}, {"bbox", {4, 4, 30, 30}}});
  }
  home.write("instances.json", coco.dump());
  const ProgramResult made = runProgram(
      {"roadtune", "data", "index", (home / "instances.json").string(), "--out", (home / "pictures").string()});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  studio::Options options;
  options.data = text(home / "pictures");
  open(options);
  ASSERT_TRUE(waitFor([&] { return page()->grid()->images()->size() == 3; }));
  auto* inspector = page()->findChild<QWidget*>("inspector");
  QStringList facts;
  for (const QLabel* label : inspector->findChildren<QLabel*>())
    if (label->isVisible()) facts << label->text();
  for (const char* absent : {"Time", "Camera", "Scene"}) EXPECT_FALSE(facts.contains(absent)) << absent;
  EXPECT_TRUE(facts.contains("64 × 48")) << facts.join('|').toStdString();
  EXPECT_TRUE(find<QAbstractButton>("facet_class_cut_512")->accessibleName().startsWith("cut_512 "))
      << "people's names stay as they wrote them";
  page()->openSample();
  EXPECT_FALSE(find<QWidget>("cameraStrip")->isVisible());
  EXPECT_FALSE(find<QWidget>("frameTimeline")->isVisible());
}

}  // namespace
}  // namespace roadtune::testing

// SPDX-License-Identifier: GPL-3.0-or-later
// Data in and out through the window: the import wizard and the export panel.
#include "core/base/files.h"
#include "core/data/records/tfrecord_writer.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/export_panel.h"
#include "widgets/panels/data/import_panel.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/side_drawer.h"

#include <nlohmann/json.hpp>

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

namespace roadtune::testing {
namespace {

namespace fs = std::filesystem;

QString text(const fs::path& path) { return QString::fromStdString(path.string()); }

struct DataInOutTest : StudioTest {
  void SetUp() override {
    StudioTest::SetUp();
    qputenv("XDG_CONFIG_HOME", (home / "config").string().c_str());
  }
  void TearDown() override {
    StudioTest::TearDown();
    qunsetenv("XDG_CONFIG_HOME");
  }
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

TEST_F(DataInOutTest, AFolderIsRecognisedThenImported) {
  open({});
  drop(drawnRecordings());
  EXPECT_EQ(find<QLabel>("importState")->text(), "Recognised");
  EXPECT_EQ(find<QLabel>("found_waymo-v1")->text(), "Waymo recordings, TFRecord");
  EXPECT_FALSE(find<QCheckBox>("importAccept")->isVisible()) << "drawn recordings are nobody's";
  find<QLineEdit>("importTo")->setText(text(home / "new index"));
  ASSERT_TRUE(find<QPushButton>("importStart")->isEnabled());
  find<QPushButton>("importStart")->setFocus();
  press("importStart");
  EXPECT_TRUE(find<QWidget>("importProgress")->isVisible());
  ASSERT_TRUE(waitFor([&] { return page()->grid()->images()->size() == 120; }, 60));
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("importOutcome")->isVisible(); }, 60));
  EXPECT_TRUE(find<QLabel>("importOutcome")->text().startsWith("Imported"));
  EXPECT_TRUE(fs::exists(home / "new index/catalogue.json"));
  EXPECT_TRUE(find<QPushButton>("importDone")->hasFocus()) << "the keyboard goes on from there";
  press("importDone");
  EXPECT_FALSE(page()->drawer()->isVisible());
}

TEST_F(DataInOutTest, WhatNobodyKnowsIsSaidAndCannotBeImported) {
  fs::create_directories(home / "letters");
  home.write("letters/a.txt", "dear");
  open({});
  drop(home / "letters");
  EXPECT_EQ(find<QLabel>("importState")->text(), "Nothing here is known to the studio.");
  EXPECT_FALSE(find<QPushButton>("importStart")->isEnabled());
  EXPECT_EQ(find<QListWidget>("problemRows")->count(), 1);
}

TEST_F(DataInOutTest, DamagedPartsAreListedAtTheEnd) {
  fs::create_directories(home / "scenes");
  for (const auto& file : fs::recursive_directory_iterator(drawnRecordings())) {
    if (file.is_regular_file()) fs::copy(file, home / "scenes");
  }
  home.write("scenes/training_broken.tfrecord", std::string(300, 'x'));
  open({});
  drop(home / "scenes");
  press("importStart");
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("importOutcome")->isVisible(); }, 60));
  auto* rows = find<QListWidget>("problemRows");
  ASSERT_GE(rows->count(), 1);
  EXPECT_TRUE(rows->item(0)->text().startsWith("training_broken.tfrecord")) << rows->item(0)->text().toStdString();
  EXPECT_TRUE(waitFor([&] { return page()->grid()->images()->size() == 120; })) << "the rest is used";
}

// A frame as Waymo writes it, in the smallest form: context.name, timestamp, one picture.
std::string frameOf(const std::string& context) {
  const auto bytes = [](int field, const std::string& value) {
    return std::string(1, static_cast<char>(field << 3 | 2)) + static_cast<char>(value.size()) + value;
  };
  const std::string picture = std::string("\x08\x01", 2) + bytes(2, "\xff\xd8 no picture");
  return bytes(1, bytes(1, context)) + std::string("\x10\x05", 2) + bytes(4, picture);
}

TEST_F(DataInOutTest, WaymosLicenceIsAskedForOnce) {
  std::string content;
  data::appendTfRecord(content, frameOf("1_2_3_4_5"));
  fs::create_directories(home / "waymo");
  home.write("waymo/training_segment.tfrecord", content);
  open({});
  drop(home / "waymo");
  auto* accept = find<QCheckBox>("importAccept");
  ASSERT_TRUE(accept->isVisible());
  EXPECT_TRUE(find<QLabel>("importLicence")->text().contains("non-commercial"));
  EXPECT_FALSE(find<QPushButton>("importStart")->isEnabled());
  accept->click();
  press("importStart");
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("importOutcome")->isVisible(); }, 60));
  EXPECT_TRUE(fs::exists(home / "config/roadtune/waymo-license.json"));
  drop(home / "waymo");
  EXPECT_FALSE(accept->isVisible()) << "it was accepted before";
  EXPECT_TRUE(find<QPushButton>("importStart")->isEnabled());
}

// A bucket of the test's own, and the credentials for it in the environment.
struct BucketTest : DataInOutTest {
  void serve() {
    const QString python = QStringLiteral(ROADTUNE_DEPS_DIR "/oracle/bin/python");
    if (!QFile::exists(python)) GTEST_SKIP() << "the environment with the server is not set up";
    server.start(python, {QStringLiteral(ROADTUNE_SOURCE_DIR "/tests/gui/bucket_server.py"), text(drawnRecordings()),
                          QStringLiteral("waymo")});
    ASSERT_TRUE(waitFor([&] { return server.canReadLine(); }, 60)) << server.readAllStandardError().toStdString();
    set("AWS_ENDPOINT_URL", server.readLine().trimmed());
    set("AWS_ACCESS_KEY_ID", "key");
    set("AWS_SECRET_ACCESS_KEY", "secret");
    set("AWS_REGION", "us-east-1");
    set("AWS_EC2_METADATA_DISABLED", "true");
    set("XDG_CACHE_HOME", QByteArray::fromStdString((home / "cache").string()));
  }
  void TearDown() override {
    server.closeWriteChannel();
    server.waitForFinished(10000);
    for (const QByteArray& name : names) qunsetenv(name.constData());
    DataInOutTest::TearDown();
  }
  void openImport() {
    open({});
    dropOn(window(), home.path());  // opens the panel; what is there does not matter
    from = find<QLineEdit>("importFrom");
    ASSERT_TRUE(waitFor([&] { return find<QLabel>("importState")->text() != "Looking at what is there…"; }));
    from->setFocus();
    from->selectAll();
  }
  void set(const char* name, const QByteArray& value) {
    names << name;
    qputenv(name, value);
  }
  QProcess server;
  QByteArrayList names;
  QLineEdit* from = nullptr;
};

TEST_F(BucketTest, AnAddressIsJudgedWhileItIsTyped) {
  openImport();
  auto* state = find<QLabel>("importState");
  QTest::keyClicks(from, "https://bucket/waymo");
  EXPECT_TRUE(state->text().contains("s3://bucket/prefix or gs://bucket/prefix")) << state->text().toStdString();
  EXPECT_FALSE(find<QPushButton>("importStart")->isEnabled());
  from->selectAll();
  QTest::keyClicks(from, "s3://");
  EXPECT_TRUE(state->text().contains("names no bucket")) << state->text().toStdString();
  from->selectAll();
  QTest::keyClicks(from, "s3://key:secret@bucket/waymo");
  EXPECT_TRUE(state->text().contains("AWS_ACCESS_KEY_ID")) << state->text().toStdString();
  EXPECT_FALSE(find<QPushButton>("importStart")->isEnabled());
  from->selectAll();
  QTest::keyClicks(from, "gs://bucket/waymo");
  EXPECT_TRUE(state->text().startsWith("In a bucket"));
  EXPECT_TRUE(find<QPushButton>("importStart")->isEnabled());
  EXPECT_TRUE(find<QLineEdit>("importTo")->text().endsWith("/indexes/waymo"));
  find<QLineEdit>("importTo")->selectAll();
  QTest::keyClicks(find<QLineEdit>("importTo"), "/mine");
  QTest::keyClicks(from, "/night");
  EXPECT_EQ(find<QLineEdit>("importTo")->text(), "/mine") << "what one chose stays";
}

TEST_F(BucketTest, RecordingsOfABucketAreImported) {
  serve();
  if (IsSkipped() || HasFatalFailure()) return;
  openImport();
  QTest::keyClicks(from, "s3://bucket/waymo");
  auto* files = find<QWidget>("importFound");
  ASSERT_TRUE(waitFor([&] { return files->findChild<QLabel*>("found_objects-tfrecord") != nullptr; }))
      << find<QLabel>("importState")->text().toStdString();
  QStringList words;
  for (const QLabel* one : files->findChildren<QLabel*>()) words << one->text();
  EXPECT_TRUE(words.join('|').contains("3 files")) << words.join('|').toStdString();
  EXPECT_TRUE(find<QLabel>("importState")->text().startsWith("In the bucket."));
  EXPECT_TRUE(from->hasFocus()) << "whoever types goes on typing";
  press("importStart");
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("importOutcome")->isVisible(); }, 120));
  EXPECT_TRUE(find<QLabel>("importOutcome")->text().startsWith("Imported"))
      << find<QLabel>("importOutcome")->text().toStdString();
  EXPECT_TRUE(waitFor([&] { return page()->grid()->images()->size() == 120; }, 60));
}

TEST_F(BucketTest, ABucketThatIsNotThereIsSaid) {
  serve();
  if (IsSkipped() || HasFatalFailure()) return;
  openImport();
  QTest::keyClicks(from, "s3://elsewhere/waymo");
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("importState")->text().contains("elsewhere"); }))
      << find<QLabel>("importState")->text().toStdString();
  EXPECT_TRUE(find<QPushButton>("importStart")->isEnabled()) << "one may know better";
  press("importStart");
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("importOutcome")->isVisible(); }, 120));
  const QString outcome = find<QLabel>("importOutcome")->text();
  EXPECT_TRUE(outcome.startsWith("The import failed") && outcome.contains("elsewhere")) << outcome.toStdString();
  EXPECT_TRUE(from->isVisible()) << "one may mend the address";
}

TEST_F(DataInOutTest, TheQueryIsExportedAsChosen) {
  openData();
  page()->queryLine()->setText("camera=front");
  ASSERT_TRUE(waitFor([&] { return page()->grid()->images()->size() == 24; }));
  press("dataExport");
  ASSERT_TRUE(page()->drawer()->isVisible());
  EXPECT_EQ(find<QLabel>("exportCount")->text(), "24 images of the query");
  auto* format = find<QComboBox>("exportFormat");
  format->setFocus();
  QTest::keyClick(format, Qt::Key_Down);
  EXPECT_EQ(format->currentText(), "COCO");
  find<QLineEdit>("exportTo")->setText(text(home / "out/front.json"));
  find<QSpinBox>("exportEvery")->setValue(2);
  find<QSpinBox>("exportHoldOut")->setValue(34);
  press("exportStart");
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("exportOutcome")->isVisible(); }, 60));
  EXPECT_TRUE(find<QLabel>("exportOutcome")->text().startsWith("12 images"))
      << find<QLabel>("exportOutcome")->text().toStdString();
  EXPECT_TRUE(find<QPushButton>("exportOpenFolder")->isVisible());
  EXPECT_TRUE(find<QPushButton>("exportOpenFolder")->hasFocus()) << "the keyboard goes on with what was written";
  const auto training = nlohmann::json::parse(readFile(home / "out/front-training.json").valueOr("{}"));
  const auto validation = nlohmann::json::parse(readFile(home / "out/front-validation.json").valueOr("{}"));
  EXPECT_EQ(training["images"].size() + validation["images"].size(), 12u);
  EXPECT_EQ(validation["images"].size(), 4u) << "one recording of three";
}

TEST_F(DataInOutTest, ALimitCountsForTheExportToo) {
  openData();
  page()->queryLine()->setText("camera=front limit 5");
  ASSERT_TRUE(waitFor([&] { return page()->grid()->images()->size() == 5; }));
  EXPECT_EQ(find<QLabel>("queryCount")->text(), "24 of 120");
  press("dataExport");
  EXPECT_EQ(find<QLabel>("exportCount")->text(), "5 images of the query") << "what is written, not what is found";
}

TEST_F(DataInOutTest, OneImageIsOneImage) {
  openData();
  auto* count = find<QLabel>("queryCount");
  EXPECT_EQ(count->text(), "120 images");
  const auto index = data::Index::open(home / "idx").value();
  page()->queryLine()->setText("camera=front and frame=0 and segment=" +
                               QString::fromStdString(index->segment(0).info().name));
  ASSERT_TRUE(waitFor([&] { return page()->grid()->images()->size() == 1; }));
  press("dataExport");
  EXPECT_EQ(find<QLabel>("exportCount")->text(), "1 image");
  find<QLineEdit>("exportTo")->setText(text(home / "out/one.jsonl"));
  press("exportStart");
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("exportOutcome")->isVisible(); }, 60));
  EXPECT_TRUE(find<QLabel>("exportOutcome")->text().startsWith("1 image with "))
      << find<QLabel>("exportOutcome")->text().toStdString();
  EXPECT_TRUE(find<QLabel>("exportOutcome")->text().contains(" was written."));
}

TEST_F(DataInOutTest, AnExportThatCannotBeWrittenSaysSo) {
  openData();
  press("dataExport");
  home.write("file", "");
  find<QLineEdit>("exportTo")->setText(text(home / "file/below.jsonl"));
  press("exportStart");
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("exportOutcome")->isVisible(); }, 60));
  EXPECT_TRUE(find<QLabel>("exportOutcome")->text().startsWith("The export failed"));
  EXPECT_FALSE(find<QPushButton>("exportOpenFolder")->isVisible());
}

}  // namespace
}  // namespace roadtune::testing

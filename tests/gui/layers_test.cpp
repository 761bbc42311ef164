// SPDX-License-Identifier: GPL-3.0-or-later
// Layers over an image: labels of the laser as the camera sees them, from the recordings to the pixels.
#include "core/data/index/index.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/canvas/image_view.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/inspector.h"
#include "widgets/panels/data/sample_view.h"

#include <QLabel>
#include <QTreeView>

#include <cmath>
#include <fstream>
#include <set>

namespace roadtune::testing {
namespace {

struct LayersTest : StudioTest {
  // An image with a label of the laser that no label of the camera covers.
  void openOn(const std::filesystem::path& folder) {
    index = data::Index::open(folder).value();
    for (data::ImageId id = 0; id < index->imageCount() && !image; ++id)
      for (const data::Box& box : index->projected(id))
        if (box.w > 40 && box.h > 40 && alone(box, index->boxes(id))) image = id, laser = box;
    studio::Options options;
    options.data = QString::fromStdString(folder.string());
    options.page = "data";
    open(options);
    page = window()->dataPage();
    ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == index->imageCount(); }));
    page->grid()->setCurrentRow(image.value_or(0));
    page->openSample();
    QTest::qWait(800);  // until the picture is sharp
  }
  static bool alone(const data::Box& box, const std::vector<data::Box>& others) {
    return std::none_of(others.begin(), others.end(), [&](const data::Box& other) {
      return std::abs(other.x - box.x) < 4 || std::abs(other.x + other.w - box.x) < 4;
    });
  }
  QImage shot() const { return page->sample()->view()->grab().toImage(); }
  // How many pixels along the left side of the laser's label look other than before.
  int changed(const QImage& before, const QImage& after) const {
    const QRectF target = page->sample()->view()->imageRect();
    const double scale = page->sample()->view()->zoom();
    int count = 0;
    for (double y = laser.y + 4; y < laser.y + laser.h - 4; y += 1) {
      const QPointF at = target.topLeft() + QPointF(laser.x, y) * scale;
      count += before.pixel(at.toPoint()) != after.pixel(at.toPoint());
    }
    return count;
  }

  std::shared_ptr<const data::Index> index;
  std::optional<data::ImageId> image;
  data::Box laser;
  widgets::DataPage* page = nullptr;
};

TEST_F(LayersTest, LabelsOfTheLaserArePaintedWhenAskedForAndRemembered) {
  openOn(drawnIndex());
  ASSERT_TRUE(image.has_value()) << "the drawn recordings have such labels";
  EXPECT_FALSE(page->sample()->projectedShown()) << "off at first";
  const QImage before = shot();
  chooseFrom(find<QToolButton>("sampleLayers"), "as the camera sees them");
  EXPECT_TRUE(page->sample()->projectedShown());
  EXPECT_GT(changed(before, shot()), static_cast<int>(laser.h * 0.3));
  EXPECT_FALSE(find<QLabel>("layerNote")->isVisible());
  page->sample()->setFocus();
  QTest::keyClick(page->sample(), Qt::Key_J);
  EXPECT_EQ(changed(before, shot()), 0);
  QTest::keyClick(page->sample(), Qt::Key_J);
  studio.reset();
  image.reset();
  openOn(drawnIndex());
  EXPECT_TRUE(page->sample()->projectedShown()) << "as it was left";
}

TEST_F(LayersTest, TheBoxesButtonAndTheMenuAgree) {
  openOn(drawnIndex());
  auto* boxes = find<QToolButton>("sampleBoxes");
  EXPECT_TRUE(find<QAction>("layerCamera")->isChecked());
  QTest::mouseClick(boxes, Qt::LeftButton);
  EXPECT_FALSE(find<QAction>("layerCamera")->isChecked());
  chooseFrom(find<QToolButton>("sampleLayers"), "Labels of the camera");
  EXPECT_TRUE(boxes->isChecked());
  EXPECT_TRUE(page->sample()->view()->boxesShown());
}

// The second version of Waymo's format keeps them in a component of its own.
TEST_F(LayersTest, ParquetRecordingsHaveThemToo) {
  const std::string v2 = (home / "v2").string(), folder = (home / "index").string();
  const ProgramResult drawn = runProgram({"roadtune", "data", "synth", "--format", "waymo-v2", "--segments", "1",
                                          "--frames", "3", "--scale", "0.4", "--seed", "7", "--out", v2});
  ASSERT_EQ(drawn.exitCode, 0) << drawn.err;
  ASSERT_EQ(runProgram({"roadtune", "data", "index", v2, "--out", folder, "--thumbnails"}).exitCode, 0);
  openOn(folder);
  ASSERT_TRUE(image.has_value());
  const QImage before = shot();
  QTest::keyClick(page->sample(), Qt::Key_J);
  EXPECT_GT(changed(before, shot()), static_cast<int>(laser.h * 0.3));
}

// What an earlier version of the program wrote has no such columns: the window says what brings them.
TEST_F(LayersTest, AnIndexWithoutThemSaysSo) {
  const std::string folder = (home / "index").string();
  ASSERT_EQ(
      runProgram({"roadtune", "data", "synth-index", "--images", "50", "--boxes", "200", "--out", folder}).exitCode, 0);
  openOn(folder);
  auto* note = find<QLabel>("layerNote");
  EXPECT_FALSE(note->isVisible());
  QTest::keyClick(page->sample(), Qt::Key_J);
  EXPECT_TRUE(note->isVisible());
  EXPECT_TRUE(note->text().contains("Import its recordings again")) << note->text().toStdString();
}

// Regions with COCO's iscrowd lie over the picture as a hatching and are listed after the boxes.
TEST_F(LayersTest, CrowdRegionsAreHatchedAndToldApartFromBoxes) {
  QImage picture(400, 200, QImage::Format_RGB32);
  picture.fill(QColor(90, 90, 90));
  std::filesystem::create_directories(home / "set");
  ASSERT_TRUE(picture.save(QString::fromStdString((home / "set/a.png").string())));
  std::ofstream(home / "set/gt.json") << R"({"images":[{"id":1,"file_name":"a.png","width":400,"height":200}],
    "categories":[{"id":1,"name":"walker"}],"annotations":[
    {"id":1,"image_id":1,"category_id":1,"bbox":[20,40,60,120],"iscrowd":0},
    {"id":2,"image_id":1,"category_id":1,"bbox":[200,60,120,80],"iscrowd":1}]})";
  const std::string folder = (home / "index").string();
  ASSERT_EQ(runProgram({"roadtune", "data", "index", (home / "set/gt.json").string(), "--out", folder}).exitCode, 0);
  openOn(folder);
  auto* table = page->sample()->inspector()->findChild<QTreeView*>("boxTable");
  ASSERT_EQ(table->model()->rowCount(), 2);
  EXPECT_EQ(table->model()->index(1, 0).data().toString(), "walker, a crowd");
  const auto shades = [&](const QRectF& region) {  // how many different ones along the diagonal
    const double scale = page->sample()->view()->zoom();
    const QPointF origin = page->sample()->view()->imageRect().topLeft();
    const QImage seen = shot();
    std::set<QRgb> found;
    for (double part = 0.1; part < 0.9; part += 0.01)
      found.insert(seen.pixel(
          (origin + (region.topLeft() + QPointF(region.width(), region.height()) * part) * scale).toPoint()));
    return found.size();
  };
  const QRectF box(20, 40, 60, 120), crowd(200, 60, 120, 80);
  EXPECT_EQ(shades(box), 1u) << "a box is open inside";
  EXPECT_GT(shades(crowd), 1u) << "a crowd is hatched";
  QTest::keyClick(page->sample(), Qt::Key_H);
  EXPECT_EQ(shades(crowd), 1u) << "it goes with the labels of the camera";
}

}  // namespace
}  // namespace roadtune::testing

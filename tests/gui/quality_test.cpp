// SPDX-License-Identifier: GPL-3.0-or-later
// What the data is worth for training, as the window shows it.
#include "app/studio/quality_report.h"
#include "core/data/index/index.h"
#include "core/data/query/query.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/quality_row.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/side_drawer.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

namespace roadtune::testing {
namespace {

struct QualityTest : StudioTest {
  void openQuality() {
    studio::Options options;
    options.data = QString::fromStdString(drawnIndex().string());
    open(options);
    page = window()->dataPage();
    ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 120; }));
    QTest::mouseClick(find<QToolButton>("dataQuality"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return row("qualitySize_vehicle_224") != nullptr; }, 60));
  }
  widgets::QualityRow* row(const char* name) const { return window()->findChild<widgets::QualityRow*>(name); }
  widgets::DataPage* page = nullptr;
};

TEST(QualityReports, QuestionsAndAnswersAreNoPicturesWithoutLabels) {
  const auto index = data::Index::open(drawnIndex()).value();
  const QByteArray printed = R"({"images":70,"labelled":0,"unlabelled":70,"with_text":70,"unlabelled_with_text":70,
    "empty":0,"unavailable":0,"boxes":0,"model_sizes":{"224":{"per_class":{}}},"balance":{},
    "stationary":{"frames_with_pose":0,"frames":0,"stretches":[]},"near_duplicates":null,"tokens":null})";
  const auto report = studio::qualityReportOf(printed, *index, {}).value();
  std::map<std::string, std::string> images;
  for (const auto& figure : report->images) images[figure.label.toStdString()] = figure.reading.toStdString();
  EXPECT_EQ(images["With a question or an answer"], "70");
  EXPECT_EQ(images["Not labelled"], "0");
  EXPECT_TRUE(report->sizes.isEmpty()) << "there is no box that could be too small";
  EXPECT_EQ(report->stillText, "") << "no vehicle took these";
}

// Boxes of the class whose shorter side is below 8 at the model's size, counted by hand.
std::size_t imagesWithSmall(const data::Index& index, const std::string& name, double side) {
  std::size_t images = 0;
  for (data::ImageId id = 0; id < index.imageCount(); ++id) {
    const data::ImageInfo info = index.image(id);
    bool small = false;
    for (const data::Box& box : index.boxes(id)) {
      if (index.classNames()[static_cast<std::size_t>(box.type)] != name) continue;
      small |= std::min(box.w * side / info.width, box.h * side / info.height) < 8;
    }
    images += small;
  }
  return images;
}

TEST_F(QualityTest, AClickOnWhatIsTooSmallShowsExactlyThoseImages) {
  openQuality();
  const auto index = data::Index::open(drawnIndex());
  ASSERT_TRUE(index.ok());
  const std::size_t expected = imagesWithSmall(*index.value(), "vehicle", 224);
  ASSERT_GT(expected, 0u);
  auto* cell = row("qualitySize_vehicle_224");
  EXPECT_TRUE(cell->reading().endsWith(" %"));
  QTest::mouseClick(cell, Qt::LeftButton);
  EXPECT_TRUE(page->query().contains("any(vehicle, w<")) << page->query().toStdString();
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == expected; }))
      << page->query().toStdString() << ' ' << page->grid()->images()->size() << " instead of " << expected;
}

TEST_F(QualityTest, SaysTheSameSmallestBoxAsTheImageAndThatAQueryDoesNotNarrowIt) {
  openQuality();
  auto* whole = find<QLabel>("qualityWhole");
  EXPECT_FALSE(whole->isVisible());
  page->queryLine()->setText("camera=front");
  EXPECT_TRUE(waitFor([&] { return whole->isVisible(); })) << "the figures are about more than the query";
  QString words;
  for (const QLabel* one : find<QWidget>("qualityPanel")->findChildren<QLabel*>())
    words += one->text() + QLatin1Char('|');
  EXPECT_TRUE(words.contains("shorter side is below 8 px")) << words.toStdString();
  page->openSample();
  find<QToolButton>("sampleModelView")->menu()->findChild<QAction*>("modelSide224")->trigger();
  EXPECT_TRUE(find<QLabel>("modelFacts")->text().contains("at least 8 px"))
      << find<QLabel>("modelFacts")->text().toStdString();
}

TEST_F(QualityTest, BalanceIsShownByWhatOneChooses) {
  openQuality();
  auto* field = find<QComboBox>("qualityField");
  const int camera = field->findData("camera");
  ASSERT_GE(camera, 0);
  field->setCurrentIndex(camera);
  emit field->activated(camera);
  auto* front = row("quality_camera_Front");
  ASSERT_NE(front, nullptr);
  EXPECT_TRUE(front->reading().startsWith("24 images"));
  QTest::mouseClick(front, Qt::LeftButton);
  EXPECT_EQ(page->query(), "camera=front");
}

TEST_F(QualityTest, TokensAndPicturesAreMeasuredWhenAsked) {
  openQuality();
  find<QLineEdit>("qualityModel")->setText(QString::fromStdString(tinyModel().string()));
  find<QSpinBox>("qualityLength")->setValue(64);
  QTest::mouseClick(find<QPushButton>("qualityCount"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return row("qualityTokens_0") != nullptr; }, 60));
  const int cut = row("qualityTokens_0")->reading().toInt();
  EXPECT_GE(cut, 1) << "64 tokens are not enough for many boxes";
  int above = 0;
  for (int i = 0; row(qPrintable(QStringLiteral("qualityLengths_%1").arg(i))); ++i) ++above;
  EXPECT_GE(above, 2) << "lengths are drawn as bars";
  QTest::mouseClick(row("qualityTokens_0"), Qt::LeftButton);
  EXPECT_EQ(page->query(), "tag:cut_64");
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == static_cast<std::size_t>(cut); }))
      << page->grid()->images()->size() << " instead of " << cut;
  QTest::mouseClick(find<QPushButton>("qualityCompare"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return find<QPushButton>("qualityCompare")->isHidden(); }, 60));
  EXPECT_NE(row("qualityTokens_0"), nullptr) << "what was counted stays";
  QTest::mouseClick(find<QToolButton>("drawerClose"), Qt::LeftButton);
  EXPECT_FALSE(page->drawer()->isVisible());
  EXPECT_TRUE(find<QWidget>("inspector")->isVisible());
}

TEST_F(QualityTest, AModelWithoutATokenizerIsSaid) {
  openQuality();
  find<QLineEdit>("qualityModel")->setText(QString::fromStdString((home / "none").string()));
  QTest::mouseClick(find<QPushButton>("qualityCount"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("qualityFailure")->isVisible(); }, 60));
  EXPECT_NE(row("qualitySize_vehicle_224"), nullptr) << "the rest stays";
}

}  // namespace
}  // namespace roadtune::testing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/index.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/box_overlay.h"
#include "widgets/canvas/grid_layout.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/canvas/image_view.h"
#include "widgets/canvas/picture_pool.h"
#include "widgets/canvas/prediction_overlay.h"
#include "widgets/common/theme.h"

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <numeric>

namespace roadtune::widgets {
namespace {

TEST(GridLayout, HoldsAMillionTiles) {
  GridLayout layout;
  layout.count = 990'000;
  layout.viewWidth = 1000;
  layout.arrange();
  EXPECT_EQ(layout.columns(), 3);
  const std::size_t item = 777'777;
  EXPECT_EQ(layout.itemAt(layout.left(item) + 5, layout.top(item) + 5), item);
  EXPECT_EQ(layout.itemAt(layout.left(item) - 3, layout.top(item) + 5), layout.count);
  const auto [first, last] = layout.range(layout.top(item), layout.top(item) + 400);
  EXPECT_LE(first, item);
  EXPECT_GT(last, item);
  EXPECT_LE(last - first, 12u);
}

TEST(GridLayout, KeepsGroupsApartAndFindsEveryTile) {
  GridLayout layout;
  layout.viewWidth = 800;  // three in a row
  layout.groups = {0, 5, 6, 13};
  layout.count = 22;
  layout.arrange();
  ASSERT_EQ(layout.columns(), 3);
  for (std::size_t item = 0; item < layout.count; ++item) {
    const qint64 top = layout.top(item);
    EXPECT_EQ(layout.itemAt(layout.left(item) + 1, top + 1), item);
    const auto [first, last] = layout.range(top, top + layout.tileHeight);
    EXPECT_LE(first, item) << item;
    EXPECT_GT(last, item) << item;
    EXPECT_LE(last - first, 3u) << item << ": only its own row";
  }
  for (std::size_t group = 0; group < layout.groups.size(); ++group) {
    const qint64 top = layout.groupTop(group);
    EXPECT_EQ(layout.itemAt(layout.margin + 1, top + 1), layout.count) << "a header is no tile";
    EXPECT_EQ(layout.top(layout.groups[group]), top + layout.headerHeight);
    EXPECT_EQ(layout.left(layout.groups[group]), layout.margin) << "a group begins a row";
    EXPECT_EQ(layout.groupAt(top), group);
  }
  EXPECT_EQ(layout.top(21) + layout.tileHeight + layout.margin, layout.contentHeight());
  EXPECT_EQ(layout.range(0, layout.contentHeight()), std::make_pair(std::size_t{0}, std::size_t{22}));
}

TEST(GridLayout, ArrowsKeepTheirColumnFromGroupToGroup) {
  GridLayout layout;
  layout.viewWidth = 800;
  layout.groups = {0, 5, 6, 13};  // rows of 3 2 | 1 | 3 3 1 | 3 3 3
  layout.count = 22;
  layout.arrange();
  EXPECT_EQ(layout.below(1, 1), 4u);
  EXPECT_EQ(layout.below(2, 1), 4u) << "the row below is shorter";
  EXPECT_EQ(layout.below(4, 1), 5u) << "the next group has one";
  EXPECT_EQ(layout.below(5, 1), 6u);
  EXPECT_EQ(layout.below(10, 1), 12u);
  EXPECT_EQ(layout.below(10, 2), 13u);
  EXPECT_EQ(layout.below(20, 1), 21u) << "the end";
  EXPECT_EQ(layout.below(15, -1), 12u);
  EXPECT_EQ(layout.below(8, -1), 5u);
  EXPECT_EQ(layout.below(5, -1), 3u);
  EXPECT_EQ(layout.below(2, -1), 0u) << "the beginning";
  EXPECT_EQ(layout.below(0, 100), 21u);
  EXPECT_EQ(layout.below(21, -100), 0u);
}

struct GridOnShow : ::testing::Test {
  void SetUp() override {
    Theme::instance().apply(ThemeChoice::Light);
    auto opened = data::Index::open(testing::drawnIndex());
    ASSERT_TRUE(opened.ok()) << opened.error().text();
    index = opened.value();
    pool = std::make_unique<PicturePool>(index, PictureKind::Thumbnail, 2, 64'000'000);
    auto all = std::make_shared<std::vector<data::ImageId>>(index->imageCount());
    std::iota(all->begin(), all->end(), 0u);
    grid.resize(800, 500);
    grid.setIndex(index, pool.get());
    grid.setImages(all);
    grid.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&grid));
  }
  void TearDown() override { grid.setIndex(nullptr, nullptr); }
  std::shared_ptr<const data::Index> index;
  std::unique_ptr<PicturePool> pool;
  ImageGrid grid;
};

TEST_F(GridOnShow, ShowsThumbnailsOfWhatIsVisible) {
  QTRY_VERIFY_WITH_TIMEOUT(!pool->picture(0).isNull(), 10000);
  EXPECT_GE(pool->picture(0).width(), 200);
}

// Whoever looks at one image large asks the same pool for others.
TEST_F(GridOnShow, AsksForItsThumbnailsAgainWhenItComesBack) {
  grid.hide();
  grid.verticalScrollBar()->setValue(grid.verticalScrollBar()->maximum());
  pool->want({});
  grid.show();
  for (data::ImageId back = 1; back <= 6; ++back) {
    QTRY_VERIFY_WITH_TIMEOUT(!pool->picture(index->imageCount() - back).isNull(), 10000);
  }
}

TEST_F(GridOnShow, WalksWithTheKeyboard) {
  QSignalSpy moved(&grid, &ImageGrid::currentChanged);
  QTest::keyClick(&grid, Qt::Key_Right);
  EXPECT_EQ(grid.currentRow(), 1u);
  QTest::keyClick(&grid, Qt::Key_Down);
  EXPECT_EQ(grid.currentRow(), 4u);
  QTest::keyClick(&grid, Qt::Key_End);
  EXPECT_EQ(grid.currentRow(), index->imageCount() - 1);
  EXPECT_EQ(grid.verticalScrollBar()->value(), grid.verticalScrollBar()->maximum());
  QTest::keyClick(&grid, Qt::Key_Home);
  EXPECT_EQ(grid.currentRow(), 0u);
  QTest::keyClick(&grid, Qt::Key_Left);
  EXPECT_EQ(grid.currentRow(), 0u);
  EXPECT_EQ(moved.count(), 4);
}

TEST_F(GridOnShow, SelectsRangesAndSingleTiles) {
  QTest::mouseClick(grid.viewport(), Qt::LeftButton, {}, grid.tileRect(0).center());
  QTest::mouseClick(grid.viewport(), Qt::LeftButton, Qt::ShiftModifier, grid.tileRect(3).center());
  EXPECT_EQ(grid.selectedImages().size(), 4u);
  QTest::mouseClick(grid.viewport(), Qt::LeftButton, Qt::ControlModifier, grid.tileRect(1).center());
  EXPECT_EQ(grid.selectedImages().size(), 3u);
}

TEST_F(GridOnShow, RubberBandSelectsWhatItTouches) {
  const QPoint from = grid.tileRect(2).topRight() + QPoint(4, 30), to = grid.tileRect(1).center();
  QTest::mousePress(grid.viewport(), Qt::LeftButton, {}, from);
  QTest::mouseMove(grid.viewport(), to);
  QTest::mouseRelease(grid.viewport(), Qt::LeftButton, {}, to);
  EXPECT_EQ(grid.selectedImages(), (std::vector<data::ImageId>{1, 2}));
}

using Images = std::vector<data::ImageId>;

TEST_F(GridOnShow, ADragThatStartsOnAnImageDrawsABandToo) {
  ASSERT_EQ(grid.tileRect(3).left(), grid.tileRect(0).left()) << "three in a row";
  QSignalSpy told(&grid, &ImageGrid::selectionChanged);
  QTest::mousePress(grid.viewport(), Qt::LeftButton, {}, grid.tileRect(0).center());
  QTest::mouseMove(grid.viewport(), grid.tileRect(0).center() + QPoint(1, 1));
  EXPECT_EQ(grid.selectedImages(), Images{0}) << "a hand that trembles is no drag";
  QTest::mouseMove(grid.viewport(), grid.tileRect(4).center());
  EXPECT_EQ(grid.selectedImages(), (Images{0, 1, 3, 4})) << "while one drags";
  EXPECT_GE(told.count(), 2);
  QTest::mouseRelease(grid.viewport(), Qt::LeftButton, {}, grid.tileRect(4).center());
  QTest::mouseMove(grid.viewport(), grid.tileRect(2).center());
  EXPECT_EQ(grid.selectedImages(), (Images{0, 1, 3, 4})) << "it ends with the button";
  EXPECT_EQ(grid.currentRow(), 0u);
}

TEST_F(GridOnShow, ABandWithCtrlAddsAndEscTakesItBack) {
  QTest::mouseClick(grid.viewport(), Qt::LeftButton, {}, grid.tileRect(0).center());
  const QPoint gap = grid.tileRect(2).topRight() + QPoint(4, 30);
  QTest::mousePress(grid.viewport(), Qt::LeftButton, Qt::ControlModifier, gap);
  QTest::mouseMove(grid.viewport(), grid.tileRect(5).center());
  EXPECT_EQ(grid.selectedImages(), (Images{0, 2, 5}));
  QTest::keyClick(&grid, Qt::Key_Escape);
  EXPECT_EQ(grid.selectedImages(), Images{0});
  QTest::mouseRelease(grid.viewport(), Qt::LeftButton, {}, gap);
  EXPECT_EQ(grid.selectedImages(), Images{0});
}

TEST_F(GridOnShow, ABandAtTheEdgeScrollsOnAndKeepsWhatItPassed) {
  const QPoint edge(grid.tileRect(2).center().x(), grid.viewport()->height() - 2);
  QTest::mousePress(grid.viewport(), Qt::LeftButton, {}, grid.tileRect(0).center());
  QTest::mouseMove(grid.viewport(), edge);
  QTRY_VERIFY_WITH_TIMEOUT(grid.selectedImages().size() > 20, 10000);
  QTest::mouseRelease(grid.viewport(), Qt::LeftButton, {}, edge);
  const Images chosen = grid.selectedImages();
  for (std::size_t i = 0; i < chosen.size(); ++i) EXPECT_EQ(chosen[i], i) << "whole rows from the first one on";
}

// How often a row of pixels turns from dark to light.
int strokesAlong(const QImage& image, int y) {
  int strokes = 0;
  bool before = false;
  for (int x = 0; x < image.width(); ++x) {
    const bool lit = qGray(image.pixel(x, y)) > 60;
    strokes += lit && !before;
    before = lit;
  }
  return strokes;
}

TEST_F(GridOnShow, OnlyAWrongPredictionIsDashed) {
  constexpr int kSide = 120, kTop = 20;
  QImage label(kSide, kSide, QImage::Format_RGB32), wrong(kSide, kSide, QImage::Format_RGB32);
  const auto& names = index->classNames();
  for (std::size_t type = 0; type < names.size(); ++type) {
    label.fill(Qt::black);
    QPainter painter(&label);
    paintBoxes(painter, *index, {{10, kTop, 100, 90, static_cast<std::uint8_t>(type)}}, QRectF(0, 0, kSide, kSide),
               kSide, {});
    painter.end();
    EXPECT_EQ(strokesAlong(label, kTop), 1) << names[type] << " in one line, in grey as well";
  }
  wrong.fill(Qt::black);
  data::PredictionSet::OnImage found;
  found.boxes.push_back({"pedestrian", {10, kTop, 100, 90}, 0.9, false});
  QPainter painter(&wrong);
  paintPredictions(painter, found, {}, *index, QRectF(0, 0, kSide, kSide), kSide, false);
  painter.end();
  EXPECT_GT(strokesAlong(wrong, kTop), 5);
}

TEST_F(GridOnShow, KeepsTheImageWhenTheListChanges) {
  grid.setCurrentRow(6);
  auto some = std::make_shared<std::vector<data::ImageId>>(std::vector<data::ImageId>{2, 4, 6, 8});
  grid.setImages(some);
  EXPECT_EQ(grid.currentRow(), 2u);
}

TEST_F(GridOnShow, SegmentsStandTogetherInTheOrderOfTheirFirstImage) {
  const data::ImageId second = index->firstImage(1), third = index->firstImage(2);
  const SegmentGroups groups = groupBySegment(*index, {third + 4, 7, second, third, 3});
  EXPECT_EQ(*groups.images, (Images{third + 4, third, 7, 3, second}));
  EXPECT_EQ(groups.starts, (std::vector<std::size_t>{0, 2, 4}));
  EXPECT_TRUE(groupBySegment(*index, {}).starts.empty());
}

TEST_F(GridOnShow, AClickOnTheNameOfASegmentChoosesItsImages) {
  grid.setCurrentRow(5);
  const SegmentGroups groups = groupBySegment(*index, *grid.images());
  grid.setImages(groups.images, groups.starts);
  EXPECT_EQ(grid.currentRow(), 5u) << "the image on show stays";
  ASSERT_EQ(groups.starts.size(), 3u);
  QTest::mouseClick(grid.viewport(), Qt::LeftButton, {}, grid.headerRect(0).center());
  EXPECT_EQ(grid.selectedImages().size(), index->firstImage(1));
  EXPECT_EQ(grid.selectedImages().back(), index->firstImage(1) - 1);
  QTest::keyClick(&grid, Qt::Key_End);
  EXPECT_EQ(grid.headerRect(2).top(), 0) << "the name of a segment stays while its images pass";
  EXPECT_GE(grid.tileRect(grid.currentRow()).top(), grid.headerRect(2).bottom());
  QTest::mouseClick(grid.viewport(), Qt::LeftButton, Qt::ControlModifier, grid.headerRect(2).center());
  EXPECT_EQ(grid.selectedImages().size(), index->imageCount() - index->firstImage(2));
  QTest::keyClick(&grid, Qt::Key_Home);
  EXPECT_GE(grid.tileRect(0).top(), grid.headerRect(0).bottom()) << "not below the name";
}

TEST_F(GridOnShow, EnterOpens) {
  QSignalSpy opened(&grid, &ImageGrid::activated);
  QTest::keyClick(&grid, Qt::Key_Return);
  QTest::keyClick(&grid, Qt::Key_Space);
  EXPECT_EQ(opened.count(), 2);
}

TEST_F(GridOnShow, ForgetsWhatScrolledAway) {
  // The list of wanted pictures is replaced as a whole: after a jump to the end the first pages are not decoded.
  PicturePool fresh(index, PictureKind::Full, 1, 400'000'000);
  std::vector<data::ImageId> first(60), last{static_cast<data::ImageId>(index->imageCount() - 1)};
  std::iota(first.begin(), first.end(), 0u);
  QSignalSpy ready(&fresh, &PicturePool::ready);
  fresh.want(first);
  fresh.want(last);
  QTRY_VERIFY_WITH_TIMEOUT(fresh.idle() && !fresh.picture(last[0]).isNull(), 20000);
  EXPECT_LE(ready.count(), 2);
}

TEST_F(GridOnShow, ImageViewZoomsToTheCursor) {
  ImageView view;
  view.resize(600, 400);
  view.setIndex(index);
  view.setImage(data::ImageId(0), {});
  const QPointF at(150, 100);
  const QPointF before = (at - view.imageRect().topLeft()) / view.zoom();
  view.zoomBy(4, at);
  const QPointF after = (at - view.imageRect().topLeft()) / view.zoom();
  EXPECT_NEAR(before.x(), after.x(), 0.01);
  EXPECT_NEAR(before.y(), after.y(), 0.01);
  QTest::mouseDClick(&view, Qt::LeftButton, {}, {300, 200});
  EXPECT_NEAR(view.imageRect().width(), std::min(600.0, 400.0 * 1.5), 2);
}

}  // namespace
}  // namespace roadtune::widgets

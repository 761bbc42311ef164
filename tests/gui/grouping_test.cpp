// SPDX-License-Identifier: GPL-3.0-or-later
// Images of a segment together in the grid: chosen from the menu, kept while queries change and for the next time.
#include "core/data/index/index.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/sample_view.h"

#include <set>

namespace roadtune::testing {
namespace {

struct GroupingTest : StudioTest {
  void openData() {
    index = data::Index::open(drawnIndex()).value();
    studio::Options options;
    options.data = QString::fromStdString(drawnIndex().string());
    options.page = "data";
    open(options);
    ASSERT_TRUE(waitFor([&] { return images().size() == index->imageCount(); }));
  }
  widgets::ImageGrid* grid() const { return window()->dataPage()->grid(); }
  const std::vector<data::ImageId>& images() const { return *grid()->images(); }
  bool together() const {  // each segment's images in one piece
    std::set<std::uint32_t> ended;
    for (std::size_t i = 1; i < images().size(); ++i) {
      const auto before = index->locate(images()[i - 1]).first, here = index->locate(images()[i]).first;
      if (before != here && (ended.insert(before), ended.contains(here))) return false;
    }
    return true;
  }

  std::shared_ptr<const data::Index> index;
};

TEST_F(GroupingTest, AnOrderIsKeptWithinEachSegment) {
  openData();
  chooseFrom(find<QToolButton>("sortMenu"), "Most boxes first");
  ASSERT_TRUE(waitFor([&] { return !together(); })) << "the order mixes segments";
  const auto boxes = [&](data::ImageId image) { return index->image(image).boxCount; };
  const data::ImageId fullest = images().front();
  chooseFrom(find<QToolButton>("sortMenu"), "Group by segment");
  EXPECT_TRUE(together());
  EXPECT_EQ(images().size(), index->imageCount());
  EXPECT_EQ(images().front(), fullest);
  for (std::size_t i = 1; i < images().size(); ++i)
    if (index->locate(images()[i - 1]).first == index->locate(images()[i]).first) {
      EXPECT_GE(boxes(images()[i - 1]), boxes(images()[i]));
    }
  EXPECT_EQ(find<QToolButton>("sortMenu")->text(), "Most boxes first") << "grouping is no order";
}

TEST_F(GroupingTest, ItStaysForOtherQueriesAndForTheNextTime) {
  openData();
  chooseFrom(find<QToolButton>("sortMenu"), "Group by segment");
  studio.reset();
  openData();
  EXPECT_TRUE(find<QAction>("groupBySegment")->isChecked());
  window()->dataPage()->queryLine()->setText("camera=front sort by n desc");
  ASSERT_TRUE(waitFor([&] { return images().size() == index->imageCount() / 5; }));
  EXPECT_TRUE(together());
  grid()->setFocus();
  QTest::keyClick(grid(), Qt::Key_Return);
  widgets::SampleView* sample = window()->dataPage()->sample();
  ASSERT_EQ(sample->image(), images().front());
  QTest::keyClick(sample, Qt::Key_End);
  EXPECT_EQ(sample->image(), images().back()) << "the large view walks in the grid's order";
}

}  // namespace
}  // namespace roadtune::testing

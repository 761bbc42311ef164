// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/source/augment_sample.h"

#include <gtest/gtest.h>

#include <set>

namespace roadtune::data {
namespace {

// A dark picture with one bright rectangle, and a sample that says where it is.
struct Marked {
  Image image = Image(120, 80);
  Sample sample;

  explicit Marked(text::LocBox box = {30, 20, 60, 50}) {
    std::fill(image.pixels.begin(), image.pixels.end(), std::uint8_t{10});
    for (int y = static_cast<int>(box.y1); y < static_cast<int>(box.y2); ++y)
      for (int x = static_cast<int>(box.x1); x < static_cast<int>(box.x2); ++x)
        for (int c = 0; c < 3; ++c) image.row(y)[3 * x + c] = 250;
    sample.prefix = "detect vehicle";
    sample.boxes = {{box, "vehicle"}};
    sample.width = image.width;
    sample.height = image.height;
    sample.suffix = text::detectionTarget(sample.boxes, image.width, image.height, sample.ordering, 0);
  }
};

// Where the bright pixels are.
text::LocBox brightArea(const Image& image) {
  text::LocBox box{1e9, 1e9, -1, -1};
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.row(y)[3 * x] > 200)
        box = {std::min<double>(box.x1, x), std::min<double>(box.y1, y), std::max<double>(box.x2, x + 1),
               std::max<double>(box.y2, y + 1)};
  return box;
}

TEST(Augment, BoxesStayOnWhatTheyMark) {
  const AugmentSpec spec{.flip = 0.5, .crop = 0.4, .scale = 0.3, .color = 0};
  int moved = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Marked marked;
    augmentSample(spec, seed, marked.image, marked.sample);
    if (marked.sample.boxes.empty()) continue;
    const auto seen = brightArea(marked.image);
    const auto& box = marked.sample.boxes[0].box;
    EXPECT_EQ(box.x1, seen.x1) << seed;
    EXPECT_EQ(box.y1, seen.y1) << seed;
    EXPECT_EQ(box.x2, seen.x2) << seed;
    EXPECT_EQ(box.y2, seen.y2) << seed;
    EXPECT_EQ(marked.sample.suffix, text::encodeBox(box, marked.image.width, marked.image.height) + " vehicle") << seed;
    moved += box.x1 != 30 || box.y1 != 20;
  }
  EXPECT_GT(moved, 150);
}

TEST(Augment, TheSeedAloneDecides) {
  const AugmentSpec spec{.flip = 0.5, .crop = 0.3, .scale = 0.3, .color = 0.4};
  std::set<std::vector<std::uint8_t>> different;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Marked one, two;
    augmentSample(spec, seed, one.image, one.sample);
    augmentSample(spec, seed, two.image, two.sample);
    EXPECT_EQ(one.image, two.image);
    EXPECT_EQ(one.sample.suffix, two.sample.suffix);
    different.insert(one.image.pixels);
  }
  EXPECT_EQ(different.size(), 20u);
}

TEST(Augment, NothingIsChangedWhenNothingIsAsked) {
  Marked marked;
  const Marked before;
  augmentSample({}, 7, marked.image, marked.sample);
  EXPECT_EQ(marked.image, before.image);
  EXPECT_EQ(marked.sample.suffix, before.sample.suffix);
}

TEST(Augment, ABoxThatLeavesThePictureLeavesTheAnswer) {
  const AugmentSpec spec{.crop = 0.9};
  bool dropped = false;
  for (std::uint64_t seed = 0; seed < 50 && !dropped; ++seed) {
    Marked marked({0, 0, 6, 6});
    augmentSample(spec, seed, marked.image, marked.sample);
    dropped = marked.sample.boxes.empty();
    EXPECT_EQ(dropped, marked.sample.suffix.empty());
  }
  EXPECT_TRUE(dropped);
}

TEST(Augment, BoxesWrittenAsTextMoveToo) {
  Marked marked;
  marked.sample.boxes.clear();
  augmentSample({.flip = 1}, 1, marked.image, marked.sample);
  ASSERT_EQ(marked.sample.boxes.size(), 1u);
  EXPECT_NEAR(marked.sample.boxes[0].box.x1, 60, 0.1);
  EXPECT_NEAR(marked.sample.boxes[0].box.x2, 90, 0.1);
  EXPECT_EQ(marked.sample.suffix.find("<loc"), 0u);
}

TEST(Augment, TextThatKnowsSidesIsNotMirrored) {
  Marked marked({0, 0, 10, 10});
  marked.sample.boxes.clear();
  marked.sample.prefix = "answer en where is the car?";
  marked.sample.suffix = "on the left";
  augmentSample({.flip = 1, .crop = 0.5}, 3, marked.image, marked.sample);
  EXPECT_EQ(brightArea(marked.image).x1, 0);
  EXPECT_EQ(marked.image.width, 120);
  marked.sample.suffix = "two cars";
  augmentSample({.flip = 1, .crop = 0.5}, 3, marked.image, marked.sample);
  EXPECT_EQ(brightArea(marked.image).x2, 120);
  EXPECT_EQ(marked.image.width, 120) << "a question's picture is not cropped";
}

TEST(Augment, AnswersThatAreNoListOfBoxesKeepTheirPicture) {
  Marked marked({0, 0, 10, 10});
  marked.sample.boxes.clear();
  marked.sample.suffix = "<loc0001><loc0002><loc0003><loc0004><seg001> car";
  const auto suffix = marked.sample.suffix;
  augmentSample({.flip = 1, .crop = 0.5, .scale = 0.5}, 3, marked.image, marked.sample);
  EXPECT_EQ(marked.sample.suffix, suffix);
  EXPECT_EQ(brightArea(marked.image).x1, 0);
}

TEST(Augment, ColourChangesPixelsAndNothingElse) {
  Marked marked;
  const Marked before;
  augmentSample({.color = 0.5}, 5, marked.image, marked.sample);
  EXPECT_EQ(marked.sample.suffix, before.sample.suffix);
  EXPECT_EQ(marked.image.width, before.image.width);
  EXPECT_NE(marked.image, before.image);
}

}  // namespace
}  // namespace roadtune::data

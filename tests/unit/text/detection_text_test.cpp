// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/detection_text.h"

#include "core/base/random.h"
#include "tests/unit/text/small_tokenizer.h"

#include <cmath>
#include <limits>
#include <set>

namespace roadtune::text {
namespace {

using testing::smallTokenizer;

TEST(LocCodec, BinsAreThoseOfBigVision) {
  EXPECT_EQ(locBin(0.0), 0);
  EXPECT_EQ(locBin(1.0), 1023);
  EXPECT_EQ(locBin(0.5), 512);       // 511.5: halves to even
  EXPECT_EQ(locBin(0.5 / 1023), 0);  // 0.5: to even
  EXPECT_EQ(locBin(1.5 / 1023), 2);
  EXPECT_EQ(locBin(-3.0), 0);
  EXPECT_EQ(locBin(1.2), 1023);
  EXPECT_EQ(locBin(std::numeric_limits<double>::quiet_NaN()), 0);
  EXPECT_EQ(locBin(std::numeric_limits<double>::infinity()), 1023);
}

TEST(LocCodec, EveryBinDecodesToItself) {
  for (int bin = 0; bin < kLocBins; ++bin) EXPECT_EQ(locBin(locUnit(bin)), bin);
  EXPECT_DOUBLE_EQ(locUnit(512, LocDecoding::Over1024), 0.5);
}

TEST(LocCodec, BoxesAreWrittenTopLeftBottomRightWithYFirst) {
  EXPECT_EQ(encodeBox({0, 10, 20, 40}, 40, 40), "<loc0256><loc0000><loc1023><loc0512>");
}

const std::vector<LabelledBox> kBoxes = {
    {{50, 60, 70, 80}, "sign"}, {{0, 0, 90, 90}, "vehicle"}, {{10, 0, 20, 5}, "cyclist"}};

TEST(DetectionTarget, OrdersAsAsked) {
  const auto labels = [](BoxOrdering ordering) {
    std::string order;
    for (const auto& box : parseDetections(detectionTarget(kBoxes, 100, 100, ordering, 1), 100, 100).boxes)
      order += box.label[0];
    return order;
  };
  EXPECT_EQ(labels(BoxOrdering::AsGiven), "svc");
  EXPECT_EQ(labels(BoxOrdering::TopLeft), "vcs");
  EXPECT_EQ(labels(BoxOrdering::LargestFirst), "vsc");
}

TEST(DetectionTarget, ShufflingDependsOnTheSeedAlone) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto target = detectionTarget(kBoxes, 100, 100, BoxOrdering::Shuffled, seed);
    EXPECT_EQ(target, detectionTarget(kBoxes, 100, 100, BoxOrdering::Shuffled, seed));
    seen.insert(target);
  }
  EXPECT_EQ(seen.size(), 6u);
}

TEST(DetectionTarget, HasNoSeparatorAtTheEndAndMayBeEmpty) {
  EXPECT_EQ(detectionTarget({}, 10, 10, BoxOrdering::AsGiven, 0), "");
  EXPECT_EQ(detectionTarget({kBoxes[0]}, 100, 100, BoxOrdering::AsGiven, 0),
            "<loc0614><loc0512><loc0818><loc0716> sign");
  EXPECT_EQ(detectionPrompt({"vehicle", "pedestrian"}), "detect vehicle ; pedestrian");
}

TEST(DetectionTarget, OrderingsHaveNames) {
  EXPECT_EQ(parseBoxOrdering("top_left").value(), BoxOrdering::TopLeft);
  EXPECT_NE(parseBoxOrdering("random").error().text().find("shuffle"), std::string::npos);
}

ParsedDetections fromIds(const std::string& text) {
  return parseDetections(smallTokenizer(), smallTokenizer().encode(text), 1023, 1023);
}

TEST(ParseDetections, ReadsBackWhatWasWritten) {
  const auto target = detectionTarget(kBoxes, 1023, 1023, BoxOrdering::AsGiven, 0);
  for (const auto& parsed : {fromIds(target), parseDetections(target, 1023, 1023)}) {
    ASSERT_EQ(parsed.boxes.size(), 3u);
    EXPECT_EQ(parsed.malformed, 0u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(parsed.boxes[i].label, kBoxes[i].label);
      EXPECT_NEAR(parsed.boxes[i].box.x1, kBoxes[i].box.x1, 0.5);
      EXPECT_NEAR(parsed.boxes[i].box.y2, kBoxes[i].box.y2, 0.5);
      EXPECT_TRUE(parsed.boxes[i].valid);
    }
  }
}

TEST(ParseDetections, SaysWhichTokensAnObjectCameFrom) {
  const auto parsed =
      fromIds("<loc0001><loc0002><loc0003><loc0004> sign ; <loc0005><loc0006><loc0007><loc0008> cyclist");
  ASSERT_EQ(parsed.boxes.size(), 2u);
  EXPECT_EQ(parsed.boxes[0].firstToken, 0u);
  EXPECT_EQ(parsed.boxes[0].tokens, 5u);
  EXPECT_EQ(parsed.boxes[1].firstToken, 7u);  // behind " ;" and the lone blank
  EXPECT_EQ(parsed.boxes[1].tokens, 5u);
}

TEST(ParseDetections, KeepsLabelsOfSeveralWordsAndOddCharacters) {
  const auto parsed =
      fromIds("<loc0001><loc0002><loc0003><loc0004> stop-sign (red) é; <loc0001><loc0002><loc0003><loc0004> b");
  ASSERT_EQ(parsed.boxes.size(), 2u);
  EXPECT_EQ(parsed.boxes[0].label, "stop-sign (red) é");
}

TEST(ParseDetections, CountsBrokenPiecesAndGoesOn) {
  const auto parsed = fromIds(
      "<loc0001><loc0002> sign ; noise ; <loc0001><loc0002><loc0003><loc0004><loc0005> five ; "
      "<loc0001><loc0002><loc0003><loc0004> ; ; <loc0001><loc0002><loc0003><loc0004> good");
  ASSERT_EQ(parsed.boxes.size(), 1u);
  EXPECT_EQ(parsed.boxes[0].label, "good");
  EXPECT_EQ(parsed.malformed, 4u);
}

TEST(ParseDetections, AMissingSeparatorIsForgiven) {
  const auto parsed = fromIds("<loc0001><loc0002><loc0003><loc0004> a<loc0005><loc0006><loc0007><loc0008> b");
  ASSERT_EQ(parsed.boxes.size(), 2u);
  EXPECT_EQ(parsed.boxes[0].label, "a");
}

TEST(ParseDetections, SegmentationCodesAreSkipped) {
  std::string text = "<loc0001><loc0002><loc0003><loc0004>";
  for (int i = 0; i < 16; ++i) text += segToken(i);
  const auto parsed = fromIds(text + " sign");
  ASSERT_EQ(parsed.boxes.size(), 1u);
  EXPECT_EQ(parsed.boxes[0].label, "sign");
}

TEST(ParseDetections, StopsAtEosAndMarksBoxesThatAreInsideOut) {
  const auto parsed = fromIds("<loc0010><loc0002><loc0003><loc0004> a<eos><loc0001><loc0002><loc0003><loc0004> b");
  ASSERT_EQ(parsed.boxes.size(), 1u);
  EXPECT_FALSE(parsed.boxes[0].valid);
}

TEST(ParseDetections, SelectableDecodingShrinksBoxes) {
  const auto ids = smallTokenizer().encode("<loc0000><loc0000><loc1023><loc1023> a");
  EXPECT_DOUBLE_EQ(parseDetections(smallTokenizer(), ids, 1024, 1024, LocDecoding::Over1024).boxes[0].box.x2, 1023.0);
  EXPECT_DOUBLE_EQ(parseDetections(smallTokenizer(), ids, 1024, 1024).boxes[0].box.x2, 1024.0);
}

TEST(ParseDetections, NeverFailsOnRandomOutput) {
  const auto& tokenizer = smallTokenizer();
  Random random(8);
  const auto semicolon = *tokenizer.idOf(";");
  for (int round = 0; round < 5000; ++round) {
    TokenIds ids;
    for (std::uint64_t n = random.below(30); n > 0; --n) {
      const auto kind = random.below(10);
      if (kind < 5)
        ids.push_back(tokenizer.special().firstLoc + static_cast<std::int64_t>(random.below(1024)));
      else if (kind == 5)
        ids.push_back(semicolon);
      else
        ids.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(tokenizer.size()) + 10)));
    }
    for (const auto& box : parseDetections(tokenizer, ids, 100, 100).boxes) {
      EXPECT_LE(box.firstToken + box.tokens, ids.size());
      EXPECT_FALSE(box.label.empty());
    }
    parseDetections(tokenizer.decode(ids), 100, 100);
  }
}

TEST(ParseDetections, TextThatOnlyLooksLikeLocationsIsNoBox) {
  for (const char* text :
       {"<loc00><loc0001", "<loc1024><loc1024><loc1024><loc1024> a", "loc0001", "<", "<<<<", "<loc", ""})
    EXPECT_TRUE(parseDetections(text, 10, 10).boxes.empty()) << text;
}

}  // namespace
}  // namespace roadtune::text

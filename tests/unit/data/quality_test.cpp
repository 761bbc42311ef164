// SPDX-License-Identifier: GPL-3.0-or-later
// What an index means for training: sizes, balance, gaps, repetition, lengths.
#include "core/base/files.h"
#include "core/base/random.h"
#include "core/data/image/encode.h"
#include "core/data/quality/label_quality.h"
#include "core/data/quality/near_duplicates.h"
#include "core/data/quality/stationary.h"
#include "core/data/quality/text_length.h"
#include "core/data/quality/token_lengths.h"
#include "core/text/prompt.h"
#include "core/text/tiny_tokenizer.h"
#include "tests/unit/data/fake_recordings.h"

#include <gtest/gtest.h>

namespace roadtune::data {
namespace {

class Quality : public ::testing::Test {
 protected:
  std::shared_ptr<const Index> import(std::vector<Recording> recordings) {
    folder.write("x.fake", "x");
    RecordingReaders readers;
    readers.push_back(std::make_unique<FakeReader>(std::move(recordings)));
    ImportRequest request;
    request.sources = {folder / "x.fake"};
    request.out = folder / "index";
    QuietProgress quiet;
    const auto imported = importInto(request, readers, quiet);
    EXPECT_TRUE(imported.ok());
    auto index = Index::open(folder / "index");
    EXPECT_TRUE(index.ok());
    return index.value();
  }

  static Recording recording(const std::string& name, const std::string& time) {
    Recording r;
    r.name = name;
    r.time = time;
    r.format = "fake";
    return r;
  }

  testing::TempFolder folder;
};

TEST_F(Quality, SizesBordersAndEmptiesAreCountedByHand) {
  Recording night = recording("a", "Night"), day = recording("b", "");
  // 1920 x 1280 squashed to 448: x shrinks by 4.29, y by 2.86.
  night.images = {fakeImage(0, Camera::Front,
                            {fakeBox(kVehicle, 100, 100, 40, 40),      // 9.3 model pixels wide
                             fakeBox(kPedestrian, 200, 0, 30, 90, 2),  // 7.0, at the upper edge
                             fakeBox(kPedestrian, 5, 5, 2, 2)}),
                  fakeImage(0, Camera::SideLeft, {}), fakeImage(100, Camera::Front, {}, false)};
  day.images = {fakeImage(0, Camera::Front, {fakeBox(kVehicle, 0, 0, 1920, 1280)})};
  const LabelQuality q = measureLabels(*import({night, day}), {448});
  EXPECT_EQ(q.images, 4u);
  EXPECT_EQ(q.labelled, 3u);
  EXPECT_EQ(q.empty, 1u);
  EXPECT_EQ(q.unlabelled, 1u);
  EXPECT_EQ(q.boxes, 4u);
  EXPECT_EQ(q.hard, 1u);
  EXPECT_EQ(q.border, 2u);
  EXPECT_EQ(q.borderPerClass.at("pedestrian"), 1u);
  EXPECT_EQ(q.twoPixels, 1u);
  ASSERT_EQ(q.sizes.size(), 1u);
  EXPECT_EQ(q.sizes[0].below, (std::array<std::size_t, 5>{1, 1, 2, 3, 3}));  // below 2, 4, 8, 16, 32
  EXPECT_EQ(q.sizes[0].perClass.at("vehicle").survive, 2u);
  EXPECT_EQ(q.sizes[0].perClass.at("pedestrian").survive, 0u);
  EXPECT_EQ(q.balance.at("time").at("Night").images, 3u);
  EXPECT_EQ(q.balance.at("time").at("Night").perClass.at("pedestrian"), 2u);
  EXPECT_EQ(q.balance.at("time").at("unknown").boxes, 1u);
  EXPECT_EQ(q.balance.at("camera").at("SIDE_LEFT").empty, 1u);
  // The rig has two cameras; the second frame of a, and all of b, lack the side.
  EXPECT_EQ(q.rigFrames, 3u);
  EXPECT_EQ(q.missingPerCamera, (std::map<std::string, std::size_t>{{"SIDE_LEFT", 2}}));
  ASSERT_EQ(q.missingCameras.size(), 1u);
  EXPECT_EQ(q.missingCameras[0].segment, "b");
}

TEST_F(Quality, AVehicleThatStandsIsFoundFromItsPoses) {
  Recording r = recording("a", "Day");
  double x = 0;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t time = i * 100'000;
    r.images.push_back(fakeImage(time, Camera::Front, {}));
    r.images.push_back(fakeImage(time, Camera::SideLeft, {}));
    x += i >= 6 && i < 14 ? 0.01 : 1.0;  // 0.1 m/s between frames 5 and 13
    r.positions[time] = {x, 0, 0};
  }
  const auto index = import({r});
  const StationaryFrames still = findStationary(*index);
  EXPECT_EQ(still.framesWithPose, 20u);
  ASSERT_EQ(still.stretches.size(), 1u);
  EXPECT_EQ(still.stretches[0].first, 500'000);
  EXPECT_EQ(still.stretches[0].last, 1'300'000);
  EXPECT_EQ(still.stretches[0].frames, 9u);
  EXPECT_EQ(still.redundantFrames, 8u);
  EXPECT_EQ(still.redundantImages, 16u);
  EXPECT_TRUE(findStationary(*index, 0.05).stretches.empty());
  EXPECT_TRUE(findStationary(*index, 0.2, 10).stretches.empty());
}

TEST_F(Quality, HashesAreGroupedAsComparingEveryPairWould) {
  Random random(5);
  for (const int distance : {0, 3, 6, 15}) {
    std::vector<std::optional<std::uint64_t>> hashes;
    for (int i = 0; i < 400; ++i) {
      std::uint64_t hash = random.next();
      if (i > 0 && hashes[static_cast<std::size_t>(i) - 1] && random.below(2)) {
        hash = *hashes[static_cast<std::size_t>(i) - 1];
        for (std::uint64_t flips = random.below(10); flips > 0; --flips) hash ^= 1ull << random.below(64);
      }
      hashes.push_back(random.below(20) ? std::optional(hash) : std::nullopt);
    }
    const auto found = groupHashes(hashes, distance);
    std::vector<std::size_t> firsts;
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      if (!hashes[i]) continue;
      std::size_t expected = i;
      for (const std::size_t first : firsts)
        if (std::popcount(*hashes[first] ^ *hashes[i]) <= distance) {
          expected = first;
          break;
        }
      if (expected == i) firsts.push_back(i);
      EXPECT_EQ(found[i], expected) << i;
    }
  }
}

class TextSource : public SampleSource {
 public:
  explicit TextSource(std::vector<std::string> answers) : m_answers(std::move(answers)) {}
  std::size_t size() const override { return m_answers.size(); }
  Result<Sample> get(std::size_t i, std::uint64_t epoch) const override { return text(i, epoch); }
  Result<Sample> text(std::size_t i, std::uint64_t) const override {
    Sample sample;
    sample.id = "sample " + std::to_string(i);
    sample.prefix = "detect vehicle";
    sample.suffix = m_answers[i];
    return sample;
  }

 private:
  std::vector<std::string> m_answers;
};

TEST_F(Quality, TheLongestTextIsFoundWithoutLookingAtPictures) {
  ASSERT_TRUE(text::writeTinyTokenizer(folder.path()).ok());
  const auto tokenizer = text::Tokenizer::load(folder.path()).value();
  std::vector<std::string> answers(37, "<loc0001><loc0002><loc0003><loc0004> vehicle");
  answers[22] += " ; " + answers[0];
  const auto whole = text::encodePrompt(tokenizer, "detect vehicle", answers[22], {.imageTokens = 64}).value();
  const auto found = longestText(TextSource(answers), tokenizer, 60);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->tokens + 64, static_cast<int>(whole.inputIds.size()));
  EXPECT_EQ(found->answer, static_cast<int>(whole.inputIds.size() - whole.prefixLength));
  EXPECT_EQ(found->looked, 37u) << "every sample once";
  EXPECT_EQ(longestText(TextSource(answers), tokenizer, 0)->looked, 1u) << "no longer than it may";
  EXPECT_FALSE(longestText(TextSource({}), tokenizer, 60).has_value());
}

TEST(PlannedLength, GoesByTheDataThenByTheLimitThenByWhatIsUsual) {
  using From = PlannedLength::From;
  const TextLength data{.tokens = 300, .answer = 280, .looked = 10, .samples = 20};
  EXPECT_EQ(planLength(data, 0, 256).text, 300);
  EXPECT_EQ(planLength(data, 0, 256).answer, 280);
  EXPECT_EQ(planLength(data, 1024, 256).from, From::Data) << "a limit beyond the longest changes nothing";
  const auto cut = planLength(data, 356, 256);
  EXPECT_EQ(cut.from, From::Limit);
  EXPECT_EQ(cut.text, 100);
  EXPECT_EQ(cut.answer, 100);
  EXPECT_EQ(planLength(std::nullopt, 356, 256).text, 100);
  EXPECT_EQ(planLength(std::nullopt, 0, 256).from, From::Usual);
  EXPECT_EQ(planLength(std::nullopt, 100, 256).text, 64) << "a limit below the picture leaves no room to go by";
}

TEST_F(Quality, TokenLengthsAreThoseOfWholeSamples) {
  ASSERT_TRUE(text::writeTinyTokenizer(folder.path()).ok());
  const auto tokenizer = text::Tokenizer::load(folder.path());
  ASSERT_TRUE(tokenizer.ok());
  std::vector<std::string> answers;
  for (int i = 0; i < 50; ++i) {
    std::string answer;
    for (int box = 0; box < i % 7; ++box)
      answer += (box ? " ; " : "") + std::string("<loc0001><loc0002><loc0003><loc0004> vehicle");
    answers.push_back(answer);
  }
  QuietProgress quiet;
  const TextSource source(answers);
  const auto measured = measureTokenLengths(
      source, tokenizer.value(), {.imageTokens = 64, .maxLength = 90, .most = 0, .jobs = 2, .nameCut = true}, quiet);
  ASSERT_TRUE(measured.ok());
  std::vector<std::size_t> lengths;
  for (const std::string& answer : answers)
    lengths.push_back(text::encodePrompt(tokenizer.value(), "detect vehicle", answer,
                                         {.imageTokens = 64, .images = 1, .maxLength = 0})
                          .value()
                          .inputIds.size());
  const auto tooLong = std::find_if(lengths.begin(), lengths.end(), [](auto length) { return length > 90; });
  const std::string firstCut = "sample " + std::to_string(tooLong - lengths.begin());
  std::sort(lengths.begin(), lengths.end());
  EXPECT_EQ(measured.value().longest, lengths.back());
  EXPECT_EQ(measured.value().median, lengths[25]);
  EXPECT_EQ(measured.value().longestSample, "sample 6");
  EXPECT_EQ(measured.value().truncated,
            static_cast<std::size_t>(std::count_if(lengths.begin(), lengths.end(), [](auto n) { return n > 90; })));
  EXPECT_GT(measured.value().truncated, 0u);
  EXPECT_EQ(measured.value().cut.size(), measured.value().truncated);
  EXPECT_EQ(measured.value().cut.front(), firstCut);
  std::size_t inBins = 0;
  for (const auto& bin : measured.value().histogram) inBins += bin.samples;
  EXPECT_EQ(inBins, 50u);
  EXPECT_GE(measured.value().histogram.back().upTo, lengths.back());
}

}  // namespace
}  // namespace roadtune::data

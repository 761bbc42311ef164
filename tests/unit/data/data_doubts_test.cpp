// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations that say less than they seem to.
#include "core/data/source/data_doubts.h"

#include "core/config/document.h"
#include "core/config/resolve.h"
#include "core/data/quality/length_doubts.h"
#include "core/data/source/run_sources.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/data/fake_recordings.h"

#include <gmock/gmock.h>

#include <fstream>

namespace roadtune::data {
namespace {

using roadtune::testing::TempFolder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Recordings of three pictures each, every one in a split.
class Recordings : public SampleSource {
 public:
  using Named = std::vector<std::pair<std::string, std::string>>;
  explicit Recordings(Named named) : m_named(std::move(named)) {}
  std::size_t size() const override { return 3 * m_named.size(); }
  Result<Sample> get(std::size_t i, std::uint64_t) const override { return Sample{.id = std::to_string(i)}; }
  Result<Sample> text(std::size_t i, std::uint64_t epoch) const override { return get(i, epoch); }
  std::string group(std::size_t i) const override { return m_named[i / 3].first; }
  std::string split(std::size_t i) const override { return m_named[i / 3].second; }

 private:
  Named m_named;
};

TEST(TrainEvalOverlap, HonestDataIsNotDoubted) {
  const Recordings train({{"a", "training"}, {"b", "training"}}), eval(Recordings::Named{{"c", "validation"}});
  EXPECT_THAT(doubtsAboutEvaluation(train, &eval, 10), IsEmpty());
  EXPECT_THAT(doubtsAboutEvaluation(eval, nullptr, 10), IsEmpty()) << "a split alone may be all that one has";
}

TEST(TrainEvalOverlap, WhatIsTrainedOnSaysLittle) {
  const Recordings train({{"a", ""}, {"b", ""}}), eval({{"b", ""}, {"c", ""}});
  const auto doubts = doubtsAboutEvaluation(train, &eval, 10);
  ASSERT_THAT(doubts, SizeIs(1));
  EXPECT_EQ(doubts[0].where, "eval_data");
  EXPECT_THAT(doubts[0].what,
              HasSubstr("3 of its 6 samples are of recordings or pictures that are trained on, such as b"));
}

TEST(TrainEvalOverlap, SplitsThatAreSetApartAreNamed) {
  const Recordings train({{"a", "training"}, {"b", "validation"}, {"c", "validation"}, {"d", ""}});
  const auto doubts = doubtsAboutEvaluation(train, nullptr, 10);
  ASSERT_THAT(doubts, SizeIs(1));
  EXPECT_EQ(doubts[0].where, "train_data");
  EXPECT_THAT(doubts[0].what, HasSubstr("6 of its samples are of the validation split"));
  EXPECT_EQ(doubts[0].hint, "train_query: split=training");
}

// Two files of questions, of which the second asks about pictures of the first.
struct QuestionFiles : ::testing::Test {
  QuestionFiles() {
    write("train.jsonl", {"img/1.jpg", "img/2.jpg"});
    write("eval.jsonl", {"./img/2.jpg", "img/3.jpg", "img/4.jpg"});
    std::filesystem::create_directory(folder / "other");
    write("other/eval.jsonl", {"img/1.jpg"});
    std::filesystem::create_directory(folder / "img");
    for (const char* picture : {"img/1.jpg", "img/2.jpg"}) std::ofstream(folder / picture) << "a picture";
  }
  void write(const char* name, const std::vector<std::string>& images) {
    std::ofstream file(folder / name);
    for (const auto& image : images)
      file << R"({"image": ")" << image << R"(", "prefix": "q", "suffix": "a"})"
           << "\n";
  }
  config::RunConfig runWith(const std::string& more) {
    const std::string text = "train_data: " + (folder / "train.jsonl").string() + "\ntask: vqa\n" + more;
    std::ofstream(folder / "job.yaml") << text;
    const auto document = config::Document::load(folder / "job.yaml");
    EXPECT_TRUE(document.ok());
    const auto resolved = config::resolve(document.value(), {config::Purpose::Editing});
    EXPECT_TRUE(resolved.config) << config::toText(resolved.problems);
    return *resolved.config;
  }
  std::vector<config::Problem> doubts(const std::string& more) { return dataDoubts(runWith(more), 10); }
  TempFolder folder;
};

TEST_F(QuestionFiles, OfTheSamePicturesAreDoubtedAtTheirLine) {
  const auto found = doubts("eval_data: " + (folder / "eval.jsonl").string() + "\n");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].severity, config::Severity::Warning);
  EXPECT_EQ(found[0].line, 3);
  EXPECT_THAT(found[0].message, HasSubstr("1 of its 3 samples"));
}

TEST_F(QuestionFiles, LinesThatCannotBeUsedAreCountedBeforeTheStart) {
  std::ofstream(folder / "train.jsonl", std::ios::app) << "not json\n{\"image\":7}\n";
  for (const char* more : {"", "on_bad_sample: stop\n"}) {
    const auto found = doubts(more);
    ASSERT_THAT(found, SizeIs(1)) << more;
    EXPECT_THAT(found[0].message, HasSubstr("2 of "));
    EXPECT_THAT(found[0].message, HasSubstr("the line is not a JSON object"));
    EXPECT_EQ(found[0].severity, *more ? config::Severity::Error : config::Severity::Warning);
  }
}

TEST_F(QuestionFiles, AnswersThatAreMissingOrBrokenAreCountedBeforeTheStart) {
  std::ofstream(folder / "train.jsonl", std::ios::app) << R"({"image": "img/1.jpg", "prefix": "q"}
{"image": "img/1.jpg", "prefix": "q", "suffix": "an <image> in it"}
{"image": "img/1.jpg", "prefix": "detect car", "suffix": "<loc0001><loc0002><loc0030><loc0040> car"}
{"image": "img/1.jpg", "prefix": "detect car", "suffix": "<loc9999><loc0002><loc0030><loc0040> car"}
)";
  const auto found = doubts("");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_THAT(found[0].message, HasSubstr("2 of 6 samples cannot be used; the first: "));
  EXPECT_THAT(found[0].message, HasSubstr("train.jsonl:3: has no suffix"));
  EXPECT_THAT(found[1].message,
              HasSubstr("1 of 6 answers hold words for a place that are no box, and would be learnt"));
  EXPECT_THAT(found[1].message, HasSubstr("train.jsonl:6: <loc9999>"));
}

TEST_F(QuestionFiles, PicturesOfOneNameInOtherFoldersAreOthers) {
  EXPECT_THAT(doubts("eval_data: " + (folder / "other/eval.jsonl").string() + "\n"), IsEmpty());
}

TEST_F(QuestionFiles, WhatCannotBeHeldOutIsSaidBeforeTheStart) {
  EXPECT_THAT(doubts("eval_fraction: 0.5\n"), IsEmpty()) << "what is held out is not trained on";
  write("train.jsonl", {"img/1.jpg", "img/1.jpg"});
  const auto found = doubts("eval_fraction: 0.5\n");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].severity, config::Severity::Error);
  EXPECT_EQ(found[0].key, "eval_fraction");
}

TEST_F(QuestionFiles, TooFewForOneFullBatchIsSaidBeforeTheStart) {
  const std::string dropped = "dataloader_drop_last: true\n";
  EXPECT_THAT(doubts("per_device_train_batch_size: 8\n"), IsEmpty());
  EXPECT_THAT(doubts("per_device_train_batch_size: 2\n" + dropped), IsEmpty());
  for (const char* more : {"per_device_train_batch_size: 8\n", "per_device_train_batch_size: 2\nnproc_per_node: 4\n",
                           "per_device_train_batch_size: 2\nmax_train_samples: 1\n"}) {
    const auto found = doubts(dropped + more);
    ASSERT_THAT(found, SizeIs(1)) << more;
    EXPECT_EQ(found[0].severity, config::Severity::Error);
    EXPECT_EQ(found[0].key, "dataloader_drop_last");
    EXPECT_EQ(found[0].line, 3);
    EXPECT_THAT(found[0].message, HasSubstr("make no full batch of"));
  }
}

TEST_F(QuestionFiles, WhatCannotBeOpenedIsSaidAtItsSetting) {
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front, {fakeBox(kVehicle, 0, 0, 960, 640)})};
  makeIndex(folder, {std::move(recording)});
  const auto index = (folder / "index").string();
  const auto found = doubts("eval_data: " + index + "\nclasses: [walrus]\n");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].severity, config::Severity::Error);
  EXPECT_EQ(found[0].key, "eval_data");
  EXPECT_EQ(found[0].line, 3);
  EXPECT_THAT(found[0].message, HasSubstr(index + ": the index has no class 'walrus'"));
}

TEST_F(QuestionFiles, AQueryThatNothingAnswersIsSaidBeforeTheStart) {
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front, {fakeBox(kVehicle, 0, 0, 960, 640)})};
  makeIndex(folder, {std::move(recording)});
  const auto index = (folder / "index").string();
  const auto found = doubts("eval_data: " + index + "\neval_query: split=validation\neval_strategy: steps\n");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].severity, config::Severity::Error);
  EXPECT_EQ(found[0].key, "eval_data");
  EXPECT_THAT(found[0].message, HasSubstr("no sample that answers 'split=validation'"));
  const auto unused = doubts("eval_data: " + index + "\neval_query: split=validation\neval_strategy: 'no'\n");
  ASSERT_THAT(unused, SizeIs(1));
  EXPECT_EQ(unused[0].severity, config::Severity::Warning);
}

TEST_F(QuestionFiles, WhatDoesNotFitIntoTheLimitIsCountedBeforeTheStart) {
  const TextLength texts{.looked = 4, .samples = 4, .each = {{10, 20}, {10, 60}, {10, 61}, {50, 5}}};
  const auto doubts = [&](const std::string& more) { return lengthDoubts(runWith(more), texts, 256); };
  EXPECT_THAT(doubts(""), IsEmpty());
  EXPECT_THAT(doubts("max_length: 327\n"), IsEmpty());
  const auto cut = doubts("max_length: 300\n");
  ASSERT_THAT(cut, SizeIs(2));
  EXPECT_EQ(cut[0].message, "the prompt alone is longer in 1 of 4 samples, which cannot be used");
  EXPECT_EQ(cut[1].message, "2 of 4 samples are longer and lose the end of their answer; the longest takes 327 tokens");
  EXPECT_EQ(cut[1].line, 3);
  EXPECT_EQ(cut[1].hint, "max_length: 327");
  for (const auto& one : cut) EXPECT_EQ(one.severity, config::Severity::Warning);
  const auto stopped = doubts("max_length: 320\non_long_sample: stop\n");
  ASSERT_THAT(stopped, SizeIs(1));
  EXPECT_EQ(stopped[0].severity, config::Severity::Warning) << "a run may end before it meets one";
  const auto none = doubts("max_length: 267\n");
  ASSERT_THAT(none, SizeIs(1));
  EXPECT_EQ(none[0].severity, config::Severity::Error);
  EXPECT_EQ(none[0].message,
            "no sample fits: the shortest prompt needs 268 tokens with the picture's 256 and something to learn");
}

TEST_F(QuestionFiles, APictureIsOneHoweverItsPathIsWritten) {
  write("more.jsonl", {"img/1.jpg", "./img/1.jpg", (folder / "img/1.jpg").string()});
  const auto source = openMix({{.path = (folder / "more.jsonl").string()}}, {}).value();
  for (const std::size_t i : {0u, 1u, 2u}) EXPECT_EQ(source->group(i), "img/1.jpg") << "wherever the folder lies";
}

TEST_F(QuestionFiles, ACocoFileIsLookedIntoBeforeTheStart) {
  folder.write("dogs.json", R"({"images":[{"id":1,"file_name":"img/1.jpg","width":10,"height":10}],)"
                            R"("annotations":[{"id":1,"image_id":1,"category_id":1,"bbox":[1,1,5,5],"area":25}],)"
                            R"("categories":[{"id":1,"name":"dog"}]})");
  std::ofstream(folder / "job.yaml") << "train_data: " << (folder / "dogs.json").string() << "\nclasses: [cat]\n";
  const auto document = config::Document::load(folder / "job.yaml").value();
  const auto found = dataDoubts(*config::resolve(document, {config::Purpose::Editing}).config, 10);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].severity, config::Severity::Error);
  EXPECT_THAT(found[0].message, HasSubstr("has none of the classes to detect"));
}

TEST_F(QuestionFiles, AreNotAskedForByAQuery) {
  EXPECT_THAT(queryProblems(runWith("")), IsEmpty());
  const auto found = queryProblems(runWith("train_query: time=night\n"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].line, 3);
  EXPECT_THAT(found[0].message, HasSubstr("a query needs an index"));
}

TEST_F(QuestionFiles, AMixHoldsOutAPictureFromAllItsSources) {
  write("more.jsonl", {"img/1.jpg", "img/2.jpg", "img/2.jpg"});
  const std::vector<SourceSpec> specs{{.path = (folder / "train.jsonl").string()},
                                      {.path = (folder / "more.jsonl").string()}};
  const std::shared_ptr<const SampleSource> mix = openMix(specs, {}).value();
  const auto kept = splitByGroup(mix, 0.5, 1, SplitPart::Kept).value();
  const auto held = splitByGroup(mix, 0.5, 1, SplitPart::HeldOut).value();
  ASSERT_GT(held->size(), 0u);
  EXPECT_EQ(kept->size() + held->size(), 5u);
  for (std::size_t i = 0; i < held->size(); ++i)
    for (std::size_t k = 0; k < kept->size(); ++k) EXPECT_NE(held->group(i), kept->group(k));
}

}  // namespace
}  // namespace roadtune::data

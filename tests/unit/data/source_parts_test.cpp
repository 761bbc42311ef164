// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/encode.h"
#include "core/data/source/data_doubts.h"
#include "core/data/source/prepared.h"
#include "core/data/source/sample_source.h"
#include "tests/unit/data/fake_recordings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace roadtune::data {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TempFolder;

class Scenes : public SampleSource {
 public:
  std::size_t size() const override { return 40; }
  Result<Sample> get(std::size_t i, std::uint64_t) const override { return Sample{.id = std::to_string(i)}; }
  Result<Sample> text(std::size_t i, std::uint64_t epoch) const override { return get(i, epoch); }
  std::string group(std::size_t i) const override { return "scene " + std::to_string(i % 8); }
};

std::set<std::string> groupsOf(const SampleSource& source) {
  std::set<std::string> groups;
  for (std::size_t i = 0; i < source.size(); ++i) groups.insert(source.group(i));
  return groups;
}

TEST(Split, HoldsOutWholeSegmentsAndTheSameOnesEachTime) {
  const auto all = std::make_shared<Scenes>();
  const auto kept = splitByGroup(all, 0.25, 1, SplitPart::Kept).value();
  const auto held = splitByGroup(all, 0.25, 1, SplitPart::HeldOut).value();
  EXPECT_EQ(kept->size() + held->size(), all->size());
  EXPECT_EQ(groupsOf(*held).size(), 2u);
  for (const auto& group : groupsOf(*held)) EXPECT_FALSE(groupsOf(*kept).contains(group));
  EXPECT_EQ(groupsOf(*held), groupsOf(*splitByGroup(all, 0.25, 1, SplitPart::HeldOut).value()));
  std::set<std::set<std::string>> draws;
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    draws.insert(groupsOf(*splitByGroup(all, 0.25, seed, SplitPart::HeldOut).value()));
  EXPECT_GT(draws.size(), 3u);
}

TEST(Split, BothSidesGetSomething) {
  const auto all = std::make_shared<Scenes>();
  EXPECT_EQ(groupsOf(*splitByGroup(all, 0.001, 1, SplitPart::HeldOut).value()).size(), 1u);
  EXPECT_EQ(groupsOf(*splitByGroup(all, 0.999, 1, SplitPart::Kept).value()).size(), 1u);
}

// A mix of one sample in four from each of two sources, and the rest from a third.
class ThreeSources : public Scenes {
 public:
  std::size_t sourceOf(std::size_t i) const override { return i < 20 ? 2 : i < 30 ? 0 : 1; }
};

std::vector<std::string> idsOf(const SampleSource& source) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < source.size(); ++i) ids.push_back(source.get(i).value().id);
  return ids;
}

TEST(FirstOfEach, SharesAreThoseOfTheMix) {
  const auto all = std::make_shared<ThreeSources>();
  EXPECT_THAT(idsOf(*firstOfEach(all, 8)), ElementsAre("0", "1", "2", "3", "20", "21", "30", "31"));
  EXPECT_THAT(idsOf(*firstOfEach(all, 3)), ElementsAre("0", "20", "30")) << "a small one is not forgotten";
  EXPECT_EQ(firstOfEach(all, 40), all);
  EXPECT_EQ(firstOfEach(all, 1000), all);
  EXPECT_EQ(firstOfEach(all, 39)->size(), 39u);
}

TEST(FirstOfEach, OfOneSourceTheyAreTheFirst) {
  const auto few = firstOfEach(std::make_shared<Scenes>(), 3);
  EXPECT_THAT(idsOf(*few), ElementsAre("0", "1", "2"));
  EXPECT_EQ(few->group(2), "scene 2");
}

class CocoOf : public ::testing::Test {
 protected:
  SourceSpec spec(const std::string& name) const {
    folder.write("images/" + name + ".jpg", encodeJpeg(Image(100, 50)).value());
    return {.path =
                folder
                    .write(name + ".json", R"({"images":[{"id":7,"file_name":")" + name +
                                               R"(.jpg","width":100,"height":50}],"categories":[{"id":3,"name":")" +
                                               name + R"("}],"annotations":[{"id":1,"image_id":7,"category_id":3,)" +
                                               R"("bbox":[0,0,50,25],"area":1250,"iscrowd":0}]})")
                    .string()};
  }
  TaskTemplate asking(std::vector<std::string> classes) const {
    TaskTemplate task;
    task.classes = std::move(classes);
    return task;
  }
  TempFolder folder;
};

TEST_F(CocoOf, AClassThatNoSourceOfAMixKnowsIsTold) {
  const auto mix = openMix({spec("dog"), spec("cat")}, asking({"dog", "cat", "cats", "vehicle"})).value();
  EXPECT_THAT(mix->unknownClasses(), ElementsAre("cats"));
  const auto doubts = doubtsAboutClasses(*mix);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_EQ(doubts[0].where, "classes");
  EXPECT_THAT(doubts[0].what, HasSubstr("'cats'"));
}

TEST_F(CocoOf, ASlipIsMendedByTheClassThatIsNear) {
  const auto one = openMix({spec("dog")}, asking({"dog", "dgo"})).value();
  EXPECT_EQ(one->get(0).value().prefix, "detect dog");
  const auto doubts = doubtsAboutClasses(*one);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_EQ(doubts[0].hint, "dog");
  EXPECT_THAT(doubtsAboutClasses(*openMix({spec("dog")}, asking({"dog"})).value()), IsEmpty());
}

TEST(Prepared, FilesOfDatasetsNeedAnIndexAndFindItInTheRun) {
  const TempFolder folder;
  std::ofstream(folder / "a.parquet") << "PAR1";
  std::ofstream(folder / "b.jsonl") << "{}\n";
  EXPECT_TRUE(needsImport(folder.path() / "a.parquet"));
  EXPECT_TRUE(needsImport(folder.path()));
  EXPECT_FALSE(needsImport(folder.path() / "b.jsonl"));
  EXPECT_FALSE(needsImport(folder.path() / "nowhere"));
  SourceSpec spec{.path = (folder / "a.parquet").string()};
  EXPECT_FALSE(preparedIndex(spec));
  spec.prepared = (folder / "run").string();
  const auto place = preparedIndex(spec);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->parent_path().string(), spec.prepared);
  const auto missing = openSource(spec, {});
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().text().find("roadtune data index"), std::string::npos);
  spec.images = "/elsewhere";
  EXPECT_NE(preparedIndex(spec), place);
}

TEST(Prepared, AFolderNeedsAnIndexWhateverKindItHolds) {
  const TempFolder folder;
  for (const char* file : {"lines/part/b.jsonl", "yolo/data.yaml", "voc/Annotations/a.xml", "kitti/label_2/a.txt"}) {
    folder.write(file, "");
    EXPECT_TRUE(needsImport(folder.path() / *std::filesystem::path(file).begin())) << file;
  }
}

TEST(Prepared, AnIndexOfTheRunStandsForTheFile) {
  const TempFolder folder;
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front, {fakeBox(kVehicle, 0, 0, 960, 640)})};
  makeIndex(folder, {recording});
  std::ofstream(folder / "a.parquet") << "PAR1";
  const SourceSpec spec{.path = (folder / "a.parquet").string(), .prepared = (folder / "run").string()};
  fs::create_directories(fs::path(spec.prepared));
  fs::rename(folder.path() / "index", *preparedIndex(spec));
  const auto source = openSource(spec, {});
  ASSERT_TRUE(source.ok()) << source.error().text();
  EXPECT_EQ(source.value()->size(), 1u);
}

}  // namespace
}  // namespace roadtune::data

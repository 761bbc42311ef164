// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/source/prepared.h"
#include "core/data/source/sample_source.h"
#include "tests/unit/data/fake_recordings.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace roadtune::data {
namespace {

namespace fs = std::filesystem;
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/import.h"

#include "core/data/index/split_names.h"
#include "core/data/index/statistics.h"
#include "core/data/index/waymo_v1_recordings.h"
#include "tests/unit/data/fake_recordings.h"

#include <gtest/gtest.h>

namespace roadtune::data {
namespace {

using testing::TempFolder;

Recording oneImage(const std::string& name) {
  Recording recording = fakeRecording(name, "");
  recording.images = {fakeImage(1, Camera::Front, {fakeBox(kVehicle, 1, 2, 3, 4)})};
  return recording;
}

// An import that can be run again and again, with a look at how often the reader was asked.
struct Importing {
  explicit Importing(std::vector<Recording> recordings) {
    auto fake = std::make_unique<FakeReader>(std::move(recordings));
    reader = fake.get();
    readers.push_back(std::move(fake));
    request.jobs = 1;
    request.onProblem = [this](const Problem& problem) { problems.push_back(problem.line()); };
  }
  Result<ImportOutcome> run() { return importInto(request, readers, progress); }

  FakeReader* reader = nullptr;
  RecordingReaders readers;
  ImportRequest request;
  QuietProgress progress;
  std::vector<std::string> problems;
};

TEST(Import, SkipsWhatDidNotChange) {
  const TempFolder folder;
  Importing importing({oneImage("s")});
  importing.request.sources = {folder.write("a.fake", "1")};
  importing.request.out = folder / "index";
  EXPECT_EQ(importing.run().value().imported, 1u);
  EXPECT_EQ(importing.run().value().unchanged, 1u);
  EXPECT_EQ(importing.reader->reads, 1);
  folder.write("a.fake", "other");
  EXPECT_EQ(importing.run().value().imported, 1u);
  EXPECT_EQ(importing.reader->reads, 2);
  EXPECT_EQ(Index::open(folder / "index").value()->segmentCount(), 1u);
}

TEST(Import, RecordingsWhoseProjectedLabelsWereNotKeptAreReadOnceMore) {
  const TempFolder folder;
  Recording recording = oneImage("s");
  recording.projected = false;
  const auto prepare = [&](Importing& importing) {
    importing.request.sources = {folder.write("a.fake", "1")};
    importing.request.out = folder / "index";
  };
  Importing before({recording});
  prepare(before);
  EXPECT_EQ(before.run().value().imported, 1u);
  const auto old = Index::open(folder / "index").value();
  EXPECT_FALSE(old->segment(0).hasProjected());
  EXPECT_TRUE(old->projected(0).empty());

  recording.projected = true;
  recording.images[0].projected = {fakeBox(kCyclist, 10.5, 20.25, 30, 40), fakeBox(kVehicle, 0, 0, 5, 5)};
  Importing now({recording});
  prepare(now);
  EXPECT_EQ(now.run().value().imported, 1u);
  EXPECT_EQ(now.run().value().unchanged, 1u);
  const auto index = Index::open(folder / "index").value();
  ASSERT_TRUE(index->segment(0).hasProjected());
  ASSERT_EQ(index->projected(0).size(), 2u);
  EXPECT_EQ(index->projected(0)[0].x, 10.5);
  EXPECT_EQ(index->projected(0)[0].y, 20.25);
  EXPECT_EQ(index->projected(0)[0].type, kCyclist);
  EXPECT_EQ(index->boxes(0).size(), 1u) << "they are no boxes";
  EXPECT_EQ(index->boxCount(), 1u);
  EXPECT_TRUE(index->verify().ok());
}

TEST(Import, FilesWhoseCrowdsWereNotKeptAreReadOnceMore) {
  for (const char* format : {"coco", "kitti"}) {
    const TempFolder folder;
    Recording recording = oneImage("s");
    recording.format = format;
    for (const bool kept : {false, true}) {
      recording.crowds = kept;
      Importing importing({recording});
      importing.request.sources = {folder.write("a.fake", "1")};
      importing.request.out = folder / "index";
      EXPECT_EQ(importing.run().value().imported, 1u);
      EXPECT_EQ(importing.run().value().unchanged, kept ? 1u : 0u) << format;
      EXPECT_EQ(Index::open(folder / "index").value()->segment(0).hasCrowds(), kept);
    }
  }
}

TEST(Import, ADamagedIndexFileIsMadeAgain) {
  const TempFolder folder;
  Importing importing({oneImage("s")});
  importing.request.sources = {folder.write("a.fake", "1")};
  importing.request.out = folder / "index";
  ASSERT_TRUE(importing.run().ok());
  std::filesystem::resize_file(std::filesystem::directory_iterator(folder / "index/segments")->path(), 3);
  EXPECT_EQ(importing.run().value().imported, 1u);
  EXPECT_TRUE(Index::open(folder / "index").ok());
}

TEST(Import, AFileThatMovedReplacesItsOldPlace) {
  const TempFolder folder;
  Importing importing({oneImage("s")});
  importing.request.sources = {folder.write("a.fake", "1")};
  importing.request.out = folder / "index";
  ASSERT_TRUE(importing.run().ok());
  std::filesystem::create_directories(folder / "other");
  std::filesystem::rename(folder / "a.fake", folder / "other/a.fake");
  EXPECT_EQ(Index::open(folder / "index").value()->checkSources().size(), 1u);
  importing.request.sources = {folder / "other/a.fake"};
  ASSERT_TRUE(importing.run().ok());
  const auto index = Index::open(folder / "index").value();
  EXPECT_EQ(index->segmentCount(), 1u);
  EXPECT_TRUE(index->checkSources().empty());
}

TEST(Import, TheSameSegmentFromTwoFilesIsTakenOnce) {
  const TempFolder folder;
  Importing importing({oneImage("s")});
  importing.request.sources = {folder.write("a.fake", "1"), folder.write("b.fake", "2")};
  importing.request.out = folder / "index";
  EXPECT_EQ(importing.run().value().imported, 1u);
  EXPECT_EQ(Index::open(folder / "index").value()->segmentCount(), 1u);
  ASSERT_EQ(importing.problems.size(), 1u);
  EXPECT_NE(importing.problems[0].find("b.fake"), std::string::npos);
}

TEST(Import, ASourceNamedTwiceIsNoProblem) {
  const TempFolder folder;
  Importing importing({oneImage("s")});
  for (auto& reader : basicReaders()) importing.readers.push_back(std::move(reader));  // who know nothing of it
  importing.request.sources = {folder.write("a.fake", "1"), folder / "a.fake"};
  importing.request.out = folder / "index";
  EXPECT_EQ(importing.run().value().imported, 1u);
  EXPECT_TRUE(importing.problems.empty());
}

TEST(Import, LaterSourcesAddToTheIndex) {
  const TempFolder folder;
  Importing first({oneImage("s")}), second({oneImage("t")});
  first.request.out = second.request.out = folder / "index";
  first.request.sources = {folder.write("a.fake", "1")};
  second.request.sources = {folder.write("b.fake", "2")};
  ASSERT_TRUE(first.run().ok());
  ASSERT_TRUE(second.run().ok());
  EXPECT_EQ(Index::open(folder / "index").value()->segmentCount(), 2u);
}

TEST(Import, StoppedHalfwayItLeavesWhatIsDone) {
  const TempFolder folder;
  Importing importing({oneImage("s")});
  importing.request.sources = {folder.write("a.fake", "1"), folder.write("b.fake", "2")};
  importing.request.out = folder / "index";
  importing.progress.stopAfter = 1;
  const auto outcome = importing.run();
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(Index::open(folder / "index").value()->segmentCount(), 1u);
}

TEST(Import, SourcesThatAreNotThereAreNamed) {
  const TempFolder folder;
  Importing importing({});
  importing.request.sources = {folder / "nowhere"};
  importing.request.out = folder / "index";
  EXPECT_EQ(importing.run().value().usable, 0u);
  ASSERT_EQ(importing.problems.size(), 1u);
  EXPECT_NE(importing.problems[0].find("nowhere"), std::string::npos);
  EXPECT_NE(testing::readAll(folder / "index/problems.jsonl").find("nowhere"), std::string::npos);
}

TEST(Import, FilesOfOthersStayInItsFolders) {
  const TempFolder folder;
  Importing importing({oneImage("s")});
  importing.request.sources = {folder.write("a.fake", "1")};
  importing.request.out = folder / "index";
  const std::vector<std::string> theirs = {"segments/drive.tfrecord",
                                           "segments/train-a1c924bb18a0.tfrecord",
                                           "segments/notes-a1c924bb18a0",
                                           "thumbs/mine.txt",
                                           "blobs/keep.bin",
                                           "blobs/aside-mine",
                                           "thumbs/a1c924bb18a0.240.pack"};
  const std::vector<std::string> ours = {"segments/s-0123456789ab.seg",    "segments/s-0123456789ab.seg.tmp-12-0",
                                         "blobs/s-0123456789ab.blob",      "blobs/aside-0123456789abcdef",
                                         "thumbs/s-0123456789ab.240.pack", "thumbs/s-0123456789ab.480.pack"};
  for (const auto* names : {&theirs, &ours})
    for (const std::string& name : *names) folder.write("index/" + name, "x");
  EXPECT_EQ(importing.run().value().imported, 1u);
  for (const std::string& name : theirs) EXPECT_TRUE(std::filesystem::exists(folder / "index" / name)) << name;
  for (const std::string& name : ours) EXPECT_FALSE(std::filesystem::exists(folder / "index" / name)) << name;
}

TEST(Import, AnIndexIsNotMadeAroundItsRecordings) {
  const TempFolder folder;
  folder.write("v1/a.fake", "1");
  folder.write("d/segments/a.fake", "1");
  folder.write("d/blobs/far/a.fake", "1");
  std::filesystem::create_directory_symlink(folder / "d/segments", folder / "link");
  std::filesystem::create_symlink(folder / "v1/a.fake", folder / "b.fake");
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"v1", "v1"},         {"v1/a.fake", "v1"}, {"b.fake", "v1"},    {"d/segments", "d"}, {"d/segments/a.fake", "d"},
      {"d/blobs/far", "d"}, {"link", "d"},       {"link/a.fake", "d"}};
  for (const auto& [source, out] : wrong) {
    Importing importing({oneImage("s")});
    importing.request.sources = {folder / source};
    importing.request.out = folder / out;
    const auto outcome = importing.run();
    ASSERT_FALSE(outcome.ok()) << source;
    EXPECT_EQ(outcome.error().kind, ErrorKind::BadInput);
    EXPECT_EQ(outcome.error().what, "an index among its recordings would hide them");
    EXPECT_FALSE(std::filesystem::exists(folder / out / ".lock")) << source;
  }
  Importing importing({oneImage("s")});
  importing.request.sources = {folder / "v1/a.fake"};
  importing.request.out = folder / "v1/index";
  EXPECT_TRUE(importing.run().ok());
}

TEST(Import, WaymoDataNeedsItsLicenceAccepted) {
  const TempFolder folder;
  Recording recording = oneImage("s");
  recording.waymo = true;
  Importing importing({recording});
  importing.request.sources = {folder.write("a.fake", "1")};
  importing.request.out = folder / "index";
  importing.request.acceptWaymoLicense = [] { return Status(badInput("not accepted")); };
  EXPECT_EQ(importing.run().error().what, "not accepted");
  importing.request.acceptWaymoLicense = [] { return Status(); };
  ASSERT_TRUE(importing.run().ok());
  EXPECT_TRUE(Index::open(folder / "index").value()->containsWaymoData());
}

TEST(Import, TheGivenSplitFillsGapsOnly) {
  const TempFolder folder;
  Recording named = oneImage("named");
  named.split = "testing";
  Importing importing({oneImage("s"), named});
  importing.request.sources = {folder.write("a.fake", "1")};
  importing.request.out = folder / "index";
  importing.request.split = "mine";
  ASSERT_TRUE(importing.run().ok());
  const auto counts = measureIndex(*Index::open(folder / "index").value());
  EXPECT_EQ(counts.splits.at("mine"), 1u);
  EXPECT_EQ(counts.splits.at("testing"), 1u);
}

TEST(SplitNames, ComeFromFoldersThenFromTheStartOfTheName) {
  EXPECT_EQ(splitOfWaymoFile("/d/training/segment-1.tfrecord", "/d"), "training");
  EXPECT_EQ(splitOfWaymoFile("/d/training/validation/validation_segment-1.tfrecord", "/d"), "validation");
  EXPECT_EQ(splitOfWaymoFile("/d/training/testing_segment-1.tfrecord", "/d"), "training");
  EXPECT_EQ(splitOfWaymoFile("/d/validation_segment-1.tfrecord", "/d"), "validation");
  EXPECT_EQ(splitOfWaymoFile("/d/individual_files_training_segment-1.tfrecord", "/d"), "training");
  EXPECT_EQ(splitOfWaymoFile("/d/segment-training.tfrecord", "/d"), "");
  EXPECT_EQ(splitOfWaymoFile("/d/training/a/b/c/d/segment-1.tfrecord", "/d"), "training") << "however deep";
  EXPECT_EQ(splitOfWaymoFile("/training/a/b/c/d/segment-1.tfrecord", "/training/a"), "") << "not above the source";
  EXPECT_EQ(splitOfWaymoFile("/training/d/testing/segment-1.tfrecord", "/training/"), "testing");
  EXPECT_EQ(splitOfWaymoFile("/training/a/segment-1.tfrecord", "/training/a/segment-1.tfrecord"), "");
  for (const char* folder : {"val", "valid", "validation", "Validation", "val_0003", "validation-7"})
    EXPECT_EQ(splitOfWaymoFile(std::string("/train/") + folder + "/segment-1.tfrecord", "/train"), "validation")
        << folder;
  EXPECT_EQ(splitOfWaymoFile("/d/training_0003/segment-1.tfrecord", "/d"), "training");
  EXPECT_EQ(splitOfWaymoFile("/d/test/segment-1.tfrecord", "/d"), "testing");
  for (const char* folder : {"test_drives", "trains", "values", "0003", "latest"})
    EXPECT_EQ(splitOfWaymoFile(std::string("/d/") + folder + "/segment-1.tfrecord", "/d"), "") << folder;
  EXPECT_EQ(splitOfWaymoFile("/d/train_segment-1.tfrecord", "/d"), "training");
  EXPECT_EQ(splitOfWaymoFile("/d/val_segment-1.tfrecord", "/d"), "validation");
  EXPECT_EQ(splitOfWaymoFile("/d/value_segment-1.tfrecord", "/d"), "");
  EXPECT_EQ(splitOfAnnotationFile("/home/test/coco/instances_train2017.json"), "training");
  EXPECT_EQ(splitOfAnnotationFile("/d/instances_val2017.json"), "validation");
  EXPECT_EQ(splitOfAnnotationFile("/d/_annotations.train.jsonl"), "training");
  EXPECT_EQ(splitOfAnnotationFile("/d/captions_train2014.json"), "training");
  EXPECT_EQ(splitOfAnnotationFile("/d/image_info_test-dev2017.json"), "testing");
  EXPECT_EQ(splitOfAnnotationFile("/d/validation-00000-of-00068.parquet"), "validation");
  EXPECT_EQ(splitOfAnnotationFile("/d/latest.jsonl"), "");
  EXPECT_EQ(splitOfAnnotationFile("/d/train/val.jsonl"), "training") << "the folder first";
  EXPECT_EQ(splitOfAnnotationFile("/d/val2017/train.json"), "validation");
  EXPECT_EQ(splitOfAnnotationFile("/d/validation/labels/train.json"), "validation");
  EXPECT_EQ(splitOfAnnotationFile("/d/road_test.jsonl"), "") << "not how the name begins";
  EXPECT_EQ(splitGuessOfAnnotationFile("/d/road_test.jsonl"), "testing");
  EXPECT_EQ(splitGuessOfAnnotationFile("/d/bdd100k_labels_images_train.json"), "training");
  EXPECT_EQ(splitGuessOfAnnotationFile("/d/latest.jsonl"), "");
}

TEST(SplitNames, FoldersAboveTheSourceSayNothing) {
  const TempFolder folder;
  for (const auto& [file, source, split] : {std::tuple("test/waymo/s.tfrecord", "test/waymo", ""),
                                            std::tuple("test/waymo/training/s.tfrecord", "test/waymo", "training"),
                                            std::tuple("test/training/s.tfrecord", "test/training", "training"),
                                            std::tuple("test/training/s.tfrecord", "test/training/", "training"),
                                            std::tuple("test/s.tfrecord", "test", "testing"),
                                            std::tuple("training/s.tfrecord", "training/s.tfrecord", "training"),
                                            std::tuple("test/waymo/s.tfrecord", "test/waymo/s.tfrecord", ""),
                                            std::tuple("test/waymo/val_s.tfrecord", "test/waymo", "validation")}) {
    folder.write(file, "x");
    const auto units = WaymoV1Recordings().discover(folder / source);
    ASSERT_EQ(units.value().size(), 1u) << file;
    EXPECT_EQ(units.value()[0].split, split) << file << " of " << source;
    std::filesystem::remove(folder / file);
  }
}

}  // namespace
}  // namespace roadtune::data

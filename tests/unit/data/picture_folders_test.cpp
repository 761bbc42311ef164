// SPDX-License-Identifier: GPL-3.0-or-later
// Which picture is meant where several are called the same, and what an import says of what it could not reach.
#include "core/data/export/export.h"
#include "core/data/image/encode.h"
#include "core/data/index/find_files.h"
#include "core/data/index/image_lookup.h"
#include "tests/unit/data/fake_recordings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace roadtune::data {
namespace {

namespace fs = std::filesystem;

class PictureFolders : public ::testing::Test {
 protected:
  // Pictures of another width everywhere: it tells which one was taken.
  void picture(const std::string& name, int width) const { folder.write(name, encodeJpeg(Image(width, 50)).value()); }
  fs::path annotations(const std::string& name) const {
    return folder.write(name, R"({"images":[{"id":1,"file_name":"1.jpg"}],"categories":[{"id":1,"name":"car"}],
      "annotations":[{"image_id":1,"category_id":1,"bbox":[1,2,3,4]}]})");
  }
  Result<ImportOutcome> import(const std::vector<fs::path>& sources, const fs::path& out) {
    ImportRequest request;
    request.sources = sources;
    request.out = out;
    request.onProblem = [&](const Problem& problem) { problems += problem.line() + "\n"; };
    problems.clear();
    return importInto(request, basicReaders(), quiet);
  }
  // Width of the picture of each annotation file.
  std::map<std::string, int> widths(const std::vector<fs::path>& sources) {
    fs::remove_all(folder / "index");
    EXPECT_TRUE(import(sources, folder / "index").ok());
    const auto index = Index::open(folder / "index").value();
    std::map<std::string, int> found;
    for (ImageId id = 0; id < index->imageCount(); ++id)
      found[index->segment(index->image(id).segment).info().name] = index->image(id).width;
    return found;
  }

  testing::TempFolder folder;
  QuietProgress quiet;
  std::string problems;
};

using Widths = std::map<std::string, int>;

TEST_F(PictureFolders, OfEqualNamesTheFolderGivenAfterItsAnnotationsCounts) {
  picture("p/1.jpg", 60);
  picture("q/1.jpg", 70);
  const fs::path a = annotations("labels/a.json"), b = annotations("labels/b.json");
  EXPECT_EQ(widths({a, folder / "p", b, folder / "q"}), (Widths{{"a", 60}, {"b", 70}}));
  EXPECT_EQ(widths({b, folder / "q", a, folder / "p"}), (Widths{{"a", 60}, {"b", 70}}));
  EXPECT_EQ(problems, "");
}

TEST_F(PictureFolders, OneThatTheAnnotationsAreNamedAfterCountsMore) {
  picture("pictures/train2017/1.jpg", 60);
  picture("pictures/val2017/1.jpg", 70);
  const fs::path train = annotations("labels/instances_train2017.json"),
                 val = annotations("labels/instances_val2017.json");
  const Widths right{{"instances_train2017", 60}, {"instances_val2017", 70}};
  const fs::path trainFolder = folder / "pictures/train2017", valFolder = folder / "pictures/val2017";
  EXPECT_EQ(widths({train, trainFolder, val, valFolder}), right);
  EXPECT_EQ(widths({val, train, trainFolder, valFolder}), right);
  EXPECT_EQ(widths({trainFolder, valFolder, train, val}), right);
  EXPECT_EQ(problems, "");
}

TEST_F(PictureFolders, WhereNothingTellsThemApartItIsSaid) {
  picture("p/1.jpg", 60);
  picture("q/1.jpg", 70);
  const fs::path a = annotations("labels/a.json");
  EXPECT_EQ(widths({folder / "p", folder / "q", a}), (Widths{{"a", 60}}));
  EXPECT_NE(problems.find("1 picture with namesakes in other folders"), std::string::npos) << problems;
}

TEST_F(PictureFolders, TheUsualTreeOfCocoNeedsNoWords) {
  for (const char* pictures : {"tree", "tree/images"}) {
    fs::remove_all(folder / "tree");
    annotations("tree/annotations/instances_train2017.json");
    annotations("tree/annotations/captions_train2017.json");
    annotations("tree/annotations/person_keypoints_train2017.json");
    annotations("tree/annotations/instances_val2017.json");
    picture(std::string(pictures) + "/train2017/1.jpg", 60);
    picture(std::string(pictures) + "/val2017/1.jpg", 70);
    EXPECT_EQ(widths({folder / "tree"}), (Widths{{"instances_train2017", 60}, {"instances_val2017", 70}})) << pictures;
    EXPECT_EQ(problems, "") << pictures;
  }
}

TEST_F(PictureFolders, WhatIsNotFoundHasAName) {
  annotations("labels/a.json");
  widths({folder / "labels"});
  EXPECT_NE(problems.find("1 picture not found: 1.jpg"), std::string::npos) << problems;
}

TEST_F(PictureFolders, LinksThatLeadNowhereAreSaidAndThoseThatLeadBackAreNotFollowed) {
  picture("labels/1.jpg", 60);
  annotations("labels/a.json");
  fs::create_symlink(folder / "gone.json", folder / "labels/lost.json");
  fs::create_symlink(folder / "labels", folder / "labels/again");
  EXPECT_EQ(widths({folder / "labels"}).size(), 1u);
  EXPECT_NE(problems.find("lost.json: is a link that leads nowhere"), std::string::npos) << problems;
  EXPECT_EQ(findFiles(folder / "labels", [](const std::string& name) { return name == "a.json"; }).size(), 1u);
}

TEST_F(PictureFolders, AnIndexDoesNotGoAmongItsRecordings) {
  picture("labels/1.jpg", 60);
  annotations("labels/a.json");
  const auto refused = import({folder / "labels"}, folder / "labels");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::BadInput);
  EXPECT_FALSE(fs::exists(folder / "labels/catalogue.json"));
  ASSERT_TRUE(import({folder / "labels"}, folder / "labels/index").ok());
  ASSERT_TRUE(import({folder / "labels/index"}, folder / "other").ok());
  EXPECT_NE(problems.find("is an index, not recordings"), std::string::npos) << problems;
}

TEST_F(PictureFolders, RunsBesideTheRecordingsAreNotAmongThem) {
  picture("labels/1.jpg", 60);
  annotations("labels/a.json");
  folder.write("labels/runs/night/events/rank-000.jsonl", "{\"kind\":\"hello\"}\n");
  folder.write("labels/runs/night/ledger/rank-000.jsonl", "{\"step\":1}\n");
  ASSERT_TRUE(import({folder / "labels"}, folder / "index").ok());
  EXPECT_EQ(problems, "");
  ASSERT_TRUE(import({folder / "labels/runs/night"}, folder / "other").ok());
  EXPECT_NE(problems.find("is a run, not recordings"), std::string::npos) << problems;
}

TEST_F(PictureFolders, AnExportDoesNotReplaceWhatTheIndexWasMadeFrom) {
  picture("labels/1.jpg", 60);
  const fs::path source = annotations("labels/a.json");
  ASSERT_TRUE(import({source}, folder / "index").ok());
  const auto before = testing::readAll(source);
  const auto index = Index::open(folder / "index").value();
  const auto refused = exportImages(*index, {0}, {.format = ExportFormat::Coco, .out = source}, quiet);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::BadInput);
  EXPECT_EQ(testing::readAll(source), before);
}

TEST(ExportedPictures, ThoseThatLayThereBeforeAreNeverTakenAway) {
  const testing::TempFolder folder;
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front, {}), fakeImage(2, Camera::Front, {})};
  const auto index = makeIndex(folder, {recording});
  QuietProgress quiet;
  const auto exported = [&](const char* out, std::vector<ImageId> images) {
    EXPECT_TRUE(exportImages(*index, std::move(images),
                             {.format = ExportFormat::Kitti, .out = folder / out, .images = folder / "originals"},
                             quiet)
                    .ok());
    return std::distance(fs::directory_iterator(folder / "originals"), fs::directory_iterator());
  };
  EXPECT_EQ(exported("a", {0, 1}), 2);
  EXPECT_EQ(exported("a", {0}), 1) << "its own";
  EXPECT_EQ(exported("a", {0, 1}), 2);
  EXPECT_EQ(exported("b", {0, 1}), 2);
  EXPECT_EQ(exported("b", {0}), 2) << "it only wrote over the second one";
}

TEST(KeptPictures, AreReadAgainWhereTheyWereLost) {
  const testing::TempFolder folder;
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front, {}), fakeImage(2, Camera::Front, {})};
  makeIndex(folder, {recording});
  RecordingReaders readers;
  readers.push_back(std::make_unique<FakeReader>(std::vector<Recording>{recording}));
  QuietProgress quiet;
  const auto again = [&] {
    return importInto({.sources = {folder / "source.fake"}, .out = folder / "index"}, readers, quiet).value();
  };
  const auto blob = [&] { return fs::directory_iterator(folder / "index/blobs")->path(); };
  const auto whole = testing::readAll(blob());
  ASSERT_FALSE(whole.empty());
  EXPECT_EQ(again().unchanged, 1u);
  fs::resize_file(blob(), whole.size() - 1);
  EXPECT_EQ(Index::open(folder / "index").value()->checkSources().size(), 1u);
  EXPECT_EQ(again().imported, 1u);
  EXPECT_EQ(testing::readAll(blob()), whole);
  fs::remove(blob());
  EXPECT_EQ(again().imported, 1u);
  EXPECT_EQ(testing::readAll(blob()), whole);
  const fs::path columns = fs::directory_iterator(folder / "index/segments")->path();
  std::string bytes = testing::readAll(columns);
  bytes[bytes.size() - 5] = static_cast<char>(bytes[bytes.size() - 5] ^ 1);
  folder.write("index/segments/" + columns.filename().string(), bytes);
  EXPECT_EQ(again().imported, 1u) << "and columns that changed on the disk";
}

// Pictures of one name in two folders, of which the second gets those of an export.
TEST_F(PictureFolders, AnExportTakesNoSourcePictureAway) {
  picture("p1/a.jpg", 60);
  picture("p2/a.jpg", 70);
  picture("p2/b.jpg", 80);
  folder.write("t/t.jsonl",
               R"({"image":"../p1/a.jpg","prefix":"detect car","suffix":"<loc0001><loc0002><loc0300><loc0400> car"}
{"image":"../p2/a.jpg","prefix":"detect car","suffix":"<loc0001><loc0002><loc0300><loc0400> car"}
)");
  fs::create_directory_symlink(folder / "p2", folder / "link");
  ASSERT_TRUE(import({folder / "t/t.jsonl"}, folder / "index").ok());
  const auto index = Index::open(folder / "index").value();
  const std::string one = testing::readAll(folder / "p1/a.jpg"), two = testing::readAll(folder / "p2/a.jpg");
  for (const char* images : {"p2", "link"})
    for (const auto& [format, out] :
         {std::pair(ExportFormat::PaliGemma, "o.jsonl"), std::pair(ExportFormat::Coco, "c.json"),
          std::pair(ExportFormat::Kitti, "kitti")}) {
      ExportRequest request{.format = format, .out = folder / out, .images = folder / images, .classes = {"car"}};
      const auto outcome = exportImages(*index, {0, 1}, request, quiet);
      ASSERT_TRUE(outcome.ok()) << outcome.error().text();
      EXPECT_EQ(outcome.value().images, 2u);
      EXPECT_EQ(testing::readAll(folder / "p2/a.jpg"), two) << images << out;
      EXPECT_EQ(testing::readAll(folder / "p2/a-2.jpg"), one);
    }
  EXPECT_FALSE(fs::exists(folder / "p2/a-3.jpg"));
  const std::string lines = testing::readAll(folder / "o.jsonl");
  EXPECT_NE(lines.find("a-2.jpg"), std::string::npos);
}

// What an earlier export wrote may be what an index is made from since.
TEST_F(PictureFolders, PicturesThatBecameSourcesStayWithoutTheirExport) {
  picture("p/a.jpg", 60);
  picture("p/b.jpg", 70);
  const std::string row = R"(","prefix":"detect car","suffix":"<loc0001><loc0002><loc0300><loc0400> car"})";
  const std::string head = R"({"image":")";
  const auto lines = folder.write("p/t.jsonl", head + "a.jpg" + row + "\n" + head + "b.jpg" + row + "\n");
  ExportRequest request{
      .format = ExportFormat::Kitti, .out = folder / "k", .images = folder / "k/images", .classes = {}};
  ASSERT_TRUE(import({lines}, folder / "index").ok());
  ASSERT_TRUE(exportImages(*Index::open(folder / "index").value(), {0, 1}, request, quiet).ok());
  const auto later =
      folder.write("l/t.jsonl", head + "../k/images/a.jpg" + row + "\n" + head + "../k/images/b.jpg" + row);
  ASSERT_TRUE(import({later}, folder / "later").ok());
  ASSERT_TRUE(exportImages(*Index::open(folder / "later").value(), {0}, request, quiet).ok());
  EXPECT_TRUE(fs::exists(folder / "k/images/a.jpg"));
  EXPECT_TRUE(fs::exists(folder / "k/images/b.jpg"));
}

}  // namespace
}  // namespace roadtune::data

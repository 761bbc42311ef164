// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/export.h"

#include "core/base/hash.h"
#include "core/data/index/waymo_license.h"
#include "core/data/query/query.h"
#include "tests/support/program.h"
#include "tests/unit/data/fake_recordings.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <sstream>
#include <tuple>

namespace roadtune::data {
namespace {

using nlohmann::json;
using testing::TempFolder;

std::vector<Recording> scene(bool waymo = false) {
  Recording recording = fakeRecording("seg", "validation", "Night");
  recording.waymo = waymo;
  recording.images = {
      fakeImage(20, Camera::Front,
                {fakeBox(kVehicle, 0.6315789473684, 2, 30.25, 40, 2, "id-1"), fakeBox(kSign, 5, 6, 7, 8)}),
      fakeImage(10, Camera::SideRight, {}), fakeImage(10, Camera::FrontLeft, {}, false)};
  return {recording};
}

class ExportTest : public ::testing::Test {
 protected:
  ExportOutcome write(ExportFormat format, const std::string& out, ExportRequest request = {}, bool waymo = false) {
    const ExportOutcome outcome = write(scene(waymo), format, out, std::move(request));
    EXPECT_EQ(failure, "");
    return outcome;
  }
  ExportOutcome write(std::vector<Recording> recordings, ExportFormat format, const std::string& out,
                      ExportRequest request = {}) {
    index = makeIndex(folder, std::move(recordings));
    request.format = format;
    request.out = folder / out;
    std::vector<ImageId> all(index->imageCount());
    std::iota(all.begin(), all.end(), 0u);
    QuietProgress progress;
    const auto outcome = exportImages(*index, all, request, progress);
    failure = outcome.ok() ? std::string() : outcome.error().what;
    return outcome.ok() ? outcome.value() : ExportOutcome{};
  }
  std::vector<json> lines(const std::string& name) const {
    std::vector<json> result;
    std::istringstream stream(testing::readAll(folder / name));
    for (std::string line; std::getline(stream, line);) result.push_back(json::parse(line));
    return result;
  }
  std::string text(const std::string& name) const { return testing::readAll(folder / name); }

  TempFolder folder;
  std::shared_ptr<const Index> index;
  std::string failure;  // of the last export
};

// Pictures without a camera, as COCO and JSONL have them. An empty name: it says none, and there is no picture.
Recording namedPictures(const std::string& segment, const std::vector<std::string>& names,
                        const std::vector<std::string>& missing = {}) {
  Recording recording = fakeRecording(segment, "validation");
  for (const std::string& name : names) {
    RecordedImage image = fakeImage(static_cast<std::int64_t>(recording.images.size()), Camera::Unknown,
                                    {fakeBox(kVehicle, 1, 2, 30, 40)});
    image.name = name;
    if (name.empty() || std::find(missing.begin(), missing.end(), name) != missing.end())
      image.file = RecordedImage::kNowhere;
    recording.images.push_back(image);
  }
  return recording;
}

std::size_t filesIn(const std::filesystem::path& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    count += entry.is_regular_file() && !entry.path().filename().string().starts_with(".");
  return count;
}

TEST_F(ExportTest, JsonlHasEveryImageInOrder) {
  write(ExportFormat::Jsonl, "out.jsonl", {.hash = true});
  const auto rows = lines("out.jsonl");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["camera"], "FRONT_LEFT");
  EXPECT_EQ(rows[0]["labelled"], false);
  EXPECT_EQ(rows[1]["camera"], "SIDE_RIGHT");
  EXPECT_EQ(rows[1]["labelled"], true);
  EXPECT_EQ(rows[1]["boxes"], json::array());
  const json& row = rows[2];
  EXPECT_EQ(row["segment"], "seg");
  EXPECT_EQ(row["timestamp_micros"], 20);
  EXPECT_EQ(row["split"], "validation");
  EXPECT_EQ(row["width"], 1920);
  EXPECT_EQ(row["time_of_day"], "Night");
  EXPECT_EQ(row["location"], "location_sf");
  EXPECT_EQ(row["weather"], "sunny");
  EXPECT_EQ(row["sha256"], sha256Hex("picture of seg 20FRONT"));
  const json& box = row["boxes"][0];
  EXPECT_EQ(box["id"], "id-1");
  EXPECT_EQ(box["label"], "vehicle");
  EXPECT_NEAR(box["x1"].get<double>(), 0.6315789473684, 1e-6);
  EXPECT_NEAR(box["x2"].get<double>(), 30.8815789473684, 1e-6);
  EXPECT_EQ(box["y2"], 42.0);
  EXPECT_EQ(box["detection_difficulty"], "LEVEL_2");
  EXPECT_EQ(box["tracking_difficulty"], "LEVEL_1");
}

TEST_F(ExportTest, CocoKeepsEmptyImagesAndLeavesOutWhatNobodyLabelled) {
  const ExportOutcome outcome = write(ExportFormat::Coco, "coco.json");
  EXPECT_EQ(outcome.withoutLabels, 1u);
  const json coco = json::parse(text("coco.json"));
  ASSERT_EQ(coco["images"].size(), 2u);
  EXPECT_EQ(coco["images"][0]["id"], 1);
  const std::string name = coco["images"][1]["file_name"];
  for (const char* part : {"seg", "20", "FRONT"}) EXPECT_NE(name.find(part), std::string::npos);
  EXPECT_EQ(coco["images"][1]["timestamp_micros"], 20);
  ASSERT_EQ(coco["annotations"].size(), 2u);
  EXPECT_EQ(coco["annotations"][0]["id"], 1);
  EXPECT_EQ(coco["annotations"][0]["image_id"], 2);
  EXPECT_EQ(coco["annotations"][0]["category_id"], 1);
  EXPECT_EQ(coco["annotations"][0]["bbox"][2], 30.25);
  EXPECT_EQ(coco["annotations"][0]["detection_difficulty"], "LEVEL_2");
  EXPECT_FALSE(std::filesystem::exists(folder / "ATTRIBUTION"));
}

TEST_F(ExportTest, PycocotoolsReadsOurCoco) {
  write(ExportFormat::Coco, "coco.json");
  const auto result = testing::runProgram({testing::oraclePython(), "-c",
                                           "import sys; from pycocotools.coco import COCO\n"
                                           "c = COCO(sys.argv[1]); print(len(c.getImgIds()), len(c.getAnnIds()), "
                                           "sorted(x['name'] for x in c.loadCats(c.getCatIds())))",
                                           (folder / "coco.json").string()});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_NE(result.out.find("2 2 ['cyclist', 'pedestrian', 'sign', 'vehicle']"), std::string::npos) << result.out;
}

TEST_F(ExportTest, PaliGemmaTellsBoxesInBins) {
  write(ExportFormat::PaliGemma, "p.jsonl", {.images = folder / "pics"});
  const auto rows = lines("p.jsonl");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["suffix"], "");
  EXPECT_EQ(rows[1]["prefix"], "detect vehicle ; pedestrian ; cyclist");
  EXPECT_EQ(rows[1]["suffix"], "<loc0002><loc0000><loc0034><loc0016> vehicle");
  EXPECT_EQ(text(rows[1]["image"]), "picture of seg 20FRONT");
}

TEST_F(ExportTest, YoloCountsClassesFromZero) {
  write(ExportFormat::Yolo, "yolo", {.classes = {"vehicle", "sign"}});
  std::istringstream row(text("yolo/labels/validation/seg_20_FRONT.txt"));
  int number = -1;
  double cx = 0, cy = 0, w = 0, h = 0;
  row >> number >> cx >> cy >> w >> h;
  EXPECT_EQ(number, 0);
  EXPECT_NEAR(cx * 1920, 0.6315789 + 30.25 / 2, 1e-4);
  EXPECT_NEAR(h * 1280, 40, 1e-4);
  EXPECT_EQ(text("yolo/labels/validation/seg_10_SIDE_RIGHT.txt"), "");
  EXPECT_NE(text("yolo/data.yaml").find("  1: sign"), std::string::npos);
}

TEST_F(ExportTest, VocIsXmlWhateverTheNames) {
  Recording named = fakeRecording("s", "training");
  named.classes.emplace_back("a <b> & \"c\"\x01");
  named.images = {fakeImage(1, Camera::Front, {fakeBox(kFirstOwnClass, 1, 2, 30, 40)})};
  write({named}, ExportFormat::Voc, "voc");
  const auto result = testing::runProgram(
      {testing::oraclePython(), "-c",
       "import sys, xml.etree.ElementTree as t; print(t.parse(sys.argv[1]).find('object/name').text)",
       (folder / "voc/Annotations/s_1_FRONT.xml").string()});
  EXPECT_EQ(result.out, "a <b> & \"c\" \n") << result.err;
}

TEST_F(ExportTest, AFolderHoldsWhatWasExportedLastAndWhatIsNotOurs) {
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front, {}), fakeImage(2, Camera::Front, {}),
                      fakeImage(3, Camera::Front, {})};
  const auto found = [this](const char* below) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / below))
      names.insert(entry.path().filename().string());
    return names;
  };
  for (const ExportFormat format : {ExportFormat::Yolo, ExportFormat::Kitti}) {
    const std::string pictures = format == ExportFormat::Yolo ? "f/images/training" : "f/images";
    const std::string labels = format == ExportFormat::Yolo ? "f/labels/training" : "f/label_2";
    std::filesystem::remove_all(folder / "f");
    write({recording}, format, "f", {.images = folder / "f/images"});
    EXPECT_EQ(found(pictures.c_str()).size(), 3u);
    folder.write(labels + "/mine.txt", "a note");
    write({recording}, format, "f", {.images = folder / "f/images", .everyFrames = 2});
    EXPECT_EQ(found(pictures.c_str()).size(), 2u) << "tools read the whole folder";
    EXPECT_EQ(found(labels.c_str()).size(), 3u);
    EXPECT_TRUE(found(labels.c_str()).contains("mine.txt"));
  }
}

TEST_F(ExportTest, YoloNamesAreReadAsTheyAre) {
  Recording named = fakeRecording("s", "night");
  const std::vector<std::string> names = {"a: b", "no", "7", "#x", "it's \"it\"", "two words"};
  named.classes.insert(named.classes.end(), names.begin(), names.end());
  named.images = {fakeImage(1, Camera::Front, {fakeBox(kFirstOwnClass, 1, 2, 30, 40)})};
  Recording other = fakeRecording("t", "all, of it");
  other.images = named.images;
  write({named, other}, ExportFormat::Yolo, "yolo");
  const auto result =
      testing::runProgram({testing::oraclePython(), "-c",
                           "import json, sys, yaml; y = yaml.safe_load(open(sys.argv[1]))\n"
                           "print(json.dumps([list(y['names'].values()), y['train'], y['val'], y.get('path')]))",
                           (folder / "yolo/data.yaml").string()});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const json said = json::parse(result.out);
  EXPECT_EQ(json(names), json(std::vector<json>(said[0].begin() + kFirstOwnClass, said[0].end())));
  EXPECT_EQ(said[1], (json{"images/all, of it", "images/night"})) << "a split of another name is for training";
  EXPECT_EQ(said[2], said[1]);
  EXPECT_TRUE(said[3].is_null()) << "a path would be seen from the folder that training runs in";
}

TEST_F(ExportTest, BoxesAsSharesNeedASize) {
  std::vector<Recording> recordings = {namedPictures("a", {"1.jpg", "2.jpg"})};
  recordings[0].images[0].width = 0;
  for (const auto& [format, images] :
       {std::pair(ExportFormat::Yolo, 1u), std::pair(ExportFormat::Voc, 1u), std::pair(ExportFormat::Kitti, 2u)}) {
    const ExportOutcome outcome = write(recordings, format, "out");
    EXPECT_EQ(outcome.images, images);
    EXPECT_EQ(outcome.withoutLabels, 2u - images);
  }
}

TEST_F(ExportTest, AClassNamedTwiceIsOne) {
  EXPECT_EQ(write(ExportFormat::Coco, "c.json", {.classes = {"vehicle", "Vehicle", "vehicle"}}).boxes, 1u);
  EXPECT_EQ(json::parse(text("c.json"))["categories"].size(), 1u);
}

// Beyond the last number of the column.
TEST_F(ExportTest, EveryNthFrameOfALongSegment) {
  constexpr std::size_t kImages = 65'600;
  Recording recording = fakeRecording("long", "training");
  for (std::size_t i = 0; i < kImages; ++i) {
    recording.images.push_back(fakeImage(static_cast<std::int64_t>(i), Camera::Front, {}));
    recording.images.back().file = RecordedImage::kNowhere;
  }
  EXPECT_EQ(write({recording}, ExportFormat::Jsonl, "e.jsonl", {.everyFrames = 10}).images, kImages / 10);
  EXPECT_EQ(index->image(65'599).frame, 65'599u);
  QueryEngine engine(index);
  EXPECT_EQ(engine.count(Query::parse("frame >= 65550").value()).value(), 50u);
  EXPECT_EQ(engine.run(Query::parse("sort by frame desc limit 1").value()).value().images,
            std::vector<ImageId>{65'599});
}

TEST_F(ExportTest, KittiHasFifteenColumns) {
  const auto outcome = write(ExportFormat::Kitti, "kitti");
  EXPECT_EQ(outcome.otherWords, (std::map<std::string, std::string>{{"sign", "Misc"}}));
  std::istringstream lines(text("kitti/label_2/seg_20_FRONT.txt"));
  std::string line;
  std::getline(lines, line);
  std::istringstream columns(line);
  std::vector<std::string> parts;
  for (std::string part; columns >> part;) parts.push_back(part);
  ASSERT_EQ(parts.size(), 15u);
  EXPECT_EQ(parts[0], "Car");
  EXPECT_EQ(parts[6], "30.88");
}

TEST_F(ExportTest, KittiBoxesEndWhereThePictureDoes) {
  Recording recording = fakeRecording("seg", "validation");
  recording.images = {fakeImage(20, Camera::Front, {fakeBox(kVehicle, -4.5, 1270, 30, 40)})};  // of 1920 x 1280
  write({recording}, ExportFormat::Kitti, "kitti");
  EXPECT_EQ(text("kitti/label_2/seg_20_FRONT.txt"),
            "Car -1 -1 -10 0.00 1270.00 25.50 1280.00 -1 -1 -1 -1000 -1000 -1000 -10\n");
}

TEST_F(ExportTest, VocCountsPixelsFromOne) {
  write(ExportFormat::Voc, "voc");
  const std::string xml = text("voc/Annotations/seg_20_FRONT.xml");
  EXPECT_NE(xml.find("<xmin>2</xmin><ymin>3</ymin><xmax>31</xmax><ymax>42</ymax>"), std::string::npos) << xml;
  EXPECT_NE(xml.find("<difficult>1</difficult>"), std::string::npos);
}

TEST_F(ExportTest, FiltersLeaveBoxesOut) {
  EXPECT_EQ(write(ExportFormat::Coco, "a.json", {.maxLevel = 1}).boxes, 1u);
  EXPECT_EQ(write(ExportFormat::Coco, "b.json", {.minBoxPixels = 10}).boxes, 1u);
  EXPECT_EQ(write(ExportFormat::Coco, "c.json", {.minModelPixels = 8, .modelSize = 448}).boxes, 0u);
  EXPECT_EQ(write(ExportFormat::Jsonl, "d.jsonl", {.everyFrames = 2}).images, 2u);
}

TEST_F(ExportTest, WaymoDataCarriesItsAttribution) {
  EXPECT_TRUE(write(ExportFormat::Coco, "sub/coco.json", {}, true).waymo);
  EXPECT_TRUE(hasWaymoAttribution(folder / "sub"));
  EXPECT_NE(text("sub/coco.json").find("waymo.com/open"), std::string::npos);
}

TEST_F(ExportTest, EqualNamesGetFilesOfTheirOwn) {
  const std::vector<Recording> pictures = {
      namedPictures("a", {"images/1.jpg", "x/y.jpg", "x_y.jpg", "x_y.png", "1-2.jpg"}),
      namedPictures("b", {"images/1.jpg", "../up/1.jpg", "../../other/1.jpg"})};
  // YOLO's labels go with the pictures, where tools look for them; data.yaml stays.
  const auto both = [](const char* name, ExportFormat format, std::size_t labels, std::size_t beside) {
    return std::tuple(std::string(name), format, labels, beside);
  };
  for (const auto& [name, format, labels, beside] :
       {both("p.jsonl", ExportFormat::PaliGemma, 1, 8), both("c.json", ExportFormat::Coco, 1, 8),
        both("yolo", ExportFormat::Yolo, 1, 16), both("kitti", ExportFormat::Kitti, 8, 8),
        both("voc", ExportFormat::Voc, 8, 8)}) {
    const TempFolder pics;
    EXPECT_EQ(write(pictures, format, name, {.images = pics.path()}).images, 8u) << failure;
    EXPECT_EQ(filesIn(pics.path()), beside) << name;
    if (writesFolder(format)) EXPECT_EQ(filesIn(folder / name), labels) << name;
  }
}

TEST_F(ExportTest, TheFirstOfEqualNamesKeepsItAndPicturesStayWithTheirLabels) {
  write({namedPictures("a", {"images/1.jpg", "2.jpg"}), namedPictures("b", {"images/1.jpg", "images/1.jpg"})},
        ExportFormat::Coco, "c.json", {.images = folder / "pics"});
  const json coco = json::parse(text("c.json"));
  std::vector<std::string> names;
  for (const json& image : coco["images"]) {
    names.push_back(image["file_name"]);
    EXPECT_EQ(text("pics/" + names.back()), "picture of " + image["segment"].get<std::string>() + " " +
                                                std::to_string(image["timestamp_micros"].get<int>()) + "UNKNOWN");
  }
  EXPECT_EQ(names, (std::vector<std::string>{"images/1.jpg", "2.jpg", "images/1-2.jpg", "images/1-3.jpg"}));
}

TEST_F(ExportTest, PartsOfOneExportShareTheirNames) {
  index = makeIndex(folder, {namedPictures("a", {"1.jpg"}), namedPictures("b", {"1.jpg"})});
  PictureNames names;
  ExportRequest request{.out = folder / "part.jsonl", .images = folder / "pics"};
  request.names = &names;
  QuietProgress progress;
  for (const ImageId image : {0u, 1u}) ASSERT_TRUE(exportImages(*index, {image}, request, progress).ok());
  EXPECT_EQ(text("pics/1.jpg"), "picture of a 0UNKNOWN");
  EXPECT_EQ(text("pics/1-2.jpg"), "picture of b 0UNKNOWN");
}

TEST_F(ExportTest, AMissingPictureCostsNoOtherImage) {
  const std::vector<Recording> pictures = {namedPictures("a", {"1.jpg", "gone.jpg", "", "2.jpg"}, {"gone.jpg"})};
  for (const ExportFormat format : {ExportFormat::Jsonl, ExportFormat::Coco, ExportFormat::PaliGemma}) {
    const ExportOutcome plain = write(pictures, format, "plain");
    EXPECT_EQ(plain.images, 4u) << failure;
    EXPECT_EQ(plain.withoutPicture, 0u) << "nobody asked for it";
    const ExportOutcome copied = write(pictures, format, "copied", {.images = folder / "pics"});
    EXPECT_EQ(copied.images, 2u) << failure;
    EXPECT_EQ(copied.withoutPicture, 2u);
    EXPECT_EQ(copied.unreadable, (std::vector<std::string>{"gone.jpg", "a/2"}));
    EXPECT_EQ(copied.whyUnreadable, "the image was not in the source");
  }
  EXPECT_EQ(write(pictures, ExportFormat::Jsonl, "h.jsonl", {.hash = true}).withoutPicture, 2u);
  const auto rows = lines("h.jsonl");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0]["sha256"], sha256Hex("picture of a 0UNKNOWN"));
  EXPECT_TRUE(rows[1].contains("sha256") && rows[1]["sha256"].is_null());
}

TEST_F(ExportTest, NoPictureAtAllIsAnError) {
  const std::vector<Recording> pictures = {namedPictures("a", {"1.jpg", "2.jpg"}, {"1.jpg", "2.jpg"})};
  write(pictures, ExportFormat::Jsonl, "h.jsonl", {.hash = true});
  EXPECT_EQ(failure, "the image was not in the source");
  write(pictures, ExportFormat::Coco, "c.json", {.images = folder / "pics"});
  EXPECT_EQ(failure, "the image was not in the source");
  EXPECT_FALSE(std::filesystem::exists(folder / "h.jsonl") || std::filesystem::exists(folder / "c.json"));
}

TEST_F(ExportTest, PaliGemmaCountsWhatItWrites) {
  const ExportOutcome outcome = write(ExportFormat::PaliGemma, "p.jsonl", {.images = folder / "pics"});
  EXPECT_EQ(outcome.images, lines("p.jsonl").size());
  EXPECT_EQ(outcome.withoutLabels, 1u);
  EXPECT_EQ(filesIn(folder / "pics"), 2u);
}

TEST_F(ExportTest, NothingIsLearntOfBoxesOutsideThePicture) {
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front,
                                {fakeBox(kVehicle, 10, 10, 20, 20), fakeBox(kVehicle, 1920, 10, 20, 20),
                                 fakeBox(kVehicle, -20, 10, 20, 20), fakeBox(kVehicle, 10, 10, 0, 20)})};
  EXPECT_EQ(write({recording}, ExportFormat::PaliGemma, "p.jsonl").boxes, 1u);
  EXPECT_EQ(write({recording}, ExportFormat::Yolo, "y").boxes, 1u);
  EXPECT_EQ(write({recording}, ExportFormat::Jsonl, "j.jsonl").boxes, 4u) << "which tells what is there";
}

TEST_F(ExportTest, ClassesThatWereLeftOutAreNamed) {
  EXPECT_EQ(write(ExportFormat::PaliGemma, "p.jsonl").otherClasses, (std::set<std::string>{"sign"}));
  EXPECT_TRUE(write(ExportFormat::Jsonl, "j.jsonl").otherClasses.empty());
}

}  // namespace
}  // namespace roadtune::data

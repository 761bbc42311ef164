// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of other projects: YOLO, KITTI and BDD100K folders as people have them.
#include "core/base/files.h"
#include "core/base/random.h"
#include "core/data/export/export.h"
#include "core/data/export/hold_out.h"
#include "core/data/index/statistics.h"
#include "core/data/index/yolo_config.h"
#include "tests/unit/data/fake_recordings.h"
#include "tests/unit/data/imported_labels.h"
#include "tests/unit/data/pillow_images.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace roadtune::data {
namespace {

using ForeignLabels = ImportedLabels;

TEST_F(ForeignLabels, YoloFoldersWithBoxesPolygonsAndUnlabelledPictures) {
  folder.write("set/data.yaml",
               "# made elsewhere\npath: ../set\ntrain: images/train  # here\nval:\n  - images/val\nnc: 2\nnames:\n"
               "  0: 'vehicle'\n  1: traffic light\n");
  for (const char* name : {"train/a.jpg", "train/b.jpg", "train/c.png", "val/d.jpg"})
    picture(std::string("set/images/") + name);
  folder.write("set/labels/train/a.txt", "0 0.5 0.5 0.2 0.4\n1 0.1 0.1 0.1 0.1\n");
  folder.write("set/labels/train/b.txt", "");
  folder.write("set/labels/val/d.txt", "1 0.1 0.2 0.3 0.2 0.3 0.6 0.1 0.6\nnonsense\n7 0.5 0.5 0.1 0.1\n");
  const auto index = import({folder / "set"});
  ASSERT_EQ(index->imageCount(), 4u);
  EXPECT_EQ(index->segment(0).info().split, "training");
  EXPECT_EQ(told(*index, 0), "vehicle(80.0 30.0 40.0 40.0) traffic light(10.0 5.0 20.0 10.0) ");
  EXPECT_EQ(told(*index, 1), "");
  EXPECT_EQ(told(*index, 2), "not labelled ");
  EXPECT_EQ(told(*index, 3), "traffic light(20.0 20.0 40.0 40.0) class 7(90.0 45.0 20.0 10.0) ");
  EXPECT_EQ(index->image(3).width, 200);
  EXPECT_FALSE(index->imageBytes(3).value().empty());
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_NE(problems[0].find("d.txt: line 2"), std::string::npos) << problems[0];
  EXPECT_NE(problems[1].find("labels name 1 class, such as 7, for which it has no name"), std::string::npos);
}

TEST_F(ForeignLabels, APlaceOfYoloWithoutPicturesIsTold) {
  folder.write("set/data.yaml", "train: images\nval: images/gone\nnames: [car]\n");
  picture("set/images/a.jpg");
  EXPECT_EQ(import({folder / "set"})->imageCount(), 1u);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("'val' names images/gone, where no picture was found"), std::string::npos) << problems[0];
}

// Of a phone that was held upright, as most viewers show it and as it is not stored.
void keepTurned(const testing::TempFolder& folder, const std::string& name) {
  folder.write(name, testing::readAll(PillowImages::instance().folder() / "decode/exif6.jpg"));
}

TEST_F(ForeignLabels, PicturesThatAreStoredTurnedAreTold) {
  folder.write("set/data.yaml", "train: images\nnames: [car]\n");
  picture("set/images/a.jpg");
  keepTurned(folder, "set/images/b.jpg");
  EXPECT_EQ(import({folder / "set"})->imageCount(), 2u);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("1 picture stored turned, as EXIF says: images/b.jpg"), std::string::npos) << problems[0];
}

TEST_F(ForeignLabels, PicturesOfAnotherSizeThanTheLabelsSayAreTold) {
  picture("c/a.jpg");
  picture("c/b.jpg");
  folder.write("c/labels.json",
               R"({"images": [{"id": 1, "file_name": "a.jpg", "width": 400, "height": 200},
                              {"id": 2, "file_name": "b.jpg", "width": 200, "height": 100}],
                   "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 2, 30, 40]}],
                   "categories": [{"id": 1, "name": "car"}]})");
  EXPECT_EQ(import({folder / "c/labels.json"})->imageCount(), 2u);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("1 picture of another size than the labels say: a.jpg (200 x 100, not 400 x 200)"),
            std::string::npos)
      << problems[0];
}

TEST_F(ForeignLabels, ACategoryOfCocoWithTwoNamesIsTold) {
  picture("c/a.jpg");
  folder.write("c/labels.json",
               R"({"images": [{"id": 1, "file_name": "a.jpg"}],
                   "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 2, 30, 40]}],
                   "categories": [{"id": 1, "name": "car"}, {"id": 1, "name": "bus"}]})");
  EXPECT_EQ(told(*import({folder / "c/labels.json"}), 0), "car(1.0 2.0 30.0 40.0) ");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("1 category id with several names; the first was kept"), std::string::npos) << problems[0];
}

TEST_F(ForeignLabels, AChangedYoloLabelIsReadAgain) {
  folder.write("set/data.yaml", "train: images\nnames: [car]\n");
  picture("set/images/a.jpg");
  folder.write("set/labels/a.txt", "0 0.5 0.5 0.2 0.4\n");
  EXPECT_EQ(import({folder / "set"})->boxCount(), 1u);
  folder.write("set/labels/a.txt", "0 0.5 0.5 0.2 0.4\n0 0.4 0.5 0.2 0.4\n");
  EXPECT_EQ(import({folder / "set"})->boxCount(), 2u);
}

TEST(YoloConfigs, TheUsualFormsAreUnderstood) {
  const testing::TempFolder folder;
  const auto names = [&](const std::string& text) {
    return readYoloConfig(folder.write("d.yaml", "train: x\n" + text));
  };
  EXPECT_EQ(names("names: ['a b', \"c\", d]\n").value().names,
            (std::map<std::size_t, std::string>{{0, "a b"}, {1, "c"}, {2, "d"}}));
  EXPECT_EQ(names("names:\n- a\n- b\n").value().names.size(), 2u);
  EXPECT_EQ(names("names: {0: a, 3: b}\n").value().names, (std::map<std::size_t, std::string>{{0, "a"}, {3, "b"}}));
  EXPECT_EQ(names("names:\r\n  0: a\r\nval: [p, q]\r\n").value().places.at("val"),
            (std::vector<std::string>{"p", "q"}));
  using Names = std::map<std::size_t, std::string>;
  EXPECT_EQ(names("names: [car,\n  \"a, b\", 'it''s']  # three\n").value().names,
            (Names{{0, "car"}, {1, "a, b"}, {2, "it's"}}));
  EXPECT_EQ(names("\"names\": {0: a,\n  1: \"b: c\"}\n").value().names, (Names{{0, "a"}, {1, "b: c"}}));
  EXPECT_EQ(names("names: [no, null]\nvalid: v\n").value().names, (Names{{0, "no"}, {1, "null"}}));
  EXPECT_EQ(names("names: [a]\nvalid: v\n").value().places.at("val"), std::vector<std::string>{"v"});
  EXPECT_TRUE(readYoloConfig(folder.write("d.yaml", "\xEF\xBB\xBFtrain: x\nnames: [a]\n")).ok()) << "a mark of Windows";
  const auto broken = names("names: [a\n");
  ASSERT_FALSE(broken.ok());
  EXPECT_NE(broken.error().where.find("d.yaml:"), std::string::npos) << broken.error().text();
  EXPECT_FALSE(names("nc: 3\n").ok());
  Random random(3);
  const std::string_view alphabet = "names:[]{}'\"#-\n\t train,0";
  for (int i = 0; i < 300; ++i) {  // whatever the text, no crash
    std::string text;
    for (std::uint64_t k = random.below(60); k > 0; --k) text += alphabet[random.below(alphabet.size())];
    static_cast<void>(names(text).ok());
  }
}

TEST_F(ForeignLabels, KittiFolders) {
  picture("k/training/image_2/000000.png", 1242, 375);
  picture("k/training/image_2/000001.png", 1242, 375);
  folder.write("k/training/label_2/000000.txt",
               "Car 0.00 0 -1.58 587.01 173.33 614.12 200.12 1.65 1.67 3.64 -0.65 1.71 46.70 -1.59\n"
               "DontCare -1 -1 -10 503.89 169.71 590.61 190.13 -1 -1 -1 -1000 -1000 -1000 -10\n"
               "Tram 0.00 0 0 0 0 50.5 60\nCyclist 0 0\n");
  folder.write("k/training/label_2/000001.txt", "");
  folder.write("k/training/label_2/000002.txt", "Pedestrian 0 0 0 1 2 3 4 0 0 0 0 0 0 0\n");
  const auto index = import({folder / "k"});
  ASSERT_EQ(index->imageCount(), 3u);
  EXPECT_EQ(told(*index, 0), "vehicle(587.0 173.3 27.1 26.8) tram(0.0 0.0 50.5 60.0) ");
  EXPECT_EQ(told(*index, 1), "");
  EXPECT_EQ(told(*index, 2), "pedestrian(1.0 2.0 2.0 2.0) ");
  EXPECT_TRUE(index->imageBytes(0).ok());
  EXPECT_FALSE(index->image(2).available);
  EXPECT_EQ(problems.size(), 2u);  // the short line, the missing picture
}

TEST_F(ForeignLabels, KittiTestSetIsThereToPredict) {
  picture("k/training/image_2/000000.png", 1242, 375);
  folder.write("k/training/label_2/000000.txt", "Car 0.00 0 -1.58 587 173 614 200 1 1 3 -0.65 1.71 46.70 -1.59\n");
  picture("k/testing/image_2/000000.png", 1242, 375);
  picture("k/testing/image_2/000007.jpg", 1242, 375);
  picture("k/other/image_2/000000.png", 1242, 375);  // nobody knows what that is
  const auto index = import({folder / "k"});
  ASSERT_EQ(index->segmentCount(), 2u);
  ASSERT_EQ(index->imageCount(), 3u);
  EXPECT_EQ(index->segment(0).info().name, "testing");
  EXPECT_EQ(index->segment(0).info().split, "testing");
  for (ImageId image = 0; image < 2; ++image) {
    EXPECT_FALSE(index->image(image).labelled);
    EXPECT_EQ(index->image(image).width, 1242);
    EXPECT_TRUE(index->imageBytes(image).ok());
  }
  EXPECT_EQ(index->imageLabel(1), "testing/image_2/000007.jpg");
  EXPECT_TRUE(index->image(2).labelled);
  EXPECT_TRUE(problems.empty());
}

TEST_F(ForeignLabels, BddFilesBecomeScenes) {
  picture("images/one.jpg", 1280, 720);
  picture("images/two.jpg", 1280, 720);
  folder.write("bdd_train.json", R"([
    {"name": "one.jpg", "attributes": {"weather": "rainy", "scene": "highway", "timeofday": "night"}, "timestamp": 10000,
     "labels": [{"category": "car", "id": 7, "box2d": {"x1": 10, "y1": 20.5, "x2": 30, "y2": 60}},
                {"category": "lane", "poly2d": []}, {"category": "person", "box2d": {"x1": 1, "y1": 2, "x2": 3, "y2": 4}},
                {"category": "car", "box2d": {"x1": "?"}}]},
    {"name": "two.jpg", "attributes": {"weather": "clear", "scene": "city street", "timeofday": "daytime"}, "labels": []},
    {"name": "gone.jpg"}])");
  const auto index = import({folder / "bdd_train.json", folder / "images"});
  ASSERT_EQ(index->imageCount(), 3u);
  std::set<std::string> times;
  std::map<std::string, std::string> labels;
  for (ImageId image = 0; image < 3; ++image) {
    const Segment& segment = index->segment(index->image(image).segment);
    times.insert(segment.info().time);
    labels[std::filesystem::path(index->imageLabel(image)).filename().string()] = told(*index, image);
  }
  EXPECT_EQ(times, (std::set<std::string>{"", "Day", "Night"}));
  EXPECT_EQ(labels["one.jpg"], "car(10.0 20.5 20.0 39.5) pedestrian(1.0 2.0 2.0 2.0) ");
  EXPECT_EQ(labels["two.jpg"], "");
  EXPECT_EQ(labels["gone.jpg"], "not labelled ");
  EXPECT_EQ(problems.size(), 2u);
}

TEST_F(ForeignLabels, DamagedPicturesAreNamedAndMarked) {
  folder.write("k/image_2/000000.png", "no picture");
  folder.write("k/label_2/000000.txt", "Car 0 0 0 1 2 3 4 0 0 0 0 0 0 0\n");
  folder.write("k/label_2/000001.txt", "Car 0 0 0 1 2 3 4 0 0 0 0 0 0 0\n");
  folder.write("b/bad.jpg", "no picture");
  folder.write("b/bdd_val.json", R"([{"name": "bad.jpg", "attributes": {"timeofday": "night"}, "labels": [
    {"category": "car", "id": 7, "box2d": {"x1": 10, "y1": 20, "x2": 30, "y2": 60}}]}])");
  const auto index = import({folder / "k", folder / "b"});
  ASSERT_EQ(index->imageCount(), 3u);
  EXPECT_EQ(index->boxCount(), 3u);
  const auto wasTold = [&](const std::string& part) {
    return std::any_of(problems.begin(), problems.end(),
                       [&](const std::string& line) { return line.find(part) != std::string::npos; });
  };
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_TRUE(wasTold("label_2: 1 picture not found: "));
  EXPECT_TRUE(wasTold("label_2: 1 picture unreadable: "));
  EXPECT_TRUE(wasTold("bdd_val.json: 1 picture unreadable: "));
  EXPECT_EQ(measureIndex(*index).unavailable, 3u);
  for (const char* name : {"k/image_2/000000.png", "k/image_2/000001.png", "b/bad.jpg"}) picture(name);
  problems.clear();
  EXPECT_EQ(measureIndex(*import({folder / "k", folder / "b"})).unavailable, 0u) << "what came later is looked at";
  EXPECT_TRUE(problems.empty());
}

// What we write in these formats comes back.
TEST_F(ForeignLabels, ExportsComeBack) {
  folder.write("set/data.yaml", "train: images\nnames: [vehicle, pedestrian, cyclist]\n");
  Random random(1);
  for (int i = 0; i < 5; ++i) {
    picture(fmt::format("set/images/p{}.jpg", i));
    std::string text;
    for (int k = 0; k < i; ++k)
      text += fmt::format("{} {} {} {} {}\n", k % 3, random.uniform(0.3, 0.7), random.uniform(0.3, 0.7),
                          random.uniform(0.05, 0.5), random.uniform(0.05, 0.5));
    folder.write(fmt::format("set/labels/p{}.txt", i), text);
  }
  const auto first = import({folder / "set"});
  std::vector<std::vector<Box>> before;
  std::vector<ImageId> all;
  for (ImageId image = 0; image < first->imageCount(); ++image) {
    all.push_back(image);
    before.push_back(first->boxes(image));
  }
  for (const ExportFormat format : {ExportFormat::Yolo, ExportFormat::Kitti}) {
    std::filesystem::remove_all(folder / "out");
    ExportRequest request{.format = format, .out = folder / "out"};
    request.images = folder / (format == ExportFormat::Yolo ? "out/images" : "out/image_2");
    ASSERT_TRUE(exportImages(*first, all, request, quiet).ok());
    std::filesystem::remove_all(folder / "index");
    const auto again = import({folder / "out"});
    ASSERT_EQ(again->imageCount(), before.size());
    for (ImageId image = 0; image < again->imageCount(); ++image) {
      const auto wanted = before[image], got = again->boxes(image);
      ASSERT_EQ(wanted.size(), got.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(wanted[i].type, got[i].type);
        EXPECT_NEAR(wanted[i].x, got[i].x, 0.011);  // KITTI has two digits
        EXPECT_NEAR(wanted[i].h, got[i].h, 0.011);
      }
    }
  }
}

TEST_F(ForeignLabels, SegmentsAreHeldOutWhole) {
  std::vector<Recording> recordings;
  for (int s = 0; s < 10; ++s) {
    Recording recording;
    recording.name = fmt::format("s{}", s);
    recording.format = "fake";
    for (int i = 0; i < 3; ++i) recording.images.push_back(fakeImage(i, Camera::Front, {}));
    recordings.push_back(recording);
  }
  folder.write("x.fake", "x");
  RecordingReaders readers;
  readers.push_back(std::make_unique<FakeReader>(recordings));
  ImportRequest request;
  request.sources = {folder / "x.fake"};
  request.out = folder / "index";
  ASSERT_TRUE(importInto(request, readers, quiet).ok());
  const auto index = Index::open(folder / "index").value();
  std::vector<ImageId> all(index->imageCount());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<ImageId>(i);
  const auto [kept, heldOut] = holdOutGroups(*index, all, 0.2, 1);
  EXPECT_EQ(heldOut.size(), 6u);
  EXPECT_EQ(kept.size(), 24u);
  std::set<std::uint32_t> a, b;
  for (const ImageId image : kept) a.insert(index->locate(image).first);
  for (const ImageId image : heldOut) b.insert(index->locate(image).first);
  for (const std::uint32_t segment : b) EXPECT_FALSE(a.contains(segment));
  EXPECT_EQ(holdOutGroups(*index, all, 0.2, 1).second, heldOut);
  EXPECT_NE(holdOutGroups(*index, all, 0.2, 2).second, heldOut);
  EXPECT_EQ(holdOutGroups(*index, all, 0.01, 1).second.size(), 3u);
}

TEST(HoldOut, PicturesOfNoRecordingAreDrawnOneByOne) {
  const testing::TempFolder folder;
  Recording recording = fakeRecording("pictures", "all");
  recording.format = "coco";
  for (int i = 0; i < 10; ++i) {
    recording.images.push_back(fakeImage(i, Camera::Unknown, {}));
    recording.images.back().name = fmt::format("{}.jpg", i);
  }
  const auto index = makeIndex(folder, {recording});
  std::vector<ImageId> all(index->imageCount());
  std::iota(all.begin(), all.end(), ImageId{0});
  EXPECT_EQ(holdOutGroups(*index, all, 0.2, 1).second.size(), 2u);
}

}  // namespace
}  // namespace roadtune::data

// SPDX-License-Identifier: GPL-3.0-or-later
// COCO and JSONL files that say things oddly, and folders in which many files are called the same.
#include "core/data/image/encode.h"
#include "core/data/index/class_list.h"
#include "core/data/index/statistics.h"
#include "core/data/records/tfrecord_writer.h"
#include "core/data/records/wire_writer.h"
#include "tests/unit/data/fake_recordings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace roadtune::data {
namespace {

class OddFiles : public ::testing::Test {
 protected:
  void picture(const std::string& name) const { folder.write(name, encodeJpeg(Image(200, 100)).value()); }

  ImportOutcome import(const std::vector<std::filesystem::path>& sources, const std::string& split = "") {
    ImportRequest request;
    request.sources = sources;
    request.out = folder / "index";
    request.split = split;
    request.onProblem = [&](const Problem& problem) { problems.push_back(problem.line()); };
    problems.clear();
    const auto outcome = importInto(request, basicReaders(), quiet);
    EXPECT_TRUE(outcome.ok());
    index = Index::open(folder / "index").value();
    return outcome.value();
  }

  std::string told(ImageId image) const {
    std::string text;
    for (const Box& box : index->boxes(image)) text += fmt::format("{}({}) ", index->classNames()[box.type], box.x);
    return text;
  }

  std::set<std::string> names() const {
    std::set<std::string> all;
    for (std::size_t i = 0; i < index->segmentCount(); ++i) all.insert(index->segment(i).info().name);
    return all;
  }

  bool wasTold(const std::string& part) const {
    return std::any_of(problems.begin(), problems.end(),
                       [&](const std::string& line) { return line.find(part) != std::string::npos; });
  }

  testing::TempFolder folder;
  QuietProgress quiet;
  std::vector<std::string> problems;
  std::shared_ptr<const Index> index;
};

constexpr const char* kOneBox = R"({"images":[{"id":1,"file_name":"p.jpg"}],"categories":[{"id":1,"name":"car"}],
  "annotations":[{"image_id":1,"category_id":1,"bbox":[1,2,3,4]}]})";

TEST_F(OddFiles, CocoImagesWithoutAListOfAnnotationsAreNotLabelled) {
  picture("p.jpg");
  const std::string images = R"("images":[{"id":1,"file_name":"p.jpg"}],"categories":[{"id":1,"name":"car"}])";
  import({folder.write("test.json", "{" + images + "}")});
  EXPECT_FALSE(index->image(0).labelled) << "images to predict";
  import({folder.write("test.json", "{" + images + R"(,"annotations":[]})")});
  EXPECT_TRUE(index->image(0).labelled) << "somebody looked, and nothing was there";
}

TEST_F(OddFiles, ALogOfJsonLinesIsOneProblemAndNotOneForEachLine) {
  picture("p.jpg");
  std::string log;
  for (int i = 0; i < 5000; ++i) log += "{\"step\": 1}\n";
  folder.write("log.jsonl", log);
  const std::string good = "{\"image\": \"p.jpg\", \"prefix\": \"caption en\", \"suffix\": \"a car\"}\n";
  folder.write("good.jsonl", "{\"step\": 1}\n" + good + "{\"step\": 2}\n");
  import({folder.path()});
  EXPECT_TRUE(wasTold("holds no line with an image and a text: line 1 has no \"image\""));
  EXPECT_TRUE(wasTold("good.jsonl"));
  EXPECT_TRUE(wasTold("line 3 has no"));
  EXPECT_LE(problems.size(), 4U);
  EXPECT_EQ(index->imageCount(), 1U);
}

TEST_F(OddFiles, CocoIdsMayBeLargerThanAnyInteger) {
  import({folder.write("gt.json", R"({"images":[{"id":100000000000000000000,"file_name":"a.jpg","width":90,"height":90},
    {"id":200000000000000000000,"file_name":"b.jpg","width":90,"height":90}],"categories":[{"id":1,"name":"dog"}],
    "annotations":[{"id":1,"image_id":200000000000000000000,"category_id":1,"bbox":[1,1,30,30]}]})")});
  ASSERT_EQ(index->imageCount(), 2u);
  EXPECT_EQ(index->boxes(0).size(), 0u);
  EXPECT_EQ(index->boxes(1).size(), 1u);
}

TEST_F(OddFiles, CocoIdsMayBeTexts) {
  for (const char* name : {"a.jpg", "b.jpg", "c.jpg"}) picture(name);
  const auto file = folder.write("ids.json", R"({
    "images":[{"id":"a","file_name":"a.jpg"},{"id":"b","file_name":"b.jpg"},{"file_name":"c.jpg"},
              {"id":"a","file_name":"c.jpg"}],
    "categories":[{"id":"v","name":"van"},{"id":"p","name":"pole"}],
    "annotations":[{"id":"n1","image_id":"a","category_id":"v","bbox":[1,1,5,5]},
                   {"image_id":"b","category_id":"p","bbox":[2,1,5,5]},
                   {"image_id":"z","category_id":"p","bbox":[3,1,5,5]},
                   {"image_id":"b","bbox":[4,1,5,5]}]})");
  import({file});
  ASSERT_EQ(index->imageCount(), 2u);
  EXPECT_EQ(told(0), "van(1) ");
  EXPECT_EQ(told(1), "pole(2) ");
  EXPECT_EQ(index->boxes(0)[0].id, "n1");
  EXPECT_TRUE(wasTold("1 image without an id"));
  EXPECT_TRUE(wasTold("1 image with the id of another one; the first was kept"));
  EXPECT_TRUE(wasTold("2 annotations of no known image or category"));
}

TEST_F(OddFiles, NamesOfOtherCaseAreOneClass) {
  picture("p.jpg");
  folder.write("a.json", R"({"images":[{"id":1,"file_name":"p.jpg"}],
    "categories":[{"id":1,"name":"Vehicle"},{"id":2,"name":"Tram"}],
    "annotations":[{"image_id":1,"category_id":1,"bbox":[1,2,3,4]},{"image_id":1,"category_id":2,"bbox":[2,2,3,4]}]})");
  folder.write("b.jsonl",
               R"({"image":"p.jpg","prefix":"detect","suffix":"<loc0000><loc0000><loc0500><loc0500> VEHICLE"})");
  folder.write("c.json", R"({"images":[{"id":1,"file_name":"p.jpg"}],"categories":[{"id":1,"name":"TRAM"}],
    "annotations":[{"image_id":1,"category_id":1,"bbox":[3,2,3,4]}]})");
  import({folder / "a.json", folder / "b.jsonl", folder / "c.json"});
  ASSERT_EQ(index->imageCount(), 3u);
  EXPECT_EQ(told(0), "vehicle(1) Tram(2) ");
  EXPECT_EQ(told(1), "vehicle(0) ");
  EXPECT_EQ(told(2), "Tram(3) ");
  EXPECT_EQ(index->classNames().size(), 6u);
  EXPECT_EQ(findClassNamed({"Car", "car"}, "car"), std::uint8_t{1}) << "as written comes first";
  EXPECT_EQ(findClassNamed({"Car", "car"}, "CAR"), std::uint8_t{0});
}

TEST_F(OddFiles, FilesOfOneNameAreToldApartByTheirFolders) {
  for (const char* split : {"train", "valid", "test"}) {
    picture(fmt::format("dup/{}/p.jpg", split));
    folder.write(fmt::format("dup/{}/_annotations.coco.json", split), kOneBox);
    folder.write(fmt::format("dup/{}/data.jsonl", split), R"({"image":"p.jpg","prefix":"what?","suffix":"a car"})");
  }
  const std::set<std::string> wanted = {
      "_annotations.coco", "train/_annotations.coco", "valid/_annotations.coco", "data", "train/data", "valid/data"};
  EXPECT_EQ(import({folder / "dup"}).imported, 6u);
  EXPECT_EQ(names(), wanted);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(import({folder / "dup"}).unchanged, 6u);
  EXPECT_EQ(names(), wanted);
  folder.write("dup/test/data.jsonl", R"({"image":"p.jpg","prefix":"what?","suffix":"two cars"})");
  folder.write("dup/a/data.jsonl", R"({"image":"../test/p.jpg","prefix":"why?","suffix":"so"})");
  const ImportOutcome later = import({folder / "dup"});
  EXPECT_EQ(later.imported, 2u);
  EXPECT_EQ(later.unchanged, 5u);
  EXPECT_TRUE(names().contains("a/data"));
  EXPECT_EQ(index->segmentCount(), 7u);
}

TEST_F(OddFiles, TheSameFileByTwoPathsIsTakenOnce) {
  picture("a/p.jpg");
  picture("c/p.jpg");
  folder.write("a/data.json", kOneBox);
  folder.write("c/data.json", kOneBox);
  std::filesystem::create_directory_symlink(folder / "a", folder / "train");
  const ImportOutcome outcome = import({folder / "a", folder / "c", folder / "train"});
  EXPECT_EQ(outcome.imported, 1u);
  EXPECT_EQ(outcome.usable, 1u);
  EXPECT_EQ(problems.size(), 2u);
  EXPECT_TRUE(wasTold("is in the index already"));
  std::filesystem::remove(folder / "train");
  std::filesystem::rename(folder / "a", folder / "d");
  EXPECT_EQ(import({folder / "d"}).imported, 1u);
  EXPECT_EQ(names(), std::set<std::string>{"data"});
}

TEST_F(OddFiles, PicturesThatCameLaterAreFound) {
  const auto file = folder.write("a.json", kOneBox);
  import({file});
  EXPECT_FALSE(index->image(0).available);
  EXPECT_EQ(import({file}).unchanged, 0u) << "a picture may have come";
  picture("elsewhere/p.jpg");
  import({file, folder / "elsewhere"});
  EXPECT_TRUE(index->image(0).available);
  EXPECT_EQ(import({file, folder / "elsewhere"}).unchanged, 1u);
  EXPECT_EQ(import({file}).unchanged, 1u) << "the folder is remembered";
  picture("third/p.jpg");
  EXPECT_EQ(import({file, folder / "third"}).imported, 1u);
}

TEST_F(OddFiles, TheSplitMayBeGivenLater) {
  picture("p.jpg");
  const auto file = folder.write("a.json", kOneBox);
  const auto segments = [&](const std::string& split) { return measureIndex(*index).splits[split]; };
  import({file});
  EXPECT_EQ(import({file}, "training").imported, 1u);
  EXPECT_EQ(segments("training"), 1u);
  EXPECT_EQ(import({file}, "training").unchanged, 1u);
  EXPECT_EQ(import({file}).unchanged, 1u) << "said once, it holds";
  const auto named = folder.write("val.json", R"({"images":[{"id":1,"file_name":"p.jpg"}]})");
  import({named});
  EXPECT_EQ(import({named}, "training").unchanged, 1u) << "its path says it";
}

TEST_F(OddFiles, AWordInTheMiddleOfANameYieldsToTheGivenSplit) {
  picture("p.jpg");
  const auto segments = [&](const std::string& split) { return measureIndex(*index).splits[split]; };
  const auto file = folder.write("road_test.json", kOneBox);
  import({file});
  EXPECT_EQ(segments("testing"), 1u) << "nobody says better";
  import({file}, "training");
  EXPECT_EQ(segments("training"), 1u);
  EXPECT_EQ(segments("testing"), 0u);
}

TEST_F(OddFiles, ClassesWithoutRoomAreCounted) {
  picture("p.jpg");
  std::string categories, boxes;
  for (int i = 0; i < 300; ++i) {
    categories += fmt::format(R"({}{{"id":{},"name":"class {}"}})", i ? "," : "", i, i);
    boxes += fmt::format(R"({}{{"image_id":1,"category_id":{},"bbox":[1,2,3,4]}})", i ? "," : "", i);
  }
  import({folder.write("a.json", R"({"images":[{"id":1,"file_name":"p.jpg"}],"categories":[)" + categories +
                                     R"(],"annotations":[)" + boxes + "]}")});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(wasTold("49 classes find no room")) << problems[0];
  EXPECT_TRUE(wasTold("their 49 boxes are kept as \"unknown\""));
  EXPECT_EQ(index->boxCount(), 300u);
}

TEST_F(OddFiles, JsonOfOtherKindsIsCalledWhatItIs) {
  import({folder.write("found.json", R"([{"image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4], "score": 0.5}])")});
  EXPECT_TRUE(wasTold("is a list, as files of predictions are, and no COCO file"));
  import({folder.write("none.json", R"({"images": [], "annotations": []})")});
  EXPECT_TRUE(wasTold("none.json: it names no images"));
}

TEST_F(OddFiles, DamagedPicturesAreNamed) {
  folder.write("bad.jpg", "no picture");
  picture("p.jpg");
  folder.write("a.jsonl",
               "{\"image\":\"bad.jpg\",\"prefix\":\"detect car\",\"suffix\":\"<loc0001><loc0001><loc0009>"
               "<loc0009> car\"}\n{\"image\":\"p.jpg\"}\n{\"image\":\"p.jpg\",\"prefix\":7,\"suffix\":\"\"}\n");
  folder.write("b.json",
               R"({"images":[{"id":1,"file_name":"bad.jpg","width":9,"height":9},{"id":2,"file_name":"p.jpg"}]})");
  import({folder / "a.jsonl", folder / "b.json"});
  ASSERT_EQ(index->imageCount(), 3u);
  EXPECT_FALSE(index->image(0).labelled);
  EXPECT_TRUE(wasTold("line 1: picture bad.jpg cannot be read"));
  EXPECT_TRUE(wasTold("line 2 has neither \"prefix\" nor \"suffix\" nor \"boxes\"; line left out"));
  EXPECT_TRUE(wasTold("line 3: \"prefix\" is not a text; line left out"));
  EXPECT_TRUE(wasTold("b.json: 1 picture unreadable: "));
  picture("bad.jpg");
  import({folder / "a.jsonl", folder / "b.json"});
  EXPECT_TRUE(wasTold("b.json: 1 picture of another size than the labels say: bad.jpg"));
  EXPECT_TRUE(problems.size() == 3 && index->image(0).labelled && index->boxCount() == 1);
}

TEST_F(OddFiles, BoxesThatAreNowhereAreLeftOut) {
  picture("p.jpg");
  std::string boxes;
  for (const char* box : {"1,2,3,4", "1,2,0,4", "1,2,3,0", "200,2,3,4", "-9,2,9,4", "1,100,3,4", "-2,-2,300,300"})
    boxes += fmt::format(R"({}{{"image_id":1,"category_id":1,"bbox":[{}]}})", boxes.empty() ? "" : ",", box);
  import({folder.write("a.json", R"({"images":[{"id":1,"file_name":"p.jpg"}],"categories":[{"id":1,"name":"car"}],
    "annotations":[)" + boxes + "]}")});
  EXPECT_EQ(told(0), "car(1) car(-2) ") << "what lies partly outside stays as it is";
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(wasTold("5 boxes with impossible coordinates")) << problems[0];
}

TEST_F(OddFiles, AnAnswerThatCannotBeReadIsNoEmptyPicture) {
  picture("p.jpg");
  std::string lines;
  for (const char* answer : {"<loc0005><loc0005><loc0005><loc0009> car", "<loc0001><loc0001> car",
                             "<loc0001><loc0001><loc0009><loc0009> car ; <loc0004><loc0004><loc0004><loc0004> car ; "
                             "<loc0001> bus ; <loc0002> bus",
                             ""})
    lines += fmt::format("{{\"image\":\"p.jpg\",\"prefix\":\"detect car\",\"suffix\":\"{}\"}}\n", answer);
  import({folder.write("a.jsonl", lines)});
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_TRUE(wasTold("line 1: its answer has 1 box of no size; the picture counts as not labelled"));
  EXPECT_TRUE(wasTold("line 2: its answer has 1 part that cannot be read; the picture counts as not labelled"));
  EXPECT_TRUE(wasTold("line 3: its answer has 1 box of no size and 2 parts that cannot be read; left out"));
  std::string labelled;
  for (ImageId image = 0; image < index->imageCount(); ++image) labelled += index->image(image).labelled ? "y" : "n";
  EXPECT_EQ(labelled, "nnyy");
  EXPECT_EQ(index->boxCount(), 1u);
}

TEST_F(OddFiles, RecordsOfAnotherKindAreNoFrames) {
  WireWriter feature, features, example;
  feature.bytes(1, "image/height");
  features.message(1, feature);
  example.message(1, features);
  std::string bytes;
  appendTfRecord(bytes, example.data());
  EXPECT_EQ(import({folder.write("examples.tfrecord", bytes)}).usable, 0u);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_TRUE(wasTold("it is no Waymo frame")) << problems[0];
}

TEST(Problems, AreOneLineEach) {
  const Problem problem{.file = "a\nb", .segment = "s\r\x01", .what = "what\tis"};
  EXPECT_EQ(problem.line(), "a\\x0ab: segment s\\x0d\\x01: what\\x09is");
}

}  // namespace
}  // namespace roadtune::data

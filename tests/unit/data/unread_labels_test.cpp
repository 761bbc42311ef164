// SPDX-License-Identifier: GPL-3.0-or-later
// Labels that are written in an unusual way, and those that cannot be read: a picture of which no label could be read
// must not teach a model that it is empty.
#include "core/data/index/segment_meta.h"
#include "tests/unit/data/imported_labels.h"

namespace roadtune::data {
namespace {

class UnreadLabels : public ImportedLabels {
 protected:
  void expectNotLabelled(const std::shared_ptr<const Index>& index) const {
    ASSERT_EQ(index->imageCount(), 1u);
    EXPECT_EQ(told(*index, 0), "not labelled ");
    EXPECT_TRUE(wasTold("of 1 picture no label could be read; it counts as not labelled"));
  }
};

TEST_F(UnreadLabels, OfYolo) {
  folder.write("set/data.yaml", "train: images\nnames: [car]\n");
  picture("set/images/a.jpg");
  folder.write("set/labels/a.txt", "car 0.5 0.5 0.2 0.4\n");
  expectNotLabelled(import({folder / "set"}));
}

TEST_F(UnreadLabels, OfKitti) {
  picture("k/training/image_2/0.png");
  folder.write("k/training/label_2/0.txt", "Car 0.00 0 -1.58 left top right bottom\n");
  expectNotLabelled(import({folder / "k"}));
}

TEST_F(UnreadLabels, OfVoc) {
  picture("v/JPEGImages/a.jpg");
  folder.write("v/Annotations/a.xml", "<annotation><object><name>car</name></object></annotation>");
  expectNotLabelled(import({folder / "v"}));
}

TEST_F(UnreadLabels, OfCoco) {
  picture("a.jpg");
  const std::string head = R"({"images":[{"id":1,"file_name":"a.jpg"}],"categories":[{"id":1,"name":"car"}],)";
  for (const char* one : {R"({"image_id":1,"category_id":9,"bbox":[1,2,3,4]})", R"({"image_id":1,"category_id":1})",
                          R"({"image_id":1,"category_id":1,"bbox":[1,2,0,4]})"}) {
    problems.clear();
    expectNotLabelled(import({folder.write("gt.json", head + "\"annotations\":[" + one + "]}")}));
  }
  const auto index = import({folder.write("gt.json", head + R"("annotations":[{"image_id":1,"category_id":9},
      {"image_id":1,"category_id":1,"bbox":[1,2,3,4]}]})")});
  EXPECT_EQ(told(*index, 0), "car(1.0 2.0 3.0 4.0) ") << "what is left of it says something";
}

TEST_F(UnreadLabels, OfJsonLines) {
  picture("a.jpg");
  expectNotLabelled(import(
      {folder.write("a.jsonl", R"({"image":"a.jpg","boxes":[{"label":"car","x1":"1","y1":2,"x2":3,"y2":4}]})")}));
}

TEST_F(UnreadLabels, AQuestionWithoutAnAnswerIsNoEmptyPicture) {
  picture("a.jpg");
  for (const char* rest : {"}", R"(,"suffix":null})"})
    EXPECT_EQ(
        told(*import({folder.write("a.jsonl", std::string(R"({"image":"a.jpg","prefix":"detect car")") + rest)}), 0),
        "not labelled ");
  EXPECT_EQ(told(*import({folder.write("a.jsonl", R"({"image":"a.jpg","prefix":"detect car","suffix":""})")}), 0), "");
}

// Read directly such a line is left out; through an index it must not become an empty answer.
TEST_F(UnreadLabels, AQuestionWithoutAnAnswerIsNotLearnt) {
  picture("a.jpg");
  picture("b.jpg");
  const auto index = import({folder.write("a.jsonl", R"({"image":"a.jpg","prefix":"what is it?"})"
                                                     "\n"
                                                     R"({"image":"b.jpg","prefix":"what is it?","suffix":""})")});
  ASSERT_EQ(index->imageCount(), 2u);
  EXPECT_TRUE(index->segment(0).prefix(0).empty());
  EXPECT_EQ(index->segment(0).prefix(1), "what is it?") << "an empty answer is one";
}

TEST_F(UnreadLabels, TabsAndByteOrderMarksAreRead) {
  const std::string mark = "\xef\xbb\xbf";
  folder.write("set/data.yaml", "train: images\nnames: [car]\n");
  picture("set/images/a.jpg");
  picture("set/images/b.jpg");
  folder.write("set/labels/a.txt", "0\t0.5\t0.5\t0.2  0.4\r\n");
  folder.write("set/labels/b.txt", mark + "0 0.5 0.5 0.2 0.4\n");
  picture("k/training/image_2/0.png");
  folder.write("k/training/label_2/0.txt", mark + "Car\t0\t0\t0\t10\t20\t30\t40\n");
  picture("b.jpg");
  folder.write("bdd.json",
               mark + R"([{"name":"b.jpg","labels":[{"category":"car","box2d":{"x1":1,"y1":2,"x2":3,"y2":4}}],
      "attributes":{"timeofday":"night"}}])");
  const auto index = import({folder / "set", folder / "k", folder / "bdd.json"});
  ASSERT_EQ(index->imageCount(), 4u);
  for (ImageId image = 0; image < 4; ++image) EXPECT_EQ(index->boxes(image).size(), 1u) << index->imageLabel(image);
  EXPECT_TRUE(problems.empty()) << problems.front();
}

TEST_F(UnreadLabels, PicturesBesideLabelsThatHaveNoneAreNotLabelled) {
  for (const char* name :
       {"k/training/image_2/0.png", "k/training/image_2/1.png", "v/JPEGImages/a.jpg", "v/JPEGImages/b.jpg"})
    picture(name);
  folder.write("k/training/label_2/0.txt", "Car 0 0 0 10 20 30 40\n");
  folder.write("v/Annotations/a.xml", "<annotation></annotation>");
  folder.write("v/Annotations/c.xml", "");
  const auto index = import({folder / "k", folder / "v"});
  ASSERT_EQ(index->imageCount(), 4u);
  int labelled = 0;
  for (ImageId image = 0; image < 4; ++image) labelled += index->image(image).labelled ? 1 : 0;
  EXPECT_EQ(labelled, 2);
  EXPECT_TRUE(wasTold("c.xml: byte 0: no element begins here; left out"));
}

TEST_F(UnreadLabels, CocoIdsThatAreDigitsAndTextAreTheSame) {
  picture("a.jpg");
  const auto index = import({folder.write("gt.json", R"({"images":[{"id":"1","file_name":"a.jpg"}],
      "categories":[{"id":1,"name":"car"}],"annotations":[{"image_id":1,"category_id":"1","bbox":[1,2,3,4]}]})")});
  EXPECT_EQ(told(*index, 0), "car(1.0 2.0 3.0 4.0) ");
}

TEST_F(UnreadLabels, VocOfOldEditorsIsIso8859) {
  picture("v/JPEGImages/a.jpg");
  folder.write("v/Annotations/a.xml",
               "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><annotation><object><name>caf\xe9</name><bndbox>"
               "<xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox></object></annotation>");
  EXPECT_EQ(told(*import({folder / "v"}), 0), "caf\xc3\xa9(0.0 0.0 9.0 9.0) ");
}

TEST_F(UnreadLabels, AFolderWhoseNameIsNoUtf8KeepsItsPictures) {
  picture("caf\xe9/a.jpg");
  folder.write("caf\xe9/a.jsonl",
               R"({"image":"a.jpg","prefix":"detect car","suffix":"<loc0000><loc0000><loc0100><loc0100> car"})");
  const auto index = import({folder / "caf\xe9" / "a.jsonl"});
  EXPECT_TRUE(index->imageBytes(0).ok()) << index->imageBytes(0).error().text();
  import({folder / "caf\xe9" / "a.jsonl"});
  EXPECT_EQ(Index::open(folder / "index").value()->imageCount(), 1u) << "and is not taken for another one";
  for (const std::string path : {"/plain", "/caf\xc3\xa9", "/caf\xe9/x y%41", "\xef\xbf\xbd%41", ""})
    EXPECT_EQ(pathFrom(writtenPath(path)).string(), path);
}

TEST_F(UnreadLabels, ADataYamlThatNamesNothingIsSaidToDoSo) {
  ImportRequest request;
  request.out = folder / "index";
  request.onProblem = [&](const Problem& problem) { problems.push_back(problem.line()); };
  picture("set/images/a.jpg");
  request.sources = {folder.write("set/data.yaml", "train: images\n")};
  EXPECT_EQ(importInto(request, basicReaders(), quiet).value().usable, 0u);
  request.sources = {folder / "set"};
  EXPECT_EQ(importInto(request, basicReaders(), quiet).value().usable, 0u);
  folder.write("set/data.yaml", "train: elsewhere\nnames: [car]\n");
  EXPECT_EQ(importInto(request, basicReaders(), quiet).value().usable, 0u);
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_TRUE(problems[0].find("names no classes or no pictures") != std::string::npos) << problems[0];
  EXPECT_TRUE(problems[1].find("data.yaml: names no classes") != std::string::npos) << problems[1];
  EXPECT_TRUE(problems[2].find("none of the places that it names") != std::string::npos) << problems[2];
}

TEST_F(UnreadLabels, AUselessDataYamlBesideRecordingsIsNoProblemAndOneAloneIsOne) {
  ImportRequest request;
  request.out = folder / "index";
  request.onProblem = [&](const Problem& problem) { problems.push_back(problem.line()); };
  picture("a/p.jpg");
  const auto good = folder.write("a/a.jsonl", R"({"image":"p.jpg","prefix":"detect car","suffix":""})");
  folder.write("a/data.yaml", "train: images\n");
  folder.write("b/data.yaml", "train: images\n");
  request.sources = {folder / "a"};
  EXPECT_EQ(importInto(request, basicReaders(), quiet).value().usable, 1u);
  EXPECT_TRUE(problems.empty()) << problems.front();
  request.sources = {good, folder / "b"};
  EXPECT_EQ(importInto(request, basicReaders(), quiet).value().usable, 1u);
  EXPECT_TRUE(wasTold("b/data.yaml: names no classes or no pictures")) << problems.size();
}

}  // namespace
}  // namespace roadtune::data

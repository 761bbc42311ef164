// SPDX-License-Identifier: GPL-3.0-or-later
// Pascal VOC as people have it, and the small XML it needs.
#include "core/data/image/encode.h"
#include "core/data/index/xml_element.h"
#include "tests/unit/data/fake_recordings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

namespace roadtune::data {
namespace {

class VocTest : public ::testing::Test {
 protected:
  void picture(const std::string& name, int width = 200, int height = 100) const {
    folder.write(name, encodeJpeg(Image(width, height)).value());
  }
  static std::string object(const std::string& name, const std::string& sides, const std::string& more = "") {
    return "<object><name>" + name + "</name>" + more + "<bndbox>" + sides + "</bndbox></object>";
  }
  static std::string box(int left, int top, int right, int bottom) {
    return fmt::format("<xmin>{}</xmin><ymin>{}</ymin><xmax>{}</xmax><ymax>{}</ymax>", left, top, right, bottom);
  }
  void annotation(const std::string& name, const std::string& inside) const {
    folder.write(name, "<annotation>" + inside + "</annotation>\n");
  }
  std::shared_ptr<const Index> import() {
    ImportRequest request;
    request.sources = {folder / "set"};
    request.out = folder / "index";
    request.onProblem = [&](const Problem& problem) { problems.push_back(problem.line()); };
    QuietProgress quiet;
    EXPECT_TRUE(importInto(request, basicReaders(), quiet).ok());
    return Index::open(folder / "index").value();
  }
  static std::string told(const Index& index, ImageId image) {
    std::string text;
    for (const Box& box : index.boxes(image))
      text += fmt::format("{}{}({} {} {} {}) ", index.classNames()[box.type],
                          cameraBoxLevel(box.detectionLevel) == 2 ? "!" : "", box.x, box.y, box.w, box.h);
    return text;
  }
  testing::TempFolder folder;
  std::vector<std::string> problems;
};

TEST_F(VocTest, PixelsAreCountedFromOneAndPartsAreNoObjects) {
  picture("set/JPEGImages/a.jpg");
  annotation(
      "set/Annotations/a.xml",
      "<folder>VOC2012</folder><filename>a.jpg</filename><size><width>200</width><height>100</height></size>" +
          object("person", box(1, 1, 50, 100),
                 "<difficult>1</difficult><part><name>head</name><bndbox>" + box(5, 5, 9, 9) + "</bndbox></part>") +
          object("traffic light", "<xmin>10.5</xmin><ymin>20</ymin><xmax>30</xmax><ymax>40</ymax>"));
  const auto index = import();
  ASSERT_EQ(index->imageCount(), 1u);
  EXPECT_EQ(told(*index, 0), "person!(0 0 50 100) traffic light(9.5 19 20.5 21) ");
  EXPECT_FALSE(index->imageBytes(0).value().empty());
  EXPECT_TRUE(problems.empty()) << problems.front();
}

TEST_F(VocTest, AnnotationsBesideTheirPicturesWithoutSizesAndWithOldNames) {
  picture("set/night 1.jpg", 320, 160);
  picture("set/night 2.jpg");
  folder.write("set/night 1.xml",
               "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- by hand -->\n"
               "<annotation verified=\"yes > no\">\n\t<filename>DSC_0012.jpg</filename>\n" +
                   object("R&amp;B &#228;&#x2192;", box(11, 11, 20, 20)) + "</annotation>");
  annotation("set/night 2.xml", "<filename>night 2.jpg</filename>");
  const auto index = import();
  ASSERT_EQ(index->imageCount(), 2u);
  EXPECT_EQ(index->image(0).width, 320);
  EXPECT_EQ(told(*index, 0), "R&B ä→(10 10 10 10) ");
  EXPECT_EQ(told(*index, 1), "");
  EXPECT_TRUE(index->image(1).labelled) << "somebody looked and found nothing";
}

TEST_F(VocTest, ListsOfImageSetsAreSplits) {
  for (const char* name : {"a", "b", "c", "d"}) {
    picture(std::string("set/JPEGImages/") + name + ".jpg");
    annotation(std::string("set/Annotations/") + name + ".xml", object("car", box(1, 1, 9, 9)));
  }
  folder.write("set/ImageSets/Main/train.txt", "a\nb\n");
  folder.write("set/ImageSets/Main/val.txt", "c\r\n");
  const auto index = import();
  std::map<std::string, std::size_t> splits;
  for (std::uint32_t i = 0; i < index->segmentCount(); ++i)
    splits[index->segment(i).info().split] += index->firstImage(i + 1) - index->firstImage(i);
  EXPECT_EQ(splits, (std::map<std::string, std::size_t>{{"training", 2}, {"validation", 1}, {"", 1}}));
}

TEST_F(VocTest, WhatIsDamagedIsNamedAndTheRestIsUsed) {
  picture("set/JPEGImages/a.jpg");
  picture("set/JPEGImages/b.jpg");
  annotation("set/Annotations/a.xml", object("car", box(1, 1, 9, 9)) + object("bus", box(50, 1, 9, 9)) +
                                          "<object><name>van</name><polygon/></object>");
  folder.write("set/Annotations/b.xml", "<annotation><filename>b.jpg</filename>");
  annotation("set/Annotations/c.xml", object("car", box(1, 1, 9, 9)));
  const auto index = import();
  ASSERT_EQ(index->imageCount(), 3u);
  EXPECT_EQ(told(*index, 0), "car(0 0 9 9) ");
  EXPECT_FALSE(index->image(2).labelled) << "b.jpg, whose labels cannot be read";
  std::string all;
  for (const std::string& one : problems) all += one + "\n";
  EXPECT_NE(all.find("a.xml: object 2 (bus) has no box of four numbers"), std::string::npos) << all;
  EXPECT_NE(all.find("object 3 (van)"), std::string::npos) << all;
  EXPECT_NE(all.find("b.xml: byte 38: <annotation> has no end"), std::string::npos) << all;
  EXPECT_NE(all.find("1 picture not found: c.jpg"), std::string::npos) << all;
}

TEST_F(VocTest, OtherXmlIsLeftAlone) {
  folder.write("set/pom.xml", "<project><annotations/></project>");
  EXPECT_EQ(import()->imageCount(), 0u);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("set: holds no recordings of a known kind"), std::string::npos) << problems[0];
}

TEST(XmlElements, WhatIsNoDocumentIsRefusedWithItsPlace) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  for (const std::string& wrong :
       {std::string(), std::string("words"), std::string("<a>"), std::string("<a></b>"), std::string("<a b='"),
        std::string("<a>&lol;</a>"), std::string("<a>&#xffffffff;</a>"), std::string("<a>&amp</a>"),
        std::string("<a>&#xd800;</a>"), std::string("<a/><b/>"), std::string("<!-- "), std::string("<a><![CDATA[</a>"),
        std::string("<>"), deep, std::string("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>")}) {
    const auto parsed = parseXml(wrong);
    EXPECT_FALSE(parsed.ok()) << wrong.substr(0, 40);
    if (!parsed.ok()) EXPECT_NE(parsed.error().what.find("byte "), std::string::npos) << parsed.error().what;
  }
  EXPECT_NE(parseXml("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>").error().what.find("declarations of its own"),
            std::string::npos);
  const auto root = parseXml("<!DOCTYPE a><a x='1'> b <![CDATA[<&]]><c/><!-- d --> e</a>\n<!-- end -->").value();
  EXPECT_EQ(root.text, "b <& e");
  ASSERT_EQ(root.children.size(), 1u);
  EXPECT_EQ(root.children[0].name, "c");
}

}  // namespace
}  // namespace roadtune::data

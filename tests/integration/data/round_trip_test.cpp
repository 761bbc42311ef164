// SPDX-License-Identifier: GPL-3.0-or-later
// What is exported with its pictures can be imported again, and holds the same boxes.
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <tuple>
#include <vector>

namespace roadtune::data {
namespace {

using nlohmann::json;
using testing::readAll;
using testing::runProgram;
using testing::TempFolder;

struct Layout {
  const char *format, *out, *pictures, *source;
  double closeness;  // pixels: YOLO's and PaliGemma's sides are rounded
};

void PrintTo(const Layout& layout, std::ostream* out) { *out << layout.format; }

class RoundTripOfTexts : public ::testing::Test {
 protected:
  void roadtune(std::vector<std::string> words) const {
    words.insert(words.begin(), "roadtune");
    const auto result = runProgram(words);
    ASSERT_EQ(result.exitCode, 0) << result.out << result.err;
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::vector<json> rows(const std::string& index) const {
    roadtune({"data", "export", path(index), "--format", "jsonl", "--out", path(index + ".jsonl")});
    std::istringstream lines(readAll(folder / (index + ".jsonl")));
    std::vector<json> all;
    for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
    return all;
  }
  TempFolder folder;
};

class RoundTrip : public RoundTripOfTexts, public ::testing::WithParamInterface<Layout> {
 protected:
  using Sides = std::tuple<std::string, double, double, double, double>;
  static std::vector<Sides> boxesOf(const json& row) {
    std::vector<Sides> boxes;
    for (const json& box : row["boxes"]) boxes.emplace_back(box["label"], box["x1"], box["y1"], box["x2"], box["y2"]);
    return boxes;
  }
  // The boxes of each picture; in the order of the pictures' names, which hold segment, moment and camera.
  static std::vector<std::vector<Sides>> picturesOf(const std::vector<json>& rows) {
    std::vector<std::pair<std::string, std::vector<Sides>>> named;
    for (const json& row : rows) {
      const std::string image = row["image"];
      const bool first = image.find("_FRONT") == std::string::npos && image.find("_SIDE") == std::string::npos;
      named.emplace_back(first ? row["segment"].get<std::string>() + "_" +
                                     std::to_string(row["timestamp_micros"].get<std::int64_t>()) + "_" +
                                     row["camera"].get<std::string>()
                               : std::filesystem::path(image).stem().string(),
                         boxesOf(row));
    }
    std::sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::vector<Sides>> boxes;
    for (auto& one : named) boxes.push_back(std::move(one.second));
    return boxes;
  }
};

TEST_P(RoundTrip, GivesTheSameBoxes) {
  const Layout& layout = GetParam();
  roadtune({"data", "synth", "--format", "waymo-v1", "--out", path("made"), "--segments", "2", "--frames", "2",
            "--seed", "4", "--scale", "0.1"});
  roadtune({"data", "index", path("made"), "--out", path("first")});
  roadtune({"data", "export", path("first"), "--format", layout.format, "--out", path(layout.out), "--images",
            path(layout.pictures)});
  roadtune({"data", "index", path(layout.source), "--out", path("second")});
  const auto first = picturesOf(rows("first")), second = picturesOf(rows("second"));
  ASSERT_EQ(first.size(), 20u);
  ASSERT_EQ(second.size(), first.size());
  std::size_t boxes = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    ASSERT_EQ(first[i].size(), second[i].size()) << "picture " << i;
    for (std::size_t k = 0; k < first[i].size(); ++k, ++boxes) {
      const auto& [label, x1, y1, x2, y2] = first[i][k];
      const auto& [label2, u1, v1, u2, v2] = second[i][k];
      EXPECT_EQ(label, label2);
      EXPECT_LE(std::max({std::abs(x1 - u1), std::abs(y1 - v1), std::abs(x2 - u2), std::abs(y2 - v2)}),
                layout.closeness)
          << "picture " << i << ", box " << k;
    }
  }
  EXPECT_GT(boxes, 50u);
}

// Questions and answers without boxes: nothing of them is lost, and they are no unlabelled pictures to learn from.
TEST_F(RoundTripOfTexts, KeepsQuestionsAndAnswers) {
  roadtune({"data", "synth", "--format", "jsonl", "--out", path("made"), "--segments", "1", "--frames", "2", "--scale",
            "0.1"});
  std::string lines;
  for (const auto& file : std::filesystem::directory_iterator(folder / "made/images"))
    lines += json{{"image", "images/" + file.path().filename().string()},
                  {"prefix", "answer en how many?"},
                  {"suffix", "two"}}
                 .dump() +
             "\n";
  folder.write("made/data.jsonl", lines);
  roadtune({"data", "index", path("made"), "--out", path("first")});
  const auto first = rows("first");
  ASSERT_FALSE(first.empty());
  roadtune({"data", "index", path("first.jsonl"), path("made/images"), "--out", path("second")});
  const auto second = rows("second");
  ASSERT_EQ(second.size(), first.size());
  for (const json& row : second) {
    EXPECT_EQ(row["prefix"], "answer en how many?");
    EXPECT_EQ(row["suffix"], "two");
    EXPECT_EQ(row["labelled"], false);
  }
  const json quality = json::parse(runProgram({"roadtune", "data", "quality", path("second"), "--json"}).out);
  EXPECT_EQ(quality["with_text"], first.size());
  EXPECT_EQ(quality["unlabelled_with_text"], first.size());
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundTrip,
                         ::testing::Values(Layout{"jsonl", "set/all.jsonl", "set/images", "set", 0},
                                           Layout{"coco", "set/all.json", "set/images", "set", 0},
                                           Layout{"voc", "set", "set/JPEGImages", "set", 0},
                                           Layout{"kitti", "set", "set/image_2", "set", 0.01},
                                           Layout{"yolo", "set", "set/images", "set", 0.01},
                                           Layout{"paligemma", "set/all.jsonl", "set/images", "set", 0.2}),
                         [](const auto& each) { return std::string(each.param.format); });

}  // namespace
}  // namespace roadtune::data

// SPDX-License-Identifier: GPL-3.0-or-later
// The data commands from the outside: made-up recordings in, an index, answers and other formats out.
#include "core/base/hash.h"
#include "core/data/records/tfrecord_writer.h"
#include "core/data/records/waymo_types.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/mount.h>
#include <unistd.h>

namespace roadtune::data {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ProgramResult;
using testing::readAll;
using testing::TempFolder;

class DataCommands : public ::testing::Test {
 protected:
  ProgramResult run(std::vector<std::string> arguments, std::map<std::string, std::string> environment = {}) const {
    arguments.insert(arguments.begin(), "roadtune");
    environment.emplace("XDG_CONFIG_HOME", (folder / "config").string());
    environment.emplace("XDG_DATA_HOME", (folder / "share").string());
    return testing::runProgram(arguments, {.environment = std::move(environment)});
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }

  void synth(const std::string& name, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"data",     "synth", "--out",  path(name), "--segments", "2",
                                          "--frames", "3",     "--seed", "4",        "--scale",    "0.1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult made = run(arguments);
    ASSERT_EQ(made.exitCode, 0) << made.err;
  }
  json info(const std::string& index) const {
    const ProgramResult result = run({"data", "info", path(index), "--json"});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }
  std::vector<fs::path> records(const std::string& name) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder / name))
      if (entry.path().extension() == ".tfrecord") found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
  }
  static void flip(const fs::path& file, std::uintmax_t at) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(at));
    const char before = static_cast<char>(stream.get());
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(static_cast<char>(before ^ 1));
  }

  TempFolder folder;
};

TEST_F(DataCommands, FromRecordingsToAnswersAndOtherFormats) {
  for (const std::string format : {"waymo-v1", "waymo-v2"}) {
    synth(format, {"--format", format, "--split", "training"});
    const std::string index = "index-" + format;
    const ProgramResult imported = run({"data", "index", path(format), "--out", path(index)});
    ASSERT_EQ(imported.exitCode, 0) << imported.err;
    const json counts = info(index);
    EXPECT_EQ(counts["segments"], 2);
    EXPECT_EQ(counts["images"], 30);
    EXPECT_EQ(counts["splits"]["training"], 30);

    const ProgramResult front = run({"data", "query", path(index), "camera=front and split=training", "--count"});
    EXPECT_EQ(front.out, "6\n") << front.err;

    ASSERT_EQ(
        run({"data", "export", path(index), "--format", "jsonl", "--hash", "--out", path(index + ".jsonl")}).exitCode,
        0);
    std::istringstream lines(readAll(folder / (index + ".jsonl")));
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    const json row = json::parse(line);
    const ProgramResult extracted = run({"data", "extract", path(index), "--segment", row["segment"], "--timestamp",
                                         std::to_string(row["timestamp_micros"].get<std::int64_t>()), "--camera",
                                         row["camera"], "--out", path("x.jpg")});
    ASSERT_EQ(extracted.exitCode, 0) << extracted.err;
    EXPECT_EQ(sha256Hex(readAll(folder / "x.jpg")), row["sha256"]);
  }
  // The two formats tell the same scenes.
  EXPECT_EQ(readAll(folder / "index-waymo-v1.jsonl"), readAll(folder / "index-waymo-v2.jsonl"));
}

TEST_F(DataCommands, CocoComesBackAsItWas) {
  synth("v1", {"--format", "waymo-v1"});
  ASSERT_EQ(run({"data", "index", path("v1"), "--out", path("i"), "--split", "validation"}).exitCode, 0);
  ASSERT_EQ(run({"data", "export", path("i"), "--format", "coco", "--images", path("pics"), "--out", path("a.json")})
                .exitCode,
            0);
  ASSERT_EQ(run({"data", "index", path("a.json"), path("pics"), "--out", path("j")}).exitCode, 0);
  ASSERT_EQ(run({"data", "export", path("j"), "--format", "coco", "--out", path("b.json")}).exitCode, 0);
  json a = json::parse(readAll(folder / "a.json")), b = json::parse(readAll(folder / "b.json"));
  for (json* coco : {&a, &b})
    for (json& image : (*coco)["images"]) image.erase("file_name");
  EXPECT_EQ(a["images"], b["images"]);
  EXPECT_EQ(a["annotations"], b["annotations"]);
}

TEST_F(DataCommands, YoloIsReadBackWhereverItsPicturesWent) {
  synth("v1", {"--format", "waymo-v1"});
  ASSERT_EQ(run({"data", "index", path("v1"), "--out", path("i"), "--split", "validation"}).exitCode, 0);
  for (const std::string pictures : {"yolo/images", "elsewhere", "other/images"}) {
    std::filesystem::remove_all(folder / "yolo");
    ASSERT_EQ(run({"data", "export", path("i"), "--format", "yolo", "--images", path(pictures), "--out", path("yolo")})
                  .exitCode,
              0);
    std::filesystem::remove_all(folder / "j");
    const ProgramResult back = run({"data", "index", path("yolo/data.yaml"), "--out", path("j")});
    ASSERT_EQ(back.exitCode, 0) << pictures << ": " << back.err << readAll(folder / "yolo/data.yaml");
    EXPECT_EQ(info("j")["images"], info("i")["images"]) << pictures;
    EXPECT_EQ(info("j")["boxes"], info("i")["boxes"]) << pictures << ": labels are where they are looked for";
  }
}

TEST_F(DataCommands, AnExportInTwoPartsNamesTheFilesThatItWrote) {
  synth("v1");
  ASSERT_EQ(run({"data", "index", path("v1"), "--out", path("i")}).exitCode, 0);
  const auto made =
      run({"data", "export", path("i"), "--format", "coco", "--hold-out", "0.5", "--out", path("a.json")});
  for (const char* name : {"a-training.json", "a-validation.json"})
    EXPECT_TRUE(fs::exists(folder / name) && made.err.find(path(name)) != std::string::npos) << made.err;
}

TEST_F(DataCommands, YoloHoldsWholeRecordingsOutInOneDescriptionOfBoth) {
  ASSERT_EQ(run({"data", "synth", "--out", path("v1"), "--segments", "4", "--frames", "2", "--scale", "0.1"}).exitCode,
            0);
  ASSERT_EQ(run({"data", "index", path("v1"), "--out", path("i"), "--split", "validation"}).exitCode, 0);
  ASSERT_EQ(run({"data", "export", path("i"), "--format", "yolo", "--hold-out", "0.25", "--images", path("yolo/images"),
                 "--out", path("yolo")})
                .exitCode,
            0);
  const std::string described = readAll(folder / "yolo/data.yaml");
  EXPECT_NE(described.find("train: images/training\n"), std::string::npos) << described;
  EXPECT_NE(described.find("val: images/validation\n"), std::string::npos) << described;
  std::map<std::string, std::set<std::string>> segments;  // of the pictures, by split
  std::size_t pictures = 0;
  for (const char* split : {"training", "validation"})
    for (const auto& one : std::filesystem::directory_iterator(folder / "yolo/images" / split)) {
      const std::string name = one.path().stem().string();
      segments[split].insert(name.substr(0, name.rfind("_000_")));
      EXPECT_TRUE(std::filesystem::exists(folder / "yolo/labels" / split / (name + ".txt"))) << name;
      ++pictures;
    }
  EXPECT_EQ(pictures, info("i")["images"]);
  EXPECT_EQ(segments["validation"].size(), 1u);
  EXPECT_EQ(segments["training"].size(), 3u);
  for (const std::string& held : segments["validation"]) EXPECT_FALSE(segments["training"].contains(held)) << held;
}

TEST_F(DataCommands, AsManyAreCountedAsWouldBeListed) {
  synth("v1", {"--format", "waymo-v1"});
  ASSERT_EQ(run({"data", "index", path("v1"), "--out", path("i")}).exitCode, 0);
  EXPECT_EQ(run({"data", "query", path("i"), "sort by n desc limit 3", "--count"}).out, "3\n");
  EXPECT_EQ(run({"data", "query", path("i"), "limit 300", "--count"}).out, "30\n");
}

TEST_F(DataCommands, HelpNamesEverySourceThatIsRead) {
  const std::string help = run({"data", "index", "--help"}).out;
  for (const char* source : {"Waymo", "COCO", "YOLO", "KITTI", "VOC", "BDD100K", "JSONL", "VQA"})
    EXPECT_NE(help.find(source), std::string::npos) << source;
}

TEST_F(DataCommands, CrowdsAreToldAndTagsAreFoundHoweverTheyAreSpelt) {
  folder.write("set/gt.json", R"({"images":[{"id":1,"file_name":"1.jpg","width":90,"height":90},
    {"id":2,"file_name":"2.jpg","width":90,"height":90}],"categories":[{"id":1,"name":"dog"}],"annotations":[
    {"id":1,"image_id":1,"category_id":1,"bbox":[1,1,30,30],"iscrowd":1}]})");
  ASSERT_EQ(run({"data", "index", path("set/gt.json"), "--out", path("i")}).exitCode, 0);
  EXPECT_EQ(info("i")["crowd_regions"], 1);
  EXPECT_EQ(info("i")["empty"], 1);
  EXPECT_NE(run({"data", "info", path("i")}).out.find("1 crowd region,"), std::string::npos);
  ASSERT_EQ(run({"data", "query", path("i"), "limit 1", "--add-tag", "Reviewed"}).exitCode, 0);
  EXPECT_EQ(run({"data", "query", path("i"), "limit 1", "--add-tag", " "}).exitCode, 2);
  const auto exported = [&](const std::string& format) {
    return run({"data", "export", path("i"), "--format", format, "--query", "TAG:reviewed", "--out", path(format)});
  };
  for (const auto& [format, told] :
       {std::pair("coco", "1 crowd region with iscrowd 1"), std::pair("kitti", "1 crowd region left out")}) {
    const ProgramResult result = exported(format);
    EXPECT_NE(result.err.find("1 image with"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(told), std::string::npos) << result.err;
  }
}

TEST_F(DataCommands, RegionsThatKittiDoesNotCareForAreTold) {
  folder.write("k/label_2/a.txt",
               "Car 0 0 0 1 2 30 40 0 0 0 0 0 0 0\nDontCare -1 -1 -10 50 2 80 40 -1 -1 -1 -1000 -1000 -1000 -10\n");
  ASSERT_EQ(run({"data", "index", path("k"), "--out", path("i")}).exitCode, 0);
  EXPECT_EQ(info("i")["crowd_regions"], 1);
  EXPECT_EQ(info("i")["boxes"], 1);
  for (const auto& [format, told] :
       {std::pair("kitti", "1 crowd region as DontCare"), std::pair("jsonl", "1 crowd region left out: jsonl")}) {
    const ProgramResult result = run({"data", "export", path("i"), "--format", format, "--out", path(format)});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_NE(result.err.find(told), std::string::npos) << result.err;
  }
}

TEST_F(DataCommands, PicturesWithoutACameraAreExtracted) {
  folder.write("set/1.jpg", "\xff\xd8 no picture");
  folder.write("set/rows.jsonl", R"({"image":"1.jpg","prefix":"what is it?","suffix":"nothing"})");
  ASSERT_EQ(run({"data", "index", path("set/rows.jsonl"), "--out", path("i")}).exitCode, 0);
  ASSERT_EQ(run({"data", "export", path("i"), "--format", "jsonl", "--out", path("r.jsonl")}).exitCode, 0);
  const json row = json::parse(readAll(folder / "r.jsonl"));
  EXPECT_EQ(row["camera"], "UNKNOWN");
  for (const char* camera : {"UNKNOWN", "unknown"}) {
    const fs::path out = folder / camera / "deep/x.jpg";
    const ProgramResult got =
        run({"data", "extract", path("i"), "--segment", row["segment"], "--timestamp",
             std::to_string(row["timestamp_micros"].get<std::int64_t>()), "--camera", camera, "--out", out.string()});
    EXPECT_EQ(got.exitCode, 0) << got.err;
    EXPECT_EQ(readAll(out), "\xff\xd8 no picture");
  }
}

TEST_F(DataCommands, ExportsSayWhatTheyLeaveOut) {
  const auto picture = [&](const char* name) { folder.write(name, "\xff\xd8\xff no picture"); };
  picture("set/1.jpg");
  folder.write("set/dogs.json", R"({"images":[{"id":1,"file_name":"1.jpg","width":9,"height":9},
    {"id":2,"file_name":"gone.jpg","width":9,"height":9},{"id":3,"width":9,"height":9}],
    "categories":[{"id":1,"name":"dog"}],"annotations":[{"id":1,"image_id":1,"category_id":1,"bbox":[1,1,3,3]}]})");
  ASSERT_EQ(run({"data", "index", path("set/dogs.json"), path("set"), "--out", path("i")}).exitCode, 0);
  const ProgramResult made = run({"data", "export", path("i"), "--format", "paligemma", "--images", path("pics"),
                                  "--out", path("p.jsonl"), "--json"});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  const json told = json::parse(made.out);
  EXPECT_EQ(told["images"], 1);
  EXPECT_EQ(told["without_picture"], 2);
  EXPECT_NE(made.err.find("2 pictures could not be read"), std::string::npos) << made.err;
  EXPECT_NE(made.err.find("gone.jpg"), std::string::npos) << made.err;
  EXPECT_NE(made.err.find("--classes \"dog\""), std::string::npos) << made.err;
  EXPECT_NE(run({"data", "info", path("i")}).out.find("1 box\n"), std::string::npos);
  const ProgramResult dogs =
      run({"data", "export", path("i"), "--format", "paligemma", "--classes", "dog", "--out", path("d.jsonl")});
  EXPECT_EQ(dogs.err.find("--classes"), std::string::npos) << dogs.err;
}

TEST_F(DataCommands, NumbersThatDoNotFitAreRefusedInPlainWords) {
  for (const std::string typed : {"0", "-1", "x", "1.5"}) {
    const ProgramResult result = run({"data", "query", path("i"), "", "--limit=" + typed});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_NE(result.err.find("--limit: must be a whole number of at least 1, not '" + typed + "'"), std::string::npos)
        << result.err;
  }
  const ProgramResult jobs = run({"data", "index", path("v1"), "--out", path("i"), "--jobs", "-1"});
  EXPECT_NE(jobs.err.find("must be a whole number of at least 0, not '-1'"), std::string::npos) << jobs.err;
}

TEST_F(DataCommands, DamageCostsThePartItHitsAndIsNamed) {
  synth("v1", {"--format", "waymo-v1"});
  const auto files = records("v1");
  ASSERT_EQ(files.size(), 2u);
  fs::resize_file(files[0], fs::file_size(files[0]) - 1000);  // the last of three frames
  flip(files[1], 40);                                         // inside the first frame
  const ProgramResult imported = run({"data", "index", path("v1"), "--out", path("i")});
  EXPECT_EQ(imported.exitCode, 0) << imported.err;
  EXPECT_NE(imported.err.find(files[0].string() + ": offset "), std::string::npos) << imported.err;
  EXPECT_NE(imported.err.find(files[1].string() + ": offset 0"), std::string::npos) << imported.err;
  EXPECT_EQ(info("i")["frames"], 4);
  std::istringstream problems(readAll(folder / "i/problems.jsonl"));
  int count = 0;
  for (std::string line; std::getline(problems, line); ++count) EXPECT_TRUE(json::parse(line).contains("file"));
  EXPECT_EQ(count, 2);
}

// What each damage leaves of two recordings with 15 pictures each; and is it named?
TEST_F(DataCommands, DamageOfEveryFormatLeavesTheRest) {
  struct Case {
    std::string format, damage;
    int images;
    bool boxes, told;
  };
  const Case cases[] = {
      {"waymo-v1", "truncate", 20, true, true},        {"waymo-v1", "crc", 20, true, true},
      {"waymo-v1", "garbage", 30, true, true},         {"waymo-v1", "missing-camera", 27, true, false},
      {"waymo-v2", "truncate", 30, false, true},       {"waymo-v2", "garbage", 30, false, true},
      {"waymo-v2", "missing-camera", 27, true, false}, {"waymo-v2", "missing-file", 30, false, true},
      {"jsonl", "truncate", 21, true, true},           {"jsonl", "garbage", 29, true, true},
      {"jsonl", "missing-file", 29, true, true},       {"coco", "missing-file", 30, true, true}};
  for (const Case& one : cases) {
    const std::string name = one.format + "-" + one.damage;
    synth(name, {"--format", one.format, "--corrupt", one.damage});
    const ProgramResult imported = run({"data", "index", path(name), "--out", path("i-" + name)});
    EXPECT_EQ(imported.exitCode, 0) << name << imported.err;
    const json counts = info("i-" + name);
    EXPECT_EQ(counts["images"], one.images) << name << imported.err;
    EXPECT_EQ(counts["boxes"] > 0, one.boxes) << name;
    EXPECT_EQ(!imported.err.empty(), one.told) << name << imported.err;
  }
  for (const char* damage : {"truncate", "garbage"}) {
    const std::string name = std::string("coco-") + damage;
    synth(name, {"--format", "coco", "--corrupt", damage});
    const ProgramResult imported = run({"data", "index", path(name), "--out", path("i-" + name)});
    EXPECT_EQ(imported.exitCode, 2) << "a document that is no JSON holds nothing that could be trusted";
    EXPECT_NE(imported.err.find("annotations.json"), std::string::npos) << imported.err;
  }
  const ProgramResult refused =
      run({"data", "synth", "--out", path("x"), "--format", "waymo-v1", "--corrupt", "missing-file"});
  EXPECT_EQ(refused.exitCode, 2);
}

TEST_F(DataCommands, NothingUsableIsBadInput) {
  folder.write("empty.tfrecord", "");
  folder.write("noise.tfrecord", std::string(5000, 'x'));
  fs::create_directories(folder / "hollow");
  for (const std::string source : {"empty.tfrecord", "noise.tfrecord", "hollow", "nowhere"}) {
    const ProgramResult result = run({"data", "index", path(source), "--out", path("i")});
    EXPECT_EQ(result.exitCode, 2) << source << ": " << result.err;
    EXPECT_NE(result.err.find(source), std::string::npos) << result.err;
  }
  EXPECT_EQ(run({"data", "info", path("nowhere")}).exitCode, 2);
  EXPECT_EQ(run({"data", "query", path("nowhere"), "n>1"}).exitCode, 2);
}

TEST_F(DataCommands, ASecondImportReadsOnlyWhatChanged) {
  synth("v1", {"--format", "waymo-v1"});
  ASSERT_EQ(run({"data", "index", path("v1"), "--out", path("i")}).exitCode, 0);
  const json again = json::parse(run({"data", "index", path("v1"), "--out", path("i"), "--json"}).out);
  EXPECT_EQ(again["unchanged"], 2);
  EXPECT_EQ(again["imported"], 0);
  fs::resize_file(records("v1")[0], fs::file_size(records("v1")[0]) - 1000);
  const ProgramResult told = run({"data", "info", path("i")});
  EXPECT_NE(told.err.find("changed since it was imported"), std::string::npos) << told.err;
  const json third = json::parse(run({"data", "index", path("v1"), "--out", path("i"), "--json"}).out);
  EXPECT_EQ(third["imported"], 1);
  EXPECT_EQ(info("i")["frames"], 5);
}

TEST_F(DataCommands, QueriesThatAreWrongPointAtTheColumn) {
  synth("v1", {"--format", "waymo-v1"});
  ASSERT_EQ(run({"data", "index", path("v1"), "--out", path("i")}).exitCode, 0);
  const ProgramResult result = run({"data", "query", path("i"), "n>1 and any(pedestrain)"});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_NE(result.err.find("column 13"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("pedestrian"), std::string::npos) << result.err;
}

// A frame as Waymo writes it, in the smallest form: context.name, timestamp, one picture.
std::string frameOf(const std::string& context) {
  const auto bytes = [](int field, const std::string& value) {
    return std::string(1, static_cast<char>(field << 3 | 2)) + static_cast<char>(value.size()) + value;
  };
  const std::string picture = std::string("\x08\x01", 2) + bytes(2, "\xff\xd8 no picture");
  return bytes(1, bytes(1, context)) + std::string("\x10\x05", 2) + bytes(4, picture);
}

TEST_F(DataCommands, WaymoDataNeedsOneAcknowledgement) {
  std::string content;
  appendTfRecord(content, frameOf("1_2_3_4_5"));
  const fs::path file = folder.write("training_segment.tfrecord", content);
  const std::vector<std::string> import = {"data", "index", file.string(), "--out", path("i")};
  const ProgramResult refused = run(import);
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_NE(refused.err.find("--accept-waymo-license"), std::string::npos) << refused.err;
  EXPECT_EQ(run(import, {{"ROADTUNE_ACCEPT_WAYMO_LICENSE", "1"}}).exitCode, 0);
  fs::remove_all(folder / "i");
  EXPECT_EQ(run(import).exitCode, 2);  // the variable is not kept
  std::vector<std::string> accepted = import;
  accepted.emplace_back("--accept-waymo-license");
  EXPECT_EQ(run(accepted).exitCode, 0);
  fs::remove_all(folder / "i");
  EXPECT_EQ(run(import).exitCode, 0);  // the flag is
  EXPECT_EQ(info("i")["contains_waymo_data"], true);
}

TEST_F(DataCommands, FullAndReadOnlyDisksEndWithAClearLine) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can mount a small disk";
  synth("v1", {"--format", "waymo-v1"});
  fs::create_directories(folder / "disk");
  const auto mounted = [&](unsigned long flags, const char* options) {
    return ::mount("tmpfs", path("disk").c_str(), "tmpfs", flags, options) == 0;
  };
  if (!mounted(0, "size=8k")) GTEST_SKIP() << "mounting is not allowed here";
  const ProgramResult full = run({"data", "index", path("v1"), "--out", path("disk/i")});
  ::umount(path("disk").c_str());
  EXPECT_EQ(full.exitCode, 1) << full.err;
  EXPECT_NE(full.err.find("No space left"), std::string::npos) << full.err;
  ASSERT_TRUE(mounted(MS_RDONLY, "size=64k"));
  const ProgramResult locked = run({"data", "index", path("v1"), "--out", path("disk/i")});
  ::umount(path("disk").c_str());
  EXPECT_EQ(locked.exitCode, 1) << locked.err;
  EXPECT_NE(locked.err.find("read-only"), std::string::npos) << locked.err;
}

}  // namespace
}  // namespace roadtune::data

// SPDX-License-Identifier: GPL-3.0-or-later
// The data commands with what users also give them: damage, half of a data set, "-" for a file.
#include "core/data/records/tfrecord_writer.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace roadtune::data {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ProgramResult;

class OddInput : public ::testing::Test {
 protected:
  ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "roadtune");
    return testing::runProgram(arguments, {.environment = {{"XDG_CONFIG_HOME", path("config")}}});
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  ProgramResult synth(const std::string& format, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"data",       "synth", "--out",    path("made"), "--format", format,
                                          "--segments", "1",     "--frames", "4",          "--scale",  "0.1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  testing::TempFolder folder;
};

TEST_F(OddInput, ADamagedPageOfATableCostsItsPicturesOnly) {
  ASSERT_EQ(synth("waymo-v2", {"--row-group", "5", "--corrupt", "crc"}).exitCode, 0);
  const ProgramResult made = run({"data", "index", path("made"), "--out", path("i")});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  EXPECT_NE(made.err.find("row group"), std::string::npos) << made.err;
  EXPECT_NE(made.err.find("15 pictures were kept"), std::string::npos) << made.err;
}

TEST_F(OddInput, APartOfTablesIsToldTheirRoot) {
  ASSERT_EQ(synth("waymo-v2", {"--split", "training"}).exitCode, 0);
  const fs::path part = folder / "made/training/camera_image";
  for (const fs::path& given : {part, part / "", fs::directory_iterator(part)->path()}) {
    const ProgramResult made = run({"data", "index", given.string(), "--out", path("i")});
    EXPECT_EQ(made.exitCode, 2) << given;
    EXPECT_NE(made.err.find("give their root, " + path("made")), std::string::npos) << made.err;
  }
}

TEST_F(OddInput, ADashIsTheStandardOutputOrRefused) {
  ASSERT_EQ(synth("waymo-v1").exitCode, 0);
  ASSERT_EQ(run({"data", "index", path("made"), "--out", path("i")}).exitCode, 0);
  const json row = json::parse(run({"data", "query", path("i"), "limit 1", "--json"}).out)["images"][0];
  std::vector<std::string> extract = {"data",
                                      "extract",
                                      path("i"),
                                      "--segment",
                                      row["segment"],
                                      "--camera",
                                      row["camera"],
                                      "--timestamp",
                                      row["timestamp_micros"].dump(),
                                      "--out",
                                      "-"};
  const ProgramResult printed = run(extract);
  EXPECT_EQ(printed.exitCode, 0) << printed.err;
  extract.back() = path("a.jpg");
  ASSERT_EQ(run(extract).exitCode, 0);
  EXPECT_TRUE(printed.out == testing::readAll(folder / "a.jpg"));
  extract[8] = "abc";
  EXPECT_NE(run(extract).err.find("--timestamp: must be a whole number, not 'abc'"), std::string::npos);
  const ProgramResult refused = run({"data", "export", path("i"), "--format", "jsonl", "--out", "-"});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_NE(refused.err.find("--out"), std::string::npos) << refused.err;
}

TEST_F(OddInput, NamesThatAreNoUtf8AreToldAsJson) {
  const ProgramResult made = run({"data", "synth", "--out", path("bad\xff/s"), "--format", "jsonl", "--segments", "1",
                                  "--frames", "1", "--scale", "0.1", "--json"});
  EXPECT_EQ(made.exitCode, 0) << made.err;
  EXPECT_NE(json::parse(made.out)["out"].get<std::string>().find("bad\xef\xbf\xbd/s"), std::string::npos);
}

TEST_F(OddInput, ARunAsksForTheLicenceInTheSameWords) {
  const auto bytes = [](char field, const std::string& text) {
    return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(text.size())} + text;
  };
  std::string content;  // a frame whose context is one of Waymo's
  appendTfRecord(content,
                 bytes(1, bytes(1, "1_2_3_4_5")) + "\x10\x05" + bytes(4, "\x08\x01" + bytes(2, "\xff\xd8 no picture")));
  folder.write("w.tfrecord", content);
  ASSERT_EQ(run({"model", "new-tiny", "--out", path("m")}).exitCode, 0);
  folder.write("r.yaml", "model_name_or_path: " + path("m") + "\ntrain_data: " + path("w.tfrecord") +
                             "\noutput_dir: " + path("run") + "\nmax_steps: 1\n");
  const ProgramResult refused = run({"train", path("r.yaml")});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_NE(refused.err.find("--accept-waymo-license, or ROADTUNE_ACCEPT_WAYMO_LICENSE=1"), std::string::npos)
      << refused.err;
}

TEST_F(OddInput, ALimitInTheQueryCountsWhereverItIsCounted) {
  ASSERT_EQ(synth("waymo-v1").exitCode, 0);
  ASSERT_EQ(run({"data", "index", path("made"), "--out", path("i")}).exitCode, 0);
  const auto counted = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"data", "query", path("i")});
    return json::parse(run(more).out, nullptr, false)["count"];
  };
  EXPECT_EQ(counted({"camera=front limit 3", "--json"}), 3);
  EXPECT_EQ(counted({"camera=front limit 3", "--json", "--count"}), 3);
  EXPECT_EQ(counted({"camera=front", "--json", "--limit", "3"}), 4) << "of which three are listed";
}

TEST_F(OddInput, AnIndexIsNotOverwrittenByItsOwnExport) {
  ASSERT_EQ(synth("waymo-v1").exitCode, 0);
  ASSERT_EQ(run({"data", "index", path("made"), "--out", path("i")}).exitCode, 0);
  ASSERT_EQ(run({"data", "query", path("i"), "limit 1", "--add-tag", "kept"}).exitCode, 0);
  for (const char* file : {"i/catalogue.json", "i/user.sqlite", "i/problems.jsonl"}) {
    const ProgramResult made = run({"data", "export", path("i"), "--format", "jsonl", "--out", path(file)});
    EXPECT_EQ(made.exitCode, 2);
    EXPECT_NE(made.err.find("is a file of the index itself"), std::string::npos) << made.err;
  }
  EXPECT_EQ(run({"data", "query", path("i"), "tag:kept", "--count"}).out, "1\n");
}

TEST_F(OddInput, AFileOfTagsThatCouldNotBeBegunIsNone) {
  ASSERT_EQ(synth("waymo-v1").exitCode, 0);
  ASSERT_EQ(run({"data", "index", path("made"), "--out", path("i")}).exitCode, 0);
  folder.write("i/user.sqlite", "");
  fs::permissions(folder / "i/user.sqlite", fs::perms::owner_read);
  EXPECT_EQ(run({"data", "query", path("i"), "", "--count"}).out, "20\n");
  EXPECT_EQ(fs::file_size(folder / "i/user.sqlite"), 0u) << "and a query writes none";
}

TEST_F(OddInput, WhatIsNoNumberIsNoShareEither) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"data", "export", "i", "--format", "coco", "--out", "o", "--hold-out", "nan"},
        {"eval", "detections", "--gt", "g", "--predictions", "p", "--details", "--iou", "nan"},
        {"eval", "detections", "--gt", "g", "--predictions", "p", "--details", "--score", "nan"}}) {
    const ProgramResult made = run(words);
    EXPECT_EQ(made.exitCode, 2);
    EXPECT_NE(made.err.find("must be a number, not 'nan'"), std::string::npos) << made.err;
  }
}

TEST_F(OddInput, APackOfNothingIsNone) {
  folder.write("p/a.jpg", "\xff\xd8\xff of a kind");
  folder.write("gt.json", R"({"categories":[{"id":1,"name":"car"}],"annotations":[],"images":[)"
                          R"({"id":1,"file_name":"a.jpg","width":9,"height":9}]})");
  ASSERT_EQ(run({"data", "index", path("gt.json"), path("p"), "--out", path("i")}).exitCode, 0);
  const ProgramResult made = run({"data", "pack", path("i"), "--out", path("pack"), "--model-size", "32"});
  EXPECT_EQ(made.exitCode, 1);
  EXPECT_NE(made.err.find("none of its pictures can be read"), std::string::npos) << made.err;
}

TEST_F(OddInput, PicturesOfNamesThatAreNoUtf8AreExportedUnderOthers) {
  ASSERT_EQ(synth("jsonl").exitCode, 0);
  fs::create_directories(folder / "y/images");
  fs::copy(fs::directory_iterator(folder / "made/images")->path(), folder / "y/images/b\xe9.jpg");
  folder.write("y/labels/b\xe9.txt", "0 .5 .5 .2 .2\n");
  folder.write("y/data.yaml", "train: images\nnames: [vehicle]\n");
  ASSERT_EQ(run({"data", "index", path("y"), "--out", path("i")}).exitCode, 0);
  ASSERT_EQ(
      run({"data", "export", path("i"), "--format", "paligemma", "--images", path("out"), "--out", path("out.jsonl")})
          .exitCode,
      0);
  const std::string name = json::parse(testing::readAll(folder / "out.jsonl"))["image"];
  EXPECT_TRUE(fs::exists(folder / name)) << name;
}

TEST_F(OddInput, StreetsWithoutEndAreRefused) {
  const ProgramResult made = run({"data", "synth", "--out", path("made"), "--frames", "100000000"});
  EXPECT_EQ(made.exitCode, 2);
  EXPECT_NE(made.err.find("at most 20,000 frames"), std::string::npos) << made.err;
}

TEST_F(OddInput, DamagedPicturesAreToldLeftOutOrNot) {
  fs::create_directories(folder / "p");
  for (const char* name : {"a.jpg", "b.jpg"}) folder.write(std::string("p/") + name, "no picture");
  folder.write("p/c.jpg", "\xff\xd8\xff of a kind");
  folder.write("gt.json", R"({"categories":[{"id":1,"name":"car"}],"annotations":[],"images":[)"
                          R"({"id":1,"file_name":"a.jpg","width":9,"height":9},)"
                          R"({"id":2,"file_name":"b.jpg","width":9,"height":9},)"
                          R"({"id":3,"file_name":"c.jpg","width":9,"height":9}]})");
  ASSERT_EQ(run({"data", "index", path("gt.json"), path("p"), "--out", path("i")}).exitCode, 0);
  const ProgramResult made = run({"data", "export", path("i"), "--format", "paligemma", "--out", path("out.jsonl")});
  EXPECT_EQ(made.exitCode, 0);
  EXPECT_NE(made.err.find("2 damaged pictures were left out"), std::string::npos) << made.err;
  EXPECT_NE(made.err.find("1 image with 0 boxes"), std::string::npos) << made.err;
  const ProgramResult listed =
      run({"data", "export", path("i"), "--format", "coco", "--images", path("pictures"), "--out", path("out.json")});
  EXPECT_NE(listed.err.find("2 damaged pictures were written as they are"), std::string::npos) << listed.err;
  EXPECT_EQ(json::parse(testing::readAll(folder / "out.json"))["images"].size(), 3u) << "all that are labelled";
}

}  // namespace
}  // namespace roadtune::data

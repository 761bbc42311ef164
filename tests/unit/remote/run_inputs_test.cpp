// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/run_inputs.h"

#include "core/base/hash.h"
#include "core/config/resolve.h"
#include "remote/agent/file_receiver.h"
#include "remote/agent/inventory.h"
#include "remote/launch/in_parallel.h"
#include "remote/launch/joint_progress.h"
#include "remote/launch/shared_places.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <chrono>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::TempFolder;

json place(bool exists, bool writable, json files) {
  return {{"exists", exists}, {"writable", writable}, {"device", 1}, {"free", 1000}, {"files", std::move(files)}};
}

struct Case {
  TempFolder folder;
  InputGroup group{.root = folder / "set"};
  Case() {
    for (const char* name : {"a", "b"}) {
      const auto file = folder.write(std::string("set/") + name, "content");
      group.files.push_back({file, file.string(), 7});
    }
  }
  HostInputs judged(json same, json below) const {
    return judgeInputs("gpu1", {group},
                       {{"below", "/home/u/.roadtune/inputs"},
                        {"groups", {{{"same", std::move(same)}, {"below", std::move(below)}}}}});
  }
};

const json kAbsent = {nullptr, nullptr};

TEST(JudgeInputs, ThePathStaysWhereItCanBeWritten) {
  const auto inputs = Case().judged(place(true, true, {true, nullptr}), place(false, true, kAbsent));
  ASSERT_EQ(inputs.copies.size(), 1u);
  EXPECT_TRUE(inputs.copies[0].target.ends_with("/set/b"));
  EXPECT_EQ(inputs.bytes, 7u);
  EXPECT_TRUE(inputs.moved.empty());
  EXPECT_TRUE(inputs.fits());
  EXPECT_THAT(inputs.text(), HasSubstr("1 file, 7 B"));
}

TEST(JudgeInputs, WhereItCannotItLiesBelowTheHome) {
  const Case one;
  const auto inputs = one.judged(place(true, false, {true, false}), place(false, true, kAbsent));
  ASSERT_EQ(inputs.copies.size(), 2u) << "the copy is whole";
  EXPECT_EQ(inputs.copies[0].target, "/home/u/.roadtune/inputs" + one.group.files[0].target);
  EXPECT_EQ(inputs.moved.at(one.group.root), "/home/u/.roadtune/inputs" + one.group.root);
}

TEST(JudgeInputs, ACopyThatIsCompleteIsUsedAndOneInPlaceComesFirst) {
  const Case one;
  const auto copied = one.judged(place(false, true, kAbsent), place(true, true, {true, true}));
  EXPECT_TRUE(copied.complete());
  EXPECT_EQ(copied.moved.size(), 1u);
  const auto both = one.judged(place(true, false, {true, true}), place(true, true, {true, true}));
  EXPECT_TRUE(both.complete());
  EXPECT_TRUE(both.moved.empty());
}

TEST(JudgeInputs, AnotherTimeIsNoDifferenceButAnotherContentIs) {
  const Case one;
  const std::string sample = contentSample(one.group.files[0].file);
  const auto inputs = one.judged(place(true, true, {sample, "of something else"}), place(false, true, kAbsent));
  ASSERT_EQ(inputs.copies.size(), 1u);
  EXPECT_EQ(inputs.replaced, 1u);
}

TEST(JudgeInputs, WhatIsNotHereMustBeThere) {
  const json answer{
      {"below", "/c"},
      {"groups", {{{"same", place(false, true, json::array())}, {"below", place(false, true, json::array())}}}}};
  const auto inputs = judgeInputs("gpu1", {{.root = "/models/x"}}, answer);
  EXPECT_FALSE(inputs.complete());
  const Status refused = requireInputs({inputs});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().text(), HasSubstr("gpu1: has everything; /models/x is neither there nor here"));
}

TEST(JudgeInputs, ADiskThatWouldBeFullIsTooSmall) {
  HostInputs inputs{.bytes = 1000, .space = 1000};
  EXPECT_FALSE(inputs.fits());
  inputs.space = 1100;
  EXPECT_TRUE(inputs.fits());
}

TEST(Inventory, ThisMachineHasWhatItHas) {
  const Case one;
  json question{{"below", one.folder / "copies"}, {"groups", json::array()}};
  question["groups"].push_back(
      {{"root", one.group.root},
       {"files", {{one.group.files[0].target, 7, 12345}, {one.group.files[1].target, 8, 0}, {"/not/there", 1, 0}}}});
  const json told = takeInventory(question)["groups"][0];
  EXPECT_EQ(told["same"]["files"][0], contentSample(one.group.files[0].target));
  EXPECT_EQ(told["same"]["files"][1], false);
  EXPECT_EQ(told["same"]["files"][2], nullptr);
  EXPECT_TRUE(told["same"]["exists"]);
  EXPECT_GT(told["same"]["free"], 0);
  EXPECT_FALSE(told["below"]["exists"]);
  EXPECT_TRUE(told["below"]["writable"]) << "its folder can be made";
}

TEST(MovedInputs, TheConfigurationOfAMachineNamesItsOwnPaths) {
  const TempFolder folder;
  const auto file = folder.write("run.yaml",
                                 "model_name_or_path: /models/m  # kept\noutput_dir: /runs/r\n"
                                 "train_data:\n  - {path: /data/a.jsonl, weight: 2}\n  - {path: /data/b.jsonl}\n");
  auto document = config::Document::load(file).value();
  const auto config = config::loadRunConfig(file).value();
  ASSERT_TRUE(
      useMovedInputs(document, config, {{"/models/m", "/c/models/m"}, {"/data/b.jsonl", "/c/data/b.jsonl"}}).ok());
  const auto moved = config::resolve(document);
  ASSERT_TRUE(moved.config) << config::toText(moved.problems);
  EXPECT_EQ(moved.config->text("model_name_or_path"), "/c/models/m");
  EXPECT_EQ(moved.config->sources("train_data")[0].path, "/data/a.jsonl");
  EXPECT_EQ(moved.config->sources("train_data")[0].weight, 2);
  EXPECT_EQ(moved.config->sources("train_data")[1].path, "/c/data/b.jsonl");
  EXPECT_THAT(document.text(), HasSubstr("# kept"));
}

Status received(const std::string& bytes, std::chrono::seconds abandonedAfter = std::chrono::hours(24)) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  EXPECT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  ::close(ends[1]);
  const Status status = receiveFiles(ends[0], abandonedAfter);
  ::close(ends[0]);
  return status;
}

TEST(ReceiveFiles, FilesComeOneBehindTheOtherWithTheirTimes) {
  const TempFolder folder;
  const std::string a = folder / "deep/a", b = folder / "b";
  const std::string sent = sentFileHeader({a, 3, sha256Hex(std::string_view("a\nb")), 1000}) + "a\nb" +
                           sentFileHeader({b, 0, sha256Hex(std::string_view()), 2000});
  ASSERT_TRUE(received(sent).ok());
  EXPECT_EQ(testing::readAll(a), "a\nb");
  EXPECT_EQ(testing::readAll(b), "");
  EXPECT_EQ(contentSample(a).size(), 16u);
}

TEST(ReceiveFiles, ADamagedOrUnfinishedFileLeavesWhatWasThere) {
  const TempFolder folder;
  const std::string file = folder.write("a", "before");
  const std::string damaged = sentFileHeader({file, 3, sha256Hex(std::string_view("abc")), 0}) + "abx";
  EXPECT_THAT(received(damaged).error().text(), HasSubstr("differs from the original"));
  const std::string unfinished = sentFileHeader({file, 30, std::string(64, '0'), 0}) + "abx";
  EXPECT_THAT(received(unfinished).error().text(), HasSubstr("end in the middle"));
  EXPECT_FALSE(received("GET / HTTP/1.1\n").ok());
  EXPECT_FALSE(received(sentFileHeader({"relative", 0, "", 0})).ok());
  EXPECT_EQ(testing::readAll(file), "before");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "nothing is left aside";
}

TEST(ReceiveFiles, AnotherReceiverOfTheSameFileIsLeftAlone) {
  const TempFolder folder;
  const std::string file = folder / "a";
  const std::string others = folder.write("a.part", "half of what another one");
  ASSERT_TRUE(received(sentFileHeader({file, 3, sha256Hex(std::string_view("abc")), 0}) + "abc").ok());
  EXPECT_EQ(testing::readAll(file), "abc");
  EXPECT_EQ(testing::readAll(others), "half of what another one");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2) << "nothing else is left";
}

TEST(ReceiveFiles, WhatKilledReceiversLeftAsideGoesAfterADay) {
  const TempFolder folder;
  const auto left = folder.write("in/.123.part", "half"), other = folder.write("in/.mine.part", "of somebody else"),
             apart = folder.write("elsewhere/.123.part", "half");
  std::filesystem::last_write_time(left, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1000));
  const std::string a = folder / "in/a", sent = sentFileHeader({a, 3, sha256Hex(std::string_view("abc")), 0}) + "abc";
  ASSERT_TRUE(received(sent).ok());
  EXPECT_TRUE(std::filesystem::exists(left)) << "its date is its source's; it was changed just now";
  ASSERT_TRUE(received(sent, std::chrono::seconds(0)).ok());
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(other));
  EXPECT_TRUE(std::filesystem::exists(apart)) << "nothing is sent there";
  EXPECT_EQ(testing::readAll(a), "abc");
}

TEST(RunInputs, PicturesInAFolderOfTheirOwnGoAlongWithTheirData) {
  const TempFolder folder;
  const auto labels = folder.write("labels/train.jsonl", "{\"image\": \"a.jpg\"}\n");
  const auto picture = folder.write("pictures/a.jpg", "a");
  const auto file = folder.write("run.yaml", "model_name_or_path: " + (folder / "gone").string() +
                                                 "\noutput_dir: " + (folder / "run").string() +
                                                 "\ntrain_data: [{path: " + labels.string() +
                                                 ", images: " + (folder / "pictures").string() + "}]\n");
  const auto groups = runInputs(config::loadRunConfig(file).value()).value();
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_FALSE(groups[0].here());
  ASSERT_EQ(groups[1].files.size(), 1u);
  EXPECT_EQ(groups[1].files[0].file, labels);
  ASSERT_EQ(groups[2].files.size(), 1u) << "a machine without the folder was told that nobody has it";
  EXPECT_EQ(groups[2].files[0].file, picture);
}

TEST(RunInputs, ANameThatNoListOfFilesCanHoldIsRefused) {
  const TempFolder folder;
  const auto labels = folder.write("labels/train.jsonl", "{\"image\": \"a.jpg\"}\n");
  folder.write("pictures/a.jpg", "a");
  folder.write("pictures/caf\xe9.jpg", "b");
  const auto file = folder.write("run.yaml", "model_name_or_path: " + (folder / "gone").string() +
                                                 "\noutput_dir: " + (folder / "run").string() +
                                                 "\ntrain_data: [{path: " + labels.string() +
                                                 ", images: " + (folder / "pictures").string() + "}]\n");
  const auto groups = runInputs(config::loadRunConfig(file).value());
  ASSERT_FALSE(groups.ok());
  EXPECT_EQ(groups.error().kind, ErrorKind::BadInput);
  EXPECT_THAT(groups.error().text(), HasSubstr("pictures/caf\xef\xbf\xbd.jpg"));
  EXPECT_THAT(sentFileHeader({"/caf\xe9.jpg", 1, "", 0}), HasSubstr(".jpg")) << "a thread that throws ends the program";
}

TEST(RunInputs, AnAdapterToStartFromGoesAlongAndIsSoughtWhereItWasPut) {
  const TempFolder folder;
  folder.write("model/config.json", "{}");
  const auto weights = folder.write("adapter/adapter_model.safetensors", "a");
  folder.write("adapter/adapter_config.json", "{}");
  folder.write("adapter/optimizer.pt", "not read");
  const auto file = folder.write("run.yaml",
                                 "model_name_or_path: model\nadapter_name_or_path: adapter\n"
                                 "output_dir: run\ntrain_data: train.jsonl\n");
  const auto config = config::loadRunConfig(file).value();
  const auto groups = runInputs(config).value();
  ASSERT_EQ(groups.size(), 3u);
  ASSERT_EQ(groups[1].files.size(), 2u);
  EXPECT_EQ(groups[1].files[1].file, weights);
  auto document = config::Document::load(file).value();
  ASSERT_TRUE(useMovedInputs(document, config, {{(folder / "adapter").string(), "/elsewhere"}}).ok());
  EXPECT_THAT(document.text(), HasSubstr("adapter_name_or_path: /elsewhere"));
}

TEST(JointProgress, ManyThreadsMakeOneSumAndAStopReachesAll) {
  struct Sink : ProgressSink {
    bool report(const Progress& progress) override {
      EXPECT_LE(progress.done, progress.total);
      EXPECT_EQ(progress.total, 4000u);
      std::uint64_t seen = most;
      while (progress.done > seen && !most.compare_exchange_weak(seen, progress.done)) {
      }
      return !stopped;
    }
    std::atomic<std::uint64_t> most = 0;
    std::atomic<bool> stopped = false;
  } sink;
  JointProgress whole(&sink, {1000, 1000, 1000, 1000});
  inParallel(4, [&](std::size_t machine) {
    ShareOfProgress share(whole, machine, "host", machine == 0 ? 400 : 0);  // another one has brought 400 of it
    const std::uint64_t own = machine == 0 ? 600 : 1000;
    for (std::uint64_t done = 0; done <= own; ++done) EXPECT_TRUE(share.report({"copying", done, own, "bytes"}));
  });
  EXPECT_EQ(sink.most, 4000u);
  sink.stopped = true;
  EXPECT_FALSE(whole.set(1, 1000, "host"));
}

TEST(SharedPlaces, WhoSeesAnothersMarkIsInItsGroup) {
  using Groups = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(groupsOf({{0}, {1}, {2}}), (Groups{{0}, {1}, {2}}));
  EXPECT_EQ(groupsOf({{0}, {1, 3}, {2}, {1, 3}}), (Groups{{0}, {1, 3}, {2}}));
  EXPECT_EQ(groupsOf({{}, {0}, {1}}), (Groups{{0, 1, 2}})) << "also when only one of two sees the other";
  EXPECT_EQ(groupsOf({{}, {}}), (Groups{{0}, {1}})) << "nobody could be asked";
}

}  // namespace
}  // namespace roadtune::remote

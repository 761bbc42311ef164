// SPDX-License-Identifier: GPL-3.0-or-later
// Model and data come to machines that lack them: with the size first, only on request, and only what is missing.
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/protocol/manifest.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace roadtune::remote {
namespace {

using nlohmann::json;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::readAll;
using testing::TestNetwork;

class Sync : public testing::HostRuns {
 protected:
  static std::filesystem::path demo() { return std::filesystem::path(config()).parent_path(); }
  static json look(const TestNetwork& network, const std::string& file) {
    const auto told = roadtune(network, {"fleet", "sync", file, "--hosts", network.hosts(), "--look", "--json"});
    const json parsed = json::parse(told.out, nullptr, false);
    EXPECT_TRUE(parsed.is_array()) << told.out << told.err;
    return parsed;
  }
  // A picture of one pixel with more and more behind it, as far as decoders care: 12 MB that go over a link. The answer
  // is a configuration that names them.
  std::string manyPictures() const {
    static constexpr char kPicture[] =
        "\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00"
        "\x00\x00\x00\x3a\x7e\x9b\x55\x00\x00\x00\x0a\x49\x44\x41\x54\x78\x9c\x63\x68\x00\x00\x00\x82\x00\x81\x77"
        "\xcd\x72\xb6\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82";
    const std::string picture(kPicture, sizeof kPicture - 1);
    std::string lines;
    for (int i = 0; i < 40; ++i) {
      const std::string name = "images/" + std::to_string(i) + ".jpg";
      std::string bytes = picture;
      bytes.resize(300'000, static_cast<char>('a' + i % 26));
      folder().write("data/" + name, bytes);
      lines += "{\"image\": \"" + name + "\", \"prefix\": \"p\", \"suffix\": \"s\"}\n";
    }
    folder().write("data/train.jsonl", lines);
    return folder()
        .write("run.yaml", "model_name_or_path: " + model() +
                               "\ntrain_data: " + (folder() / "data/train.jsonl").string() +
                               "\noutput_dir: " + (folder() / "run").string() + "\n")
        .string();
  }
  static testing::ProgramResult there(const TestNetwork& network, const char* host, std::vector<std::string> words) {
    words.insert(words.begin(), {"ssh", "-F", network.sshConfig(), host});
    return testing::runProgram(words);
  }
};

TEST_F(Sync, WithoutConsentTheSizesAreToldAndNothingIsCopied) {
  TestNetwork network(2);
  network.mountThere(1, demo(), "size=200m");
  const auto refused = roadtune(network, trainWords(folder() / "run", 2, {"--hosts", network.hosts()}));
  EXPECT_EQ(refused.exitCode, 2) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("host2: "));
  EXPECT_THAT(refused.err, HasSubstr(" MB; "));
  EXPECT_THAT(refused.err, HasSubstr("--sync"));
  EXPECT_THAT(refused.err, Not(HasSubstr("host1: ")));
  const json told = look(network, config());
  EXPECT_TRUE(told[0]["complete"]);
  EXPECT_FALSE(told[1]["complete"]);
  EXPECT_GT(told[1]["bytes"], 100'000);
  EXPECT_GT(told[1]["free"], 0);
  EXPECT_TRUE(told[0]["free"].is_null()) << "where nothing is lacking nothing was measured";
  const auto nobody = roadtune(network, {"fleet", "sync", config(), "--hosts", network.hosts()});
  EXPECT_EQ(nobody.exitCode, 2) << "consent cannot be had without a terminal";
  EXPECT_EQ(look(network, config())[1]["bytes"], told[1]["bytes"]);
}

TEST_F(Sync, OneCommandCopiesWhatIsMissingAndTrains) {
  TestNetwork network(2);
  network.mountThere(1, demo(), "size=400m");
  const auto trained = roadtune(
      network,
      trainWords(folder() / "run", 3, {"--hosts", network.hosts(), "--nproc-per-node", "1", "--sync", "--yes"}));
  EXPECT_EQ(trained.exitCode, 0) << trained.out << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("host1: has everything"));
  EXPECT_EQ(lossesOf(folder() / "run").size(), 3u);
  const json told = look(network, config());
  EXPECT_TRUE(told[1]["complete"]) << told.dump(1);
  EXPECT_TRUE(told[1]["moved"].empty()) << "the same path could be written to";
}

TEST_F(Sync, AnAdapterToStartFromGoesAlongAndHasToBeTheSameEverywhere) {
  TestNetwork network(2);
  const std::filesystem::path first = folder() / "first", other = folder() / "other";
  for (const auto& [run, seed] : {std::pair(first, "seed=1"), std::pair(other, "seed=2")}) {
    const auto made = roadtune(network, trainWords(run, 1,
                                                   {"--nproc-per-node", "1", "--set", "finetuning_type=lora", "--set",
                                                    "target_modules=[q_proj]", "--set", "r=3", "--set", seed}));
    ASSERT_EQ(made.exitCode, 0) << made.out << made.err;
  }
  network.mountThere(1, first, "size=20m");
  const std::string start = (first / "checkpoint-1").string();
  const auto on = [&](const char* run, std::vector<std::string> more) {
    more.insert(more.end(), {"--hosts", network.hosts(), "--nproc-per-node", "1", "--set", "finetuning_type=lora",
                             "--set", "adapter_name_or_path=" + start});
    return roadtune(network, trainWords(folder() / run, 2, more));
  };
  const auto trained = on("on", {"--sync", "--yes"});
  ASSERT_EQ(trained.exitCode, 0) << trained.out << trained.err;
  EXPECT_EQ(lossesOf(folder() / "on").size(), 2u);
  EXPECT_THAT(readAll(folder() / "on/checkpoint-2/adapter_config.json"), HasSubstr("\"r\": 3"));

  // Where nobody here can compare them, the ranks do.
  network.mountThere(0, first, "size=20m");
  const std::string copying =
      "mkdir -p " + start + " && cp " + (other / "checkpoint-1").string() + "/adapter_* " + start;
  const auto made = there(network, "host1", {copying});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  std::filesystem::remove_all(first / "checkpoint-1");  // here alone: the machines have theirs mounted over it
  const auto refused = on("refused", {});
  EXPECT_EQ(refused.exitCode, 2) << refused.out << refused.err;
  EXPECT_THAT(refused.err,
              HasSubstr("the weights are not the same on all machines: those of rank 1 differ from rank 0's"));
  EXPECT_THAT(refused.err, HasSubstr(start));
}

TEST_F(Sync, WhereTheSamePathIsClosedItLiesBelowTheHomeAndTheRunFindsItThere) {
  TestNetwork network(1);
  network.mountThere(0, demo(), "ro,size=1m");
  const auto trained = roadtune(
      network, trainWords(folder() / "run", 3, {"--hosts", "host1", "--nproc-per-node", "1", "--sync", "--yes"}));
  ASSERT_EQ(trained.exitCode, 0) << trained.out << trained.err;
  EXPECT_EQ(lossesOf(folder() / "run").size(), 3u);
  const auto manifest = protocol::readManifest(protocol::RunLayout(folder() / "run").manifest());
  ASSERT_TRUE(manifest.ok());
  const std::string there = readAll(protocol::RunLayout(manifest.value().nodes[0].folder).config());
  EXPECT_THAT(there, HasSubstr("model_name_or_path: " + (network.home(0) / ".roadtune/inputs").string() + model()));
  EXPECT_THAT(readAll(protocol::RunLayout(folder() / "run").config()), Not(HasSubstr(".roadtune/inputs")));
  // Found again without another word, by a run that starts and by one that goes on.
  const auto again =
      roadtune(network, trainWords(folder() / "again", 2, {"--hosts", "host1", "--nproc-per-node", "1"}));
  EXPECT_EQ(again.exitCode, 0) << again.err;
}

TEST_F(Sync, TheCheckFindsACopyBelowTheHomeWhereThePathIsAnEmptyFolder) {
  TestNetwork network(2);
  network.mountThere(1, model(), "ro,size=1m");
  const auto check = [&] {
    return roadtune(network, {"fleet", "check", "--hosts", network.hosts(), "--config", config(), "--json"}).out;
  };
  EXPECT_THAT(check(), HasSubstr("is not on host2"));
  ASSERT_EQ(roadtune(network, {"fleet", "sync", config(), "--hosts", network.hosts(), "--yes"}).exitCode, 0);
  EXPECT_THAT(check(), Not(AnyOf(HasSubstr("is not on"), HasSubstr("differs"))));
}

TEST_F(Sync, ADiskThatIsTooSmallIsSaidBeforeAByteIsCopied) {
  TestNetwork network(1);
  network.mountThere(0, demo(), "size=64k");
  const auto refused = roadtune(network, {"fleet", "sync", config(), "--hosts", "host1", "--yes"});
  EXPECT_EQ(refused.exitCode, 1) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("the disk is too small"));
  EXPECT_THAT(refused.err, HasSubstr("free there"));
}

TEST_F(Sync, OnlyWhatDiffersIsCopiedAgain) {
  TestNetwork network(1);
  network.mountThere(0, demo(), "size=400m");
  ASSERT_EQ(roadtune(network, {"fleet", "sync", config(), "--hosts", "host1", "--yes"}).exitCode, 0);
  const auto tokenizer = std::filesystem::path(model()) / "tokenizer_config.json";
  const std::string before = readAll(tokenizer);
  ASSERT_TRUE(writeFileAtomically(tokenizer, before + "\n").ok());
  const json told = look(network, config());
  ASSERT_EQ(told[0]["files"].size(), 1u) << told.dump(1);
  EXPECT_EQ(told[0]["differing"], 1);
  EXPECT_EQ(told[0]["bytes"], before.size() + 1);
  ASSERT_EQ(roadtune(network, {"fleet", "sync", config(), "--hosts", "host1", "--yes"}).exitCode, 0);
  EXPECT_TRUE(look(network, config())[0]["complete"]);
  ASSERT_TRUE(writeFileAtomically(tokenizer, before).ok());
}

TEST_F(Sync, ACopyThatWasCutGoesOnWhereItEnded) {
  TestNetwork network(1);
  const std::string file = manyPictures();
  network.mountThere(0, folder() / "data", "size=400m");
  const json before = look(network, file);
  EXPECT_EQ(before[0]["files"].size(), 41u) << "the lines and every picture they name";
  network.limitRate(-1, "16mbit");
  auto copying = roadtuneInBackground(network, {"fleet", "sync", file, "--hosts", "host1", "--yes"});
  const std::string first = (folder() / "data/images/3.jpg").string();
  network.onDisk(0, {"timeout", "60", "sh", "-c", "until [ -e " + first + " ]; do sleep 0.05; done"});
  network.breakSessions(0);
  EXPECT_NE(copying.get().exitCode, 0) << "too quick to be cut";
  const json after = look(network, file);
  EXPECT_LT(after[0]["bytes"], before[0]["bytes"]) << "what has arrived stays";
  EXPECT_GT(after[0]["bytes"], 0);
  EXPECT_EQ(roadtune(network, {"fleet", "sync", file, "--hosts", "host1", "--yes"}).exitCode, 0);
  EXPECT_TRUE(look(network, file)[0]["complete"]);
}

TEST_F(Sync, SeveralMachinesAreFilledAtOnceAsOneSum) {
  TestNetwork network(2);
  const std::string file = manyPictures();
  for (int host = 0; host < 2; ++host) network.mountThere(host, folder() / "data", "size=400m");
  network.limitRate(-1, "80mbit");
  const auto copied =
      roadtune(network, {"fleet", "sync", file, "--hosts", network.hosts(), "--yes", "--progress", "json"});
  ASSERT_EQ(copied.exitCode, 0) << copied.err;
  std::vector<std::string> hosts;
  json last;
  for (const auto& line : split(copied.err, '\n')) {
    const json told = json::parse(line, nullptr, false);
    if (!told.is_object() || told.value("stage", "") != "copying") continue;
    hosts.push_back(told["detail"]);
    last = told;
    EXPECT_LE(told["done"], told["total"]);
  }
  ASSERT_FALSE(hosts.empty()) << copied.err;
  EXPECT_EQ(last["done"], last["total"]);
  EXPECT_GT(last["total"], 24'000'000) << "of both";
  const auto changes =
      std::count_if(hosts.begin() + 1, hosts.end(), [&](const auto& host) { return host != *(&host - 1); });
  EXPECT_GT(changes, 1) << "they take turns";
  for (const json& one : look(network, file)) EXPECT_TRUE(one["complete"]) << one;
}

TEST_F(Sync, AMachineThatCannotTakeItIsNamedAndTheOthersAreFinished) {
  TestNetwork network(3);
  const std::string file = manyPictures(), picture = (folder() / "data/images/7.jpg").string();
  for (int host = 0; host < 3; ++host) network.mountThere(host, folder() / "data", "size=400m");
  ASSERT_EQ(there(network, "host3", {"mkdir", "-p", picture + "/in-the-way"}).exitCode, 0);
  const std::vector<std::string> words{"fleet", "sync", file, "--hosts", network.hosts(), "--yes"};
  const auto copied = roadtune(network, words);
  EXPECT_EQ(copied.exitCode, 1) << copied.err;
  EXPECT_THAT(copied.err, HasSubstr("cannot copy to 1 of 3 machines"));
  EXPECT_THAT(copied.err, HasSubstr("\n  host3: "));
  EXPECT_THAT(copied.err, HasSubstr("host1, host2: everything is there now"));
  EXPECT_THAT(copied.err, HasSubstr("what has arrived stays"));
  const json told = look(network, file);
  EXPECT_TRUE(told[0]["complete"]) << told[0];
  EXPECT_TRUE(told[1]["complete"]) << told[1];
  EXPECT_FALSE(told[2]["complete"]);
  ASSERT_EQ(there(network, "host3", {"rm", "-r", picture}).exitCode, 0);
  EXPECT_EQ(roadtune(network, words).exitCode, 0);
  EXPECT_TRUE(look(network, file)[2]["complete"]);
}

TEST_F(Sync, MachinesThatShareAFolderGetItOnce) {
  TestNetwork network(2);
  const std::string file = manyPictures();
  for (int host = 0; host < 2; ++host) {
    network.mountThere(host, folder() / "data", "ro,size=1m");
    std::filesystem::create_directories(network.home(host) / ".roadtune");
  }
  std::filesystem::create_directories(network.home(0) / ".roadtune/inputs");
  std::filesystem::create_directory_symlink(network.home(0) / ".roadtune/inputs", network.home(1) / ".roadtune/inputs");
  const auto copied =
      roadtune(network, {"fleet", "sync", file, "--hosts", network.hosts(), "--yes", "--progress", "json"});
  ASSERT_EQ(copied.exitCode, 0) << copied.err;
  std::uint64_t first = 0;  // what had been done when the second one was told of
  for (const auto& line : split(copied.err, '\n')) {
    const json told = json::parse(line, nullptr, false);
    if (first == 0 && told.is_object() && told.value("detail", "") == "host2" && told["stage"] == "copying")
      first = told["done"];
  }
  EXPECT_GT(first, 12'000'000u) << "the second one waits for the first, and finds everything there";
  for (const json& one : look(network, file)) EXPECT_TRUE(one["complete"]) << one;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(network.home(0) / ".roadtune"))
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr(".roadtune-shared"))) << "no mark is left behind";
}

class QueuedSync : public Sync {
 protected:
  json job(const TestNetwork& network) const {
    const json told = json::parse(queue(network, {"ls", "--json"}).out, nullptr, false);
    return told.is_object() && !told["jobs"].empty() ? told["jobs"][0] : json{{"state", ""}, {"message", ""}};
  }
  testing::ProgramResult add(const TestNetwork& network, const std::string& file,
                             const std::vector<std::string>& more) const {
    std::vector<std::string> words{"add", file, "--hosts", "host1", "--nproc-per-node", "1"};
    for (const std::string& entry : {"output_dir=" + (folder() / "run").string(), std::string("max_steps=2")})
      words.insert(words.end(), {"--set", entry});
    words.insert(words.end(), more.begin(), more.end());
    return queue(network, words);
  }
};

TEST_F(QueuedSync, TheSizeIsShownWhenAJobIsAddedAndItIsCopiedWhenItsTurnComes) {
  TestNetwork network(1);
  network.mountThere(0, demo(), "size=400m");
  EXPECT_EQ(add(network, config(), {"--sync"}).exitCode, 2) << "nobody is there to agree";
  const auto added = add(network, config(), {"--sync", "--yes"});
  ASSERT_EQ(added.exitCode, 0) << added.err;
  EXPECT_THAT(added.err, HasSubstr("host1: "));
  EXPECT_THAT(added.err, HasSubstr(" MB; "));
  EXPECT_TRUE(job(network)["sync"]);
  EXPECT_FALSE(look(network, config())[0]["complete"]) << "not before its turn";
  const auto worked = queue(network, {"run", "--until-empty"});
  EXPECT_EQ(worked.exitCode, 0) << worked.err;
  EXPECT_EQ(job(network)["state"], "finished") << job(network);
  EXPECT_TRUE(look(network, config())[0]["complete"]);
}

TEST_F(QueuedSync, ACopyThatCannotBeMadeIsTheJobsOwnFailure) {
  TestNetwork network(1);
  network.mountThere(0, demo(), "size=64k");
  const auto added = add(network, config(), {"--sync", "--yes"});
  ASSERT_EQ(added.exitCode, 0) << added.err;
  EXPECT_THAT(added.err, HasSubstr("which is too little"));
  const auto worked = queue(network, {"run", "--until-empty"});
  EXPECT_EQ(worked.exitCode, 1) << worked.err;
  EXPECT_EQ(job(network)["state"], "failed");
  EXPECT_THAT(job(network)["message"].get<std::string>(), HasSubstr("model and data could not be copied: "));
  EXPECT_THAT(job(network)["message"].get<std::string>(), HasSubstr("the disk is too small"));
  EXPECT_FALSE(std::filesystem::exists(folder() / "run"));
}

TEST_F(QueuedSync, AWorkerThatEndsOrIsKilledWhileItCopiesLeavesAJobThatWaitsAndFilesThatStay) {
  TestNetwork network(1);
  const std::string file = manyPictures();
  network.mountThere(0, folder() / "data", "size=400m");
  ASSERT_EQ(add(network, file, {"--sync", "--yes"}).exitCode, 0);
  network.limitRate(-1, "12mbit");
  std::uint64_t missing = 12'002'270;
  for (const int signal : {SIGINT, SIGKILL}) {
    const auto worker = queue(network, {"run", "--detach"});
    ASSERT_EQ(worker.exitCode, 0) << worker.err;
    std::uint64_t left = missing;
    for (const double began = monotonicSeconds(); left == missing && monotonicSeconds() - began < 20;)
      left = look(network, file)[0]["bytes"];
    EXPECT_LT(left, missing) << "nothing arrives";
    EXPECT_THAT(job(network)["message"].get<std::string>(), HasSubstr("copying model and data: "));
    missing = left;
    ASSERT_EQ(::kill(std::atoi(worker.out.c_str()), signal), 0);
    while (!json::parse(queue(network, {"ls", "--json"}).out)["worker"].is_null())
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(job(network)["state"], "waiting");
    if (signal == SIGINT) EXPECT_THAT(job(network)["message"].get<std::string>(), HasSubstr("goes on with the queue"));
    EXPECT_LE(look(network, file)[0]["bytes"], missing) << "what has arrived stays";
  }
  network.limitRate(-1, "10gbit");
  queue(network, {"run", "--until-empty"});
  EXPECT_TRUE(look(network, file)[0]["complete"]);
  EXPECT_EQ(job(network)["state"], "finished") << job(network);
}

}  // namespace
}  // namespace roadtune::remote

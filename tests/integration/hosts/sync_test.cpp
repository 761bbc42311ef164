// SPDX-License-Identifier: GPL-3.0-or-later
// Model and data come to machines that lack them: with the size first, only on request, and only what is missing.
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/protocol/manifest.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <thread>

namespace roadtune::remote {
namespace {

using nlohmann::json;
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
  const auto data = folder() / "data";
  std::string lines;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "images/" + std::to_string(i) + ".jpg";
    folder().write("data/" + name, std::string(300'000, static_cast<char>('a' + i % 26)));
    lines += "{\"image\": \"" + name + "\", \"prefix\": \"p\", \"suffix\": \"s\"}\n";
  }
  folder().write("data/train.jsonl", lines);
  const auto file =
      folder().write("run.yaml", "model_name_or_path: " + model() + "\ntrain_data: " + (data / "train.jsonl").string() +
                                     "\noutput_dir: " + (folder() / "run").string() + "\n");
  network.mountThere(0, data, "size=400m");
  const json before = look(network, file.string());
  EXPECT_EQ(before[0]["files"].size(), 41u) << "the lines and every picture they name";
  network.limitRate(-1, "40mbit");
  auto copying = roadtuneInBackground(network, {"fleet", "sync", file.string(), "--hosts", "host1", "--yes"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1800));
  network.breakSessions(0);
  EXPECT_NE(copying.get().exitCode, 0) << "too quick to be cut";
  const json after = look(network, file.string());
  EXPECT_LT(after[0]["bytes"], before[0]["bytes"]) << "what has arrived stays";
  EXPECT_GT(after[0]["bytes"], 0);
  EXPECT_EQ(roadtune(network, {"fleet", "sync", file.string(), "--hosts", "host1", "--yes"}).exitCode, 0);
  EXPECT_TRUE(look(network, file.string())[0]["complete"]);
}

}  // namespace
}  // namespace roadtune::remote

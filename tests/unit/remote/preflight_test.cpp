// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/preflight.h"

#include "remote/agent/machine_facts.h"
#include "remote/agent/nccl_version.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roadtune::remote {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

json goodMachine() {
  return {{"os", "Debian"},
          {"kernel", "6.1"},
          {"glibc", "2.36"},
          {"cpus", 16},
          {"cpu", "Fast One"},
          {"cpu_features", {"avx2"}},
          {"mem_total", 64e9},
          {"mem_available", 50e9},
          {"shm_free", 8e9},
          {"nofile", 65536},
          {"driver", "580.65"},
          {"cuda", "13.0"},
          {"disk", {{"path", "/runs"}, {"free", 500e9}, {"inodes_free", 1e6}, {"write_bps", 900e6}, {"error", ""}}},
          {"gpus", {{{"index", 0}, {"name", "GPU"}, {"mem_total", 80e9}, {"mem_used", 1e9}, {"processes", 0}}}}};
}

Check checkOf(const json& facts, const std::string& name, const PreflightLimits& limits = {}) {
  for (const auto& check : judgeMachine(facts, limits, 0.0))
    if (check.name == name) return check;
  return {};
}

TEST(Preflight, TheDiskMustHoldTheCheckpointsOfTheRun) {
  const PreflightLimits many{.checkpointBytes = 200e9, .checkpoints = 3},
      few{.checkpointBytes = 200e9, .checkpoints = 2};
  EXPECT_EQ(checkOf(goodMachine(), "disk", many).verdict, Verdict::Bad);
  EXPECT_THAT(checkOf(goodMachine(), "disk", many).value, HasSubstr("too little for 3 checkpoints of 200.0 GB"));
  EXPECT_EQ(checkOf(goodMachine(), "disk", few).verdict, Verdict::Fine);
}

TEST(Preflight, AGoodMachineHasNothingToFix) {
  for (const auto& check : judgeMachine(goodMachine(), {}, 0.001)) {
    EXPECT_EQ(check.verdict, Verdict::Fine) << check.name << ": " << check.value;
    EXPECT_THAT(check.fix, IsEmpty()) << check.name;
  }
}

TEST(Preflight, EveryTroubleHasAVerdictAndAFix) {
  struct Case {
    const char* check;
    const char* path;
    json value;
    Verdict verdict;
    const char* word;
  };
  const std::vector<Case> cases{
      {"disk", "/disk/free", 1e8, Verdict::Bad, "free space"},
      {"disk", "/disk/free", 2e9, Verdict::Doubtful, "free space"},
      {"disk", "/disk/error", "Read-only file system", Verdict::Bad, "output_dir"},
      {"disk", "/disk/inodes_free", 3, Verdict::Bad, "names"},
      {"disk", "/disk/write_bps", 1e6, Verdict::Doubtful, "slow"},
      {"memory", "/mem_available", 1e8, Verdict::Bad, "end other programs"},
      {"shm", "/shm_free", 1e6, Verdict::Doubtful, "--shm-size"},
      {"limits", "/nofile", 1024, Verdict::Doubtful, "ulimit -n"},
      {"cpu", "/cpu_features", json::array(), Verdict::Doubtful, "slow"},
      {"driver", "/cuda", "12.4", Verdict::Bad, "driver 580"},
      {"gpu", "/gpus/0/processes", 2, Verdict::Doubtful, "gpus:"},
      {"gpu", "/gpus/0/ecc_uncorrected", 1, Verdict::Bad, "card"},
      {"system", "/glibc", "2.31", Verdict::Bad, "2.36"},
  };
  for (const auto& one : cases) {
    json facts = goodMachine();
    facts[json::json_pointer(one.path)] = one.value;
    const Check check = checkOf(facts, one.check);
    EXPECT_EQ(check.verdict, one.verdict) << one.path << ": " << check.value;
    EXPECT_THAT(check.fix, HasSubstr(one.word)) << one.path;
  }
}

TEST(Preflight, ManyOpenFilesAreGroupedAsOtherCountsAre) {
  json facts = goodMachine();
  facts["nofile"] = 20000;
  EXPECT_EQ(checkOf(facts, "limits").value, "20,000 open files");
}

TEST(Preflight, AClockThatIsOffIsToldInMilliseconds) {
  const auto checks = judgeMachine(goodMachine(), {}, -2.5);
  EXPECT_EQ(checks.back().name, "clock");
  EXPECT_EQ(checks.back().verdict, Verdict::Doubtful);
  EXPECT_THAT(checks.back().value, HasSubstr("-2500 ms"));
}

TEST(Preflight, NoCardIsFineUnlessOneIsNeeded) {
  json facts = goodMachine();
  facts["gpus"] = json::array();
  EXPECT_EQ(checkOf(facts, "gpu").verdict, Verdict::Fine);
  EXPECT_EQ(checkOf(facts, "gpu", {.needGpu = true}).verdict, Verdict::Bad);
}

TEST(Preflight, NothingToldIsNoCrashAndNoFalseComfort) {
  for (const auto& check : judgeMachine(json::object(), {})) EXPECT_FALSE(check.value.empty() && check.name.empty());
  EXPECT_EQ(checkOf(json::object(), "memory").verdict, Verdict::Unknown);
}

TEST(Preflight, DifferentDriversUnderOneJobAreBad) {
  json other = goodMachine();
  other["driver"] = "535.1";
  const auto checks = judgeAgreement({{"a", goodMachine()}, {"b", other}});
  ASSERT_FALSE(checks.empty());
  EXPECT_EQ(checks[0].verdict, Verdict::Bad);
  EXPECT_THAT(checks[0].value, HasSubstr("535.1 on b"));
  EXPECT_THAT(judgeAgreement({{"a", goodMachine()}}), IsEmpty());
}

TEST(Preflight, TwoNamesOfOneMachineAreBad) {
  json marked = goodMachine(), other = goodMachine();
  marked["mark"] = "7c1 net:1 pid:1";
  other["mark"] = "7c1 net:2 pid:1";
  const auto checks = judgeAgreement({{"a", marked}, {"b", other}, {"c", marked}});
  ASSERT_FALSE(checks.empty());
  EXPECT_EQ(checks[0].verdict, Verdict::Bad);
  EXPECT_EQ(checks[0].value, "a and c are the same machine");
  for (const auto& check : judgeAgreement({{"a", marked}, {"b", other}})) EXPECT_NE(check.name, "machines");
}

json withNccl(const char* version) {
  json facts = goodMachine();
  facts["nccl"] = version ? json{{"version", version}} : json{{"version", nullptr}, {"error", "no such file"}};
  return facts;
}

Check sameNccl(const std::vector<std::pair<std::string, json>>& factsByHost) {
  for (const auto& check : judgeAgreement(factsByHost))
    if (check.name == "same nccl") return check;
  return {.name = "absent"};
}

TEST(Preflight, AnotherReleaseOfNcclIsBadWhereThereAreCardsAndNamedWithItsFix) {
  const auto check = sameNccl({{"a", withNccl("2.28.9")}, {"b", withNccl("2.27.3")}, {"c", withNccl("2.28.9")}});
  EXPECT_EQ(check.verdict, Verdict::Bad);
  EXPECT_EQ(check.value, "2.27.3 on b; 2.28.9 on a, c");
  EXPECT_EQ(check.fix, "on b: pip install nvidia-nccl-cu13==2.28.9 beside torch");
  json first = withNccl("2.28.9"), second = withNccl("2.27.3");
  first["gpus"] = second["gpus"] = json::array();
  EXPECT_EQ(sameNccl({{"a", first}, {"b", second}}).verdict, Verdict::Doubtful) << "only cards need it";
}

TEST(Preflight, NcclIsComparedWhereItIsThere) {
  EXPECT_EQ(sameNccl({{"a", withNccl("2.28.9")}, {"b", withNccl("2.28.9")}}).verdict, Verdict::Fine);
  EXPECT_EQ(sameNccl({{"a", withNccl("2.28.9")}, {"b", goodMachine()}}).verdict, Verdict::Fine)
      << "torch, and NCCL with it, is still to come";
  EXPECT_EQ(sameNccl({{"a", goodMachine()}, {"b", goodMachine()}}).name, "absent");
  EXPECT_EQ(checkOf(withNccl("2.28.9"), "nccl").value, "2.28.9");
  const auto absent = checkOf(withNccl(nullptr), "nccl");
  EXPECT_EQ(absent.verdict, Verdict::Doubtful) << "there are cards";
  EXPECT_THAT(absent.value, HasSubstr("no such file"));
  EXPECT_THAT(absent.fix, HasSubstr("nvidia-nccl-cu13"));
}

TEST(MachineFacts, ALibraryIsAskedForItsReleaseAndOneThatIsNoneSaysWhy) {
  const testing::TempFolder folder;
  std::filesystem::create_directories(folder / "nvidia/nccl/lib");
  std::filesystem::create_directories(folder / "torch/lib");
  const auto library = folder / "nvidia/nccl/lib/libnccl.so.2";
  std::filesystem::copy_file(ROADTUNE_BIN_DIR "/../fakes/libfake-nccl.so", library);
  EXPECT_EQ(ncclFacts(folder / "torch/lib"), (json{{"version", "2.27.3"}, {"library", library.string()}}));
  folder.write("torch/lib/libnccl.so.2", "no library");
  std::filesystem::remove(library);
  const json broken = ncclFacts(folder / "torch/lib");
  EXPECT_TRUE(broken["version"].is_null());
  EXPECT_THAT(broken["error"].get<std::string>(), HasSubstr("torch/lib/libnccl.so.2"));
}

TEST(MachineFacts, TellsOfThisMachineAndLeavesNothingBehind) {
  const testing::TempFolder folder;
  const json facts = machineFacts(folder / "not/there/yet");
  EXPECT_GT(facts["cpus"].get<int>(), 0);
  EXPECT_GT(facts["mem_total"].get<double>(), 1e8);
  EXPECT_GT(facts["disk"]["write_bps"].get<double>(), 0);
  EXPECT_EQ(facts["disk"]["path"], folder.path().string());
  EXPECT_EQ(facts["disk"]["error"], "");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(MachineFacts, WritesNothingWhereItOnlyLooks) {
  const testing::TempFolder folder;
  const json disk = machineFacts(folder.path(), DiskProbe::LookOnly)["disk"];
  EXPECT_TRUE(disk["write_bps"].is_null());
  EXPECT_EQ(disk["error"], "");
  EXPECT_GT(disk["free"].get<double>(), 0);
}

}  // namespace
}  // namespace roadtune::remote

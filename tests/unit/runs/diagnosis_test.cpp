// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts over runs, and when there is none.
#include "core/base/clock.h"
#include "tests/unit/runs/opened_run.h"

#include <cmath>

namespace roadtune::runs {
namespace {

using nlohmann::json;
using testing::TempFolder;

TEST(Diagnosis, NamesALoaderThatIsTooSlow) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  for (int i = 1; i <= 30; ++i)
    stepWith(run, 0, i, {{"wait", 0.4}, {"forward", 0.2}, {"backward", 0.35}, {"optimizer", 0.05}, {"other", 0.0}});
  for (int i = 0; i < 5; ++i)
    run.node(0, "node", {{"cpu", 20.0}, {"mem_used", 1}, {"mem_total", 100}, {"disk_free", 1e12}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* loader = verdict(diagnosis, "loader-bound");
  ASSERT_NE(loader, nullptr);
  EXPECT_EQ(loader->level, VerdictLevel::Critical);
  EXPECT_NE(loader->evidence.find("40 %"), std::string::npos) << loader->evidence;
  EXPECT_NE(loader->advice.find("dataloader_num_workers"), std::string::npos);
  EXPECT_NEAR(*loader->gain, 1 / 0.6 - 1, 1e-9);
  EXPECT_TRUE(abstains(diagnosis, "gpu-use"));
}

TEST(Diagnosis, TellsOfSamplesThatWereLeftOut) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 6, 2.0);
  run.rank(0, "metric", 3, {{"name", "bad_samples"}, {"value", 2}});
  run.rank(0, "metric", 5, {{"name", "bad_samples"}, {"value", 7}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* left = verdict(diagnosis, "bad-samples");
  ASSERT_NE(left, nullptr);
  EXPECT_EQ(left->level, VerdictLevel::Warning);
  EXPECT_NE(left->evidence.find("7 were left out, the first in step 3"), std::string::npos) << left->evidence;
}

TEST(Diagnosis, AdvisesOtherwiseWhenAllCoresAreBusy) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  for (int i = 1; i <= 30; ++i) stepWith(run, 0, i, {{"wait", 0.15}});
  for (int i = 0; i < 5; ++i) run.node(0, "node", {{"cpu", 99.0}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  ASSERT_NE(verdict(diagnosis, "loader-bound"), nullptr);
  EXPECT_EQ(verdict(diagnosis, "loader-bound")->level, VerdictLevel::Warning);
  EXPECT_NE(verdict(diagnosis, "loader-bound")->advice.find("will not help"), std::string::npos);
}

TEST(Diagnosis, AHealthyRunIsComputeBoundAndNothingElse) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  for (int i = 1; i <= 30; ++i)
    stepWith(run, 0, i, {{"wait", 0.01}, {"forward", 0.3}, {"backward", 0.6}, {"optimizer", 0.05}, {"other", 0.04}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* compute = verdict(diagnosis, "compute-bound");
  ASSERT_NE(compute, nullptr);
  EXPECT_EQ(compute->level, VerdictLevel::Info);
  EXPECT_EQ(verdict(diagnosis, "loader-bound"), nullptr);
  EXPECT_EQ(verdict(diagnosis, "communication-bound"), nullptr);
}

TEST(Diagnosis, TellsThatStepsTakeLongerThanTheyDid) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  const auto steps = [&run](int from, int to, double seconds) {
    for (int i = from; i <= to; ++i) run.rank(0, "step", i, {{"loss", 1.0}, {"step_s", seconds}});
  };
  steps(1, 60, 0.5);
  run.flush();
  EXPECT_EQ(verdict(diagnose(open(folder / "r")), "slower"), nullptr);
  steps(61, 80, 0.9);
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* slower = verdict(diagnosis, "slower");
  ASSERT_NE(slower, nullptr);
  EXPECT_EQ(slower->level, VerdictLevel::Warning);
  EXPECT_NE(slower->evidence.find("in the last 20 steps"), std::string::npos) << slower->evidence;
  EXPECT_NEAR(*slower->gain, 0.8, 1e-9);
  EXPECT_EQ(slower->advice.find("cards"), std::string::npos) << "there are none";
}

TEST(Diagnosis, TellsThatStepsNoLongerCome) {
  TempFolder folder;
  constexpr int kSilent = 200;  // seconds, one per event
  FakeRun run(folder / "r", wallSeconds() - kSilent - 30);
  run.hello();
  run.rank(0, "phase", 0, {{"name", "training"}});
  run.steps(1, 20, 1.0);
  run.node(0, "node", {{"mem_used", 1}});
  run.flush();
  EXPECT_EQ(verdict(diagnose(open(folder / "r")), "stalled"), nullptr);
  for (int i = 0; i < kSilent; ++i) run.node(0, "node", {{"mem_used", 1}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* stalled = verdict(diagnosis, "stalled");
  ASSERT_NE(stalled, nullptr);
  EXPECT_EQ(stalled->level, VerdictLevel::Critical);
  EXPECT_NE(stalled->evidence.find("after step 20"), std::string::npos) << stalled->evidence;
}

TEST(Diagnosis, TellsCopyingAndWhatLoadingIsMadeOf) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  for (int i = 1; i <= 30; ++i)
    stepWith(run, 0, i,
             {{"wait", 0.3},
              {"copy", 0.25},
              {"forward", 0.2},
              {"backward", 0.25},
              {"other", 0.0},
              {"read", 0.7},
              {"decode", 0.2},
              {"tokenise", 0.1}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  ASSERT_NE(verdict(diagnosis, "loader-bound"), nullptr);
  EXPECT_NE(verdict(diagnosis, "loader-bound")->evidence.find("loading is 70 % reading"), std::string::npos)
      << verdict(diagnosis, "loader-bound")->evidence;
  const Verdict* copy = verdict(diagnosis, "copy-bound");
  ASSERT_NE(copy, nullptr);
  EXPECT_NE(copy->evidence.find("25 %"), std::string::npos) << copy->evidence;
}

// A card whose counters say how busy its units and its memory are, under steps that do nothing but compute.
Diagnosis diagnosisOfCard(const TempFolder& folder, double units, double memory) {
  FakeRun run(folder / "r");
  run.hello();
  run.rank(0, "phase", 0, {{"name", "training"}});
  for (int i = 1; i <= 30; ++i) {
    stepWith(run, 0, i, {{"wait", 0.0}, {"forward", 0.3}, {"backward", 0.65}, {"optimizer", 0.05}, {"other", 0.0}});
    run.node(0, "node",
             {{"gpus",
               {{{"index", 0},
                 {"util", 99.0},
                 {"sm_active", units},
                 {"dram_active", memory},
                 {"mem_used", 50e9},
                 {"mem_total", 80e9}}}}});
  }
  run.close();
  return diagnose(open(folder / "r"));
}

TEST(Diagnosis, ACardThatIsNotHandedEnoughWorkIsLaunchBound) {
  TempFolder folder;
  const Diagnosis diagnosis = diagnosisOfCard(folder, 20, 25);
  const Verdict* launch = verdict(diagnosis, "launch-bound");
  ASSERT_NE(launch, nullptr);
  EXPECT_NE(launch->evidence.find("busy only 20 %"), std::string::npos) << launch->evidence;
  EXPECT_NEAR(*launch->gain, 4, 1e-9);
  EXPECT_EQ(verdict(diagnosis, "memory-bound"), nullptr);
}

TEST(Diagnosis, ACardThatWaitsForItsMemoryIsMemoryBound) {
  TempFolder folder;
  const Diagnosis diagnosis = diagnosisOfCard(folder, 45, 88);
  EXPECT_NE(verdict(diagnosis, "memory-bound"), nullptr);
  EXPECT_EQ(verdict(diagnosis, "launch-bound"), nullptr);
}

TEST(Diagnosis, ABusyCardIsNeither) {
  TempFolder folder;
  const Diagnosis diagnosis = diagnosisOfCard(folder, 92, 60);
  EXPECT_EQ(verdict(diagnosis, "memory-bound"), nullptr);
  EXPECT_EQ(verdict(diagnosis, "launch-bound"), nullptr);
}

TEST(Diagnosis, NamesTheRankThatOtherMachinesWaitFor) {
  TempFolder folder;
  constexpr int kSilent = 200;
  FakeRun run(folder / "r", wallSeconds() - kSilent - 30);
  run.hello();
  run.rank(0, "phase", 0, {{"name", "training"}});
  run.steps(1, 20, 1.0);
  for (int i = 0; i < kSilent; ++i) run.node(0, "node", {{"mem_used", 1}});
  const auto in = [](int rank, int number, bool finished) {
    return nlohmann::json{{"rank", rank},        {"number", number},     {"what", "sum"}, {"group", ""},
                          {"bytes", 25'000'000}, {"finished", finished}, {"begun", 1.0}};
  };
  run.node(0, "warning", {{"message", "no step"}, {"exchanges", {in(0, 412, false), in(1, 412, false)}}});
  run.flush();
  EXPECT_EQ(verdict(diagnose(open(folder / "r")), "stalled")->evidence.find("missing at"), std::string::npos)
      << "one machine alone cannot tell";
  run.node(1, "warning", {{"message", "no step"}, {"exchanges", {in(2, 411, true), in(3, 412, false)}}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* stalled = verdict(diagnosis, "stalled");
  ASSERT_NE(stalled, nullptr);
  EXPECT_NE(stalled->evidence.find("missing at the sum no. 412 of 25.0 MB: rank 2 (ranks that wait there: 3)"),
            std::string::npos)
      << stalled->evidence;
}

TEST(Diagnosis, AbstainsWithoutSignals) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  EXPECT_TRUE(abstains(diagnosis, "step-anatomy"));
  EXPECT_TRUE(abstains(diagnosis, "loss"));
  EXPECT_TRUE(abstains(diagnosis, "disk-full"));
}

TEST(Diagnosis, FindsTheRankThatTheOthersWaitFor) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello(0, {{"world_size", 4}});
  for (int rank = 0; rank < 4; ++rank)
    for (int i = 1; i <= 30; ++i)
      stepWith(run, rank, i,
               rank == 2 ? json{{"wait", 0.3},
                                {"forward", 0.2},
                                {"backward", 0.4},
                                {"optimizer", 0.05},
                                {"comm", 0.05},
                                {"other", 0.0}}
                         : json{{"wait", 0.0},
                                {"forward", 0.2},
                                {"backward", 0.4},
                                {"optimizer", 0.05},
                                {"comm", 0.35},
                                {"other", 0.0}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  const Verdict* straggler = verdict(diagnosis, "straggler");
  ASSERT_NE(straggler, nullptr);
  EXPECT_EQ(straggler->title, "Rank 2 holds the others up");
  EXPECT_NE(straggler->advice.find("waiting for samples"), std::string::npos) << straggler->advice;
  EXPECT_NE(verdict(diagnosis, "communication-bound"), nullptr);
}

TEST(Diagnosis, ReadsTheMachinesCounters) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.rank(0, "phase", 0, {{"name", "training"}});
  run.rank(0, "checkpoint", 1, {{"path", "checkpoint-1"}, {"bytes", 8e9}});
  for (int i = 0; i < 20; ++i)
    run.node(0, "node",
             {{"cpu", 10.0},
              {"mem_used", 63e9},
              {"mem_total", 64e9},
              {"disk_free", 9e9},
              {"gpus",
               {{{"index", 0}, {"util", 20.0}, {"mem_used", 10e9}, {"mem_total", 80e9}, {"throttle", {"thermal"}}}}}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  for (const char* id : {"memory-low", "disk-full", "batch-too-small", "throttled"})
    EXPECT_NE(verdict(diagnosis, id), nullptr) << id;
}

TEST(Diagnosis, ExplainsAFailureByItsLog) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 3, 1.0);
  run.rank(0, "receipt", 1, {{"ok", false}, {"mismatch", {"vision_tower: frozen, but updated"}}});
  run.rank(0, "bye", 3, {{"reason", "failed"}, {"exit_code", 1}});
  run.close();
  folder.write("r/logs/rank-000.log", "step 3\nCUDA out of memory. Tried to allocate 2 GiB\n");
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  ASSERT_NE(verdict(diagnosis, "out-of-gpu-memory"), nullptr);
  EXPECT_NE(verdict(diagnosis, "out-of-gpu-memory")->advice.find("gradient_checkpointing"), std::string::npos);
  ASSERT_NE(verdict(diagnosis, "receipt"), nullptr);
  EXPECT_EQ(diagnosis.verdicts.front().level, VerdictLevel::Critical);
}

TEST(Diagnosis, OfOneThatWasKilledItsAgentTellsAndNotTheOthersWhoLostIt) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 3, 1.0);
  run.rank(1, "hello", 0);
  run.rank(0, "bye", 3, {{"reason", "failed"}, {"exit_code", 1}, {"message", "Connection closed by peer [127.0.0.1]"}});
  run.node(0, "hello");
  run.node(0, "bye",
           {{"reason", "failed"},
            {"exit_code", 1},
            {"message", "rank 1 failed first: killed by SIGKILL"},
            {"first_failed", {{"rank", 1}, {"signal", 9}}}});
  run.close();
  folder.write("r/logs/rank-000.log", "step 3\nConnection closed by peer [127.0.0.1]\n");
  const RunStore store = open(folder / "r");
  EXPECT_EQ(store.end()->message, "rank 1 failed first: killed by SIGKILL");
  const Diagnosis diagnosis = diagnose(store);
  EXPECT_EQ(verdict(diagnosis, "peer-lost"), nullptr);
  ASSERT_NE(verdict(diagnosis, "failed"), nullptr);
  EXPECT_EQ(verdict(diagnosis, "failed")->evidence, "rank 1 failed first: killed by SIGKILL");
}

TEST(Diagnosis, TellsWhereARunDivergedAndWhatToTry) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 3, 1.0);
  run.rank(0, "bye", 3, {{"reason", "diverged"}, {"exit_code", 1}, {"message", "step 3: the loss averages 9 now"}});
  run.close();
  folder.write("r/logs/rank-000.log",
               "warning: step 1: loss nan and gradient norm nan are not finite: the step was not applied\n");
  const RunStore store = open(folder / "r");
  EXPECT_EQ(store.state(), RunState::Failed);
  const Diagnosis diagnosis = diagnose(store);
  ASSERT_NE(verdict(diagnosis, "failed"), nullptr);
  EXPECT_EQ(verdict(diagnosis, "failed")->evidence, "step 3: the loss averages 9 now");
  EXPECT_NE(verdict(diagnosis, "failed")->advice.find("learning_rate"), std::string::npos);
}

TEST(Diagnosis, SeesLossesThatAreNoNumbersOrRunAway) {
  TempFolder folder;
  FakeRun run(folder / "r");
  run.hello();
  run.steps(1, 80, 1.0);
  run.rank(0, "step", 81, {{"loss", NAN}});
  for (int i = 82; i < 95; ++i) run.rank(0, "step", i, {{"loss", 30.0}});
  run.close();
  const Diagnosis diagnosis = diagnose(open(folder / "r"));
  ASSERT_NE(verdict(diagnosis, "non-finite"), nullptr);
  EXPECT_NE(verdict(diagnosis, "non-finite")->evidence.find("step 81"), std::string::npos);
  EXPECT_NE(verdict(diagnosis, "diverged"), nullptr);
}

}  // namespace
}  // namespace roadtune::runs

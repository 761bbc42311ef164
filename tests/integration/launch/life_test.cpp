// SPDX-License-Identifier: GPL-3.0-or-later
// The ordinary life of a run, as a user drives it.
#include "core/protocol/manifest.h"
#include "remote/launch/run_control.h"
#include "tests/integration/launch/launched_run.h"

#include <gmock/gmock.h>

#include <csignal>
#include <set>

namespace roadtune::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Life : public LaunchedRun {};

TEST_F(Life, TrainsToTheEndAndShowsTheSummary) {
  rank("steps=20 step_ms=10");
  const auto result = roadtune({"train", config()});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("train_runtime"));
  EXPECT_THAT(result.out, HasSubstr("train_samples_per_second"));
  EXPECT_THAT(result.out, HasSubstr("finished after 20 of 20 steps"));
  EXPECT_THAT(result.out, HasSubstr("run: " + run().string()));
  EXPECT_EQ(last(nodeEvents(), "bye")->body["reason"], "finished");
  EXPECT_TRUE(std::filesystem::exists(layout().config()));
}

TEST_F(Life, TheRunKeepsAFrozenCopyOfItsConfiguration) {
  rank("steps=2");
  setting("# remember the milk");
  ASSERT_EQ(roadtune({"train", config(), "--set", "learning_rate=0.125"}).exitCode, 0);
  const std::string yaml = readAll(layout().config());
  EXPECT_THAT(yaml, HasSubstr("remember the milk"));
  EXPECT_THAT(yaml, HasSubstr("learning_rate: 0.125"));
  const auto manifest = protocol::readManifest(layout().manifest());
  ASSERT_TRUE(manifest.ok());
  EXPECT_EQ(manifest.value().worldSize, 1);
  EXPECT_FALSE(manifest.value().dataHashes.empty()) << "what it learnt from";
  EXPECT_EQ(manifest.value().nodes.at(0).agentPid, last(nodeEvents(), "hello")->body["pid"]);
}

TEST_F(Life, VariablesOfTheRanksAreSeenByNobodyElse) {
  rank("steps=100000");
  setting("environment: {KEY: of-a-hub}");
  auto program = startRoadtune({"train", config(), "--set", "launch.environment={KEY: my-own}", "--detach"});
  ASSERT_EQ(program.wait().code, 0) << printed();
  ASSERT_TRUE(reachesStep(1));
  int told = 0;
  for (const auto& process : processes()) {
    const std::string proc = "/proc/" + std::to_string(process.id.pid);
    EXPECT_THAT(readAll(proc + "/cmdline"), Not(HasSubstr("my-own")));
    told += readAll(proc + "/environ").find("KEY=my-own") != std::string::npos;
  }
  EXPECT_GT(told, 0) << "the rank has it";
  EXPECT_THAT(readAll(layout().manifest()), Not(HasSubstr("my-own")));
  const auto mode = std::filesystem::status(layout().config()).permissions();
  EXPECT_EQ(mode, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(roadtune({"stop", run().string(), "--now"}).exitCode, 0);
}

TEST_F(Life, OfTwoStartsInOneFolderOneRunsAsItWasToldAndTheOtherIsRefused) {
  rank("steps=5 step_ms=50");
  for (int round = 0; round < 5; ++round) {
    const protocol::RunLayout both(folder() / ("both-" + std::to_string(round)));
    const auto words = [&](const std::string& rate) {
      return std::vector<std::string>{
          "train", config(), "--set", "output_dir=" + both.root().string(), "--set", "learning_rate=" + rate};
    };
    auto first = startRoadtune(words("0.125")), second = startRoadtune(words("0.25"));
    const int one = first.wait().code, two = second.wait().code;
    ASSERT_EQ(std::min(one, two), 0) << one << " and " << two << "\n" << printed();
    ASSERT_EQ(std::max(one, two), 2) << one << " and " << two << "\n" << printed();
    const std::string won = one == 0 ? "learning_rate=0.125" : "learning_rate=0.25";
    EXPECT_THAT(readAll(both.config()), HasSubstr(one == 0 ? "learning_rate: 0.125" : "learning_rate: 0.25"));
    const auto manifest = protocol::readManifest(both.manifest());
    ASSERT_TRUE(manifest.ok()) << manifest.error().text();
    EXPECT_THAT(manifest.value().command, ::testing::Contains(HasSubstr(won)));
  }
}

TEST_F(Life, SeveralRanksMeetWithTorchrunsEnvironment) {
  rank("steps=3");
  ASSERT_EQ(roadtune({"train", config(), "--nproc-per-node", "2"}).exitCode, 0);
  EXPECT_THAT(readAll(layout().rankLog(0)), HasSubstr("fake rank 0 of 2, master 127.0.0.1:"));
  EXPECT_THAT(readAll(layout().rankLog(1)), HasSubstr("fake rank 1 of 2, master 127.0.0.1:"));
  EXPECT_EQ(rankEvents(1).back().kind, "bye");
}

TEST_F(Life, CtrlCOnceSavesAndStops) {
  rank("steps=100000");
  auto program = startRoadtune({"train", config(), "--progress", "json"});
  ASSERT_TRUE(reachesStep(3));
  ::kill(program.pid(), SIGINT);
  EXPECT_EQ(program.wait().code, 130);
  EXPECT_THAT(printed(), HasSubstr("saving and stopping"));
  EXPECT_THAT(printed(), HasSubstr("stopped after"));
  EXPECT_TRUE(layout().lastCompleteCheckpoint().has_value());
}

TEST_F(Life, CtrlCTwiceStopsAtOnce) {
  rank("steps=100000 save_ms=60000");  // saving takes far longer than this test
  auto program = startRoadtune({"train", config()});
  ASSERT_TRUE(reachesStep(3));
  ::kill(program.pid(), SIGINT);
  ASSERT_TRUE(eventually([this] { return last(rankEvents(), "phase")->body["name"] == "saving"; }));
  ::kill(program.pid(), SIGINT);
  EXPECT_EQ(program.wait().code, 130);
  EXPECT_FALSE(layout().lastCompleteCheckpoint().has_value());
}

TEST_F(Life, CtrlCTwiceEndsAnAgentThatHangs) {
  rank("steps=100000 deaf");
  auto program = startRoadtune({"train", config()});
  ASSERT_TRUE(reachesStep(3));
  for (const pid_t pid : {guardian(), agent()}) ::kill(pid, SIGSTOP);
  for (const char* said : {"saving and stopping", "stopping at once"}) {
    ::kill(program.pid(), SIGINT);
    ASSERT_TRUE(eventually([&] { return printed().find(said) != std::string::npos; })) << printed();
  }
  EXPECT_EQ(program.wait().code, 130) << printed();
  EXPECT_THAT(printed(), HasSubstr("ending its processes from outside"));
  EXPECT_TRUE(isGone());
}

TEST_F(Life, LocalhostIsThisMachineWhateverTheConfigurationNames) {
  setting("hosts: [192.0.2.1]");
  rank("steps=5");
  EXPECT_EQ(roadtune({"train", config(), "--hosts", "localhost"}).exitCode, 0);
  EXPECT_EQ(rankEvents().back().body["reason"], "finished");
  variable("XDG_DATA_HOME", (folder() / "data").string());
  EXPECT_EQ(roadtune({"queue", "add", config(), "--hosts", "localhost", "--set", "output_dir=other"}).exitCode, 0);
  EXPECT_THAT(roadtune({"queue", "ls", "--json"}).out, Not(HasSubstr("192.0.2.1\"")));
  EXPECT_EQ(roadtune({"queue", "run", "--until-empty"}).exitCode, 0);
}

TEST_F(Life, DetachReturnsAndTheRunGoesOn) {
  rank("steps=100000");
  const auto started = roadtune({"train", config(), "--detach"});
  EXPECT_EQ(started.exitCode, 0) << started.err;
  EXPECT_EQ(started.out, run().string() + "\n");
  ASSERT_TRUE(reachesStep(2));
  const auto saved = roadtune({"save", run().string()});
  EXPECT_EQ(saved.exitCode, 0) << saved.err;
  EXPECT_THAT(saved.out, HasSubstr("checkpoint-"));
  EXPECT_TRUE(remote::isAlive(run()));
  const auto stopped = roadtune({"stop", run().string()});
  EXPECT_EQ(stopped.exitCode, 0) << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("no process left"));
  EXPECT_TRUE(isGone());
  EXPECT_EQ(last(nodeEvents(), "bye")->body["reason"], "stopped");
}

TEST_F(Life, ARunThatKeptOnlyWeightsIsNotResumed) {
  rank("steps=100000");
  setting("save_only_model: true");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  ASSERT_TRUE(reachesStep(2));
  ASSERT_EQ(roadtune({"stop", run().string()}).exitCode, 0);
  const auto ended = rankEvents().size();
  const auto refused = roadtune({"resume", run().string()});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.err, HasSubstr("nothing to continue from"));
  EXPECT_EQ(rankEvents().size(), ended) << "what was finished stays so";
}

TEST_F(Life, StopNowDoesNotSave) {
  rank("steps=100000");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  ASSERT_TRUE(reachesStep(2));
  EXPECT_EQ(roadtune({"stop", run().string(), "--now"}).exitCode, 0);
  EXPECT_FALSE(layout().lastCompleteCheckpoint().has_value());
}

TEST_F(Life, StoppingTwiceIsNoError) {
  rank("steps=2");
  ASSERT_EQ(roadtune({"train", config()}).exitCode, 0);
  const auto result = roadtune({"stop", run().string()});
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_THAT(result.err, HasSubstr("not going on"));
  EXPECT_EQ(roadtune({"save", run().string()}).exitCode, 1);
}

TEST_F(Life, AttachShowsTheRunFromItsFirstStepAndCtrlCLeavesItAlone) {
  rank("steps=100000");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  ASSERT_TRUE(reachesStep(5));
  auto attached = startRoadtune({"attach", run().string(), "--progress", "json"});
  ASSERT_TRUE(eventually([this] { return printed().find("\"done\":") != std::string::npos; }));
  ::kill(attached.pid(), SIGINT);
  EXPECT_EQ(attached.wait().code, 0);
  EXPECT_THAT(printed(), HasSubstr("the run goes on"));
  EXPECT_TRUE(remote::isAlive(run()));
  EXPECT_EQ(roadtune({"stop", run().string()}).exitCode, 0);
}

TEST_F(Life, ResumeContinuesStepsAndSequenceInTheSameFolder) {
  rank("steps=60 step_ms=10");
  auto program = startRoadtune({"train", config()});
  ASSERT_TRUE(reachesStep(5));
  ::kill(program.pid(), SIGINT);
  ASSERT_EQ(program.wait().code, 130);
  const std::int64_t savedAt = layout().lastCompleteCheckpoint()->step;
  const auto resumed = roadtune({"resume", run().string()});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("continued from"));
  std::set<std::int64_t> steps;
  std::uint64_t sequence = 0;
  for (const auto& event : rankEvents()) {
    EXPECT_EQ(event.seq, sequence++);
    if (event.kind == "step") {
      EXPECT_TRUE(steps.insert(event.step).second) << "step " << event.step << " was made twice";
    }
  }
  EXPECT_EQ(*steps.begin(), 1);
  EXPECT_EQ(*steps.rbegin(), 60);
  EXPECT_EQ(steps.size(), 60U);
  EXPECT_GT(savedAt, 4);
  EXPECT_EQ(protocol::readManifest(layout().manifest()).value().attempt, 2);
}

TEST_F(Life, ADamagedCheckpointIsKeptAsideAndTheOneBeforeIsTaken) {
  rank("steps=60 step_ms=10 save_every=5");
  auto program = startRoadtune({"train", config()});
  ASSERT_TRUE(reachesStep(12));
  ::kill(program.pid(), SIGINT);
  ASSERT_EQ(program.wait().code, 130);
  const std::int64_t newest = layout().lastCompleteCheckpoint()->step;
  folder().write("out/checkpoint-" + std::to_string(newest) + "/COMPLETE", "{\"files\": {\"model.safetensors\": {");
  const auto resumed = roadtune({"resume", run().string()});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
  const std::string name = "checkpoint-" + std::to_string(newest);
  EXPECT_THAT(resumed.err, HasSubstr(name + " is damaged (COMPLETE cannot be read)"));
  EXPECT_THAT(resumed.err, HasSubstr("kept as " + name + ".damaged"));
  EXPECT_TRUE(fs::exists(run() / (name + ".damaged") / "COMPLETE"));
  EXPECT_EQ(layout().lastCompleteCheckpoint()->step, 60);
}

TEST_F(Life, WhatGoesOnIsNeitherResumedNorOverwritten) {
  rank("steps=100000");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  const auto resumed = roadtune({"resume", run().string()});
  EXPECT_EQ(resumed.exitCode, 2);
  EXPECT_THAT(resumed.err, HasSubstr("going on"));
  const auto again = roadtune({"train", config(), "--set", "overwrite_output_dir=true"});
  EXPECT_EQ(again.exitCode, 2);
  EXPECT_THAT(again.err, HasSubstr("going on"));
  EXPECT_EQ(roadtune({"stop", run().string(), "--now"}).exitCode, 0);
}

TEST_F(Life, AFolderThatHoldsARunIsKept) {
  rank("steps=2");
  ASSERT_EQ(roadtune({"train", config()}).exitCode, 0);
  const std::string before = readAll(layout().rankEvents(0));
  const auto again = roadtune({"train", config()});
  EXPECT_EQ(again.exitCode, 2);
  EXPECT_THAT(again.err, HasSubstr("already holds a run"));
  EXPECT_EQ(readAll(layout().rankEvents(0)), before);
  folder().write("out/mine.txt", "keep");
  EXPECT_EQ(roadtune({"train", config(), "--set", "overwrite_output_dir=true"}).exitCode, 0);
  EXPECT_EQ(readAll(run() / "mine.txt"), "keep");
  EXPECT_THAT(rankEvents().front().kind, "hello");
}

TEST_F(Life, AStartThatFailedBeforeItsFirstStepDoesNotKeepItsFolder) {
  const std::string why = "the model folder is missing";
  rank("early=2");
  ASSERT_EQ(roadtune({"train", config()}).exitCode, 2);
  folder().write("out/mine.txt", "keep");
  rank("steps=2");
  const auto again = roadtune({"train", config()});
  EXPECT_EQ(again.exitCode, 0) << again.err;
  EXPECT_THAT(readAll(run() / "logs.1/rank-000.log"), HasSubstr(why)) << "why it failed stays readable";
  EXPECT_THAT(readAll(layout().rankLog(0)), Not(HasSubstr(why)));
  EXPECT_EQ(readAll(run() / "mine.txt"), "keep");
  EXPECT_EQ(roadtune({"train", config()}).exitCode, 2) << "now it holds a run";
  EXPECT_EQ(roadtune({"train", config(), "--set", "overwrite_output_dir=true"}).exitCode, 0);
  EXPECT_FALSE(fs::exists(run() / "logs.1"));
}

TEST_F(Life, AStartWhoseMachineDiedWhileItLoadedDoesNotKeepItsFolder) {
  rank("start_ms=100000");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  const auto all = processes();
  for (const int signal : {SIGSTOP, SIGKILL})  // nobody sees the other die
    for (const auto& process : all) ::kill(process.id.pid, signal);
  ASSERT_TRUE(eventually([this] { return isGone(); }));
  ASSERT_FALSE(last(nodeEvents(), "bye").has_value());
  rank("steps=2");
  const auto again = roadtune({"train", config()});
  EXPECT_EQ(again.exitCode, 0) << again.err;
  EXPECT_THAT(readAll(run() / "logs.1/rank-000.log"), HasSubstr("fake rank"));
}

TEST_F(Life, AnAgentThatCannotStartItsRanksDoesNotKeepTheFolder) {
  variable("ROADTUNE_TRAINER", "/nowhere/trainer");
  ASSERT_EQ(roadtune({"train", config()}).exitCode, 3);
  const auto shown = roadtune({"runs", "show", run().string()});
  EXPECT_THAT(shown.out, HasSubstr("failed"));
  EXPECT_THAT(shown.out, HasSubstr("/nowhere/trainer"));
  variable("ROADTUNE_TRAINER", std::string(ROADTUNE_BIN_DIR) + "/../fakes/fake-rank");
  rank("steps=2");
  const auto again = roadtune({"train", config()});
  EXPECT_EQ(again.exitCode, 0) << again.err;
}

TEST_F(Life, AFolderWithAStepOfARunIsKeptWithoutACheckpoint) {
  rank("steps=100 exit=2:1");
  ASSERT_EQ(roadtune({"train", config()}).exitCode, 1);
  ASSERT_FALSE(layout().lastCompleteCheckpoint().has_value());
  const auto again = roadtune({"train", config()});
  EXPECT_EQ(again.exitCode, 2);
  EXPECT_THAT(again.err, HasSubstr("already holds a run"));
}

TEST_F(Life, AFolderWithoutARunIsSaidToBeNone) {
  for (const char* word : {"attach", "stop", "save", "resume"}) {
    const auto result = roadtune({word, folder().path().string()});
    EXPECT_EQ(result.exitCode, 2) << word;
    EXPECT_THAT(result.err, HasSubstr("holds no run")) << word;
  }
}

TEST_F(Life, TelemetryTellsOfTheMachineAndItsCards) {
  variable("ROADTUNE_NVML", std::string(ROADTUNE_BIN_DIR) + "/../fakes/libfake-nvml.so");
  variable("ROADTUNE_AGENT_OPTIONS", "--sample-interval 0.1");
  rank("steps=30 step_ms=20");
  ASSERT_EQ(roadtune({"train", config()}).exitCode, 0);
  const auto hello = last(nodeEvents(), "hello");
  EXPECT_EQ(hello->body["gpus"][0]["name"], "Imaginary GPU 80GB");
  EXPECT_EQ(hello->body["driver"], "580.65.06");
  const auto node = last(nodeEvents(), "node");
  ASSERT_TRUE(node.has_value());
  EXPECT_GT(node->body["mem_total"].get<double>(), 1e8);
  EXPECT_GT(node->body["disk_free"].get<double>(), 0);
  EXPECT_EQ(node->body["gpus"][0]["util"], 87.0);
  EXPECT_EQ(node->body["gpus"][0]["throttle"][0], "power cap");
  EXPECT_FALSE(node->body["gpus"][1].contains("util"));
}

TEST_F(Life, WhereThereAreCardsStoppingProvesThatTheirMemoryIsBack) {
  variable("ROADTUNE_NVML", std::string(ROADTUNE_BIN_DIR) + "/../fakes/libfake-nvml.so");
  rank("steps=100000");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  const auto stopped = roadtune({"stop", run().string(), "--now"});
  ASSERT_EQ(stopped.exitCode, 0) << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("no process left, GPU memory back"));
  EXPECT_EQ(last(nodeEvents(), "bye")->body["gpu_left"], 0);
}

TEST_F(Life, TheAgentIsSmall) {
  rank("steps=100000");
  ASSERT_EQ(roadtune({"train", config(), "--detach"}).exitCode, 0);
  const auto ticks = [this] {
    unsigned long user = 0, system = 0;
    const std::string stat = readAll("/proc/" + std::to_string(agent()) + "/stat");
    std::sscanf(stat.c_str() + stat.rfind(')') + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                &system);
    return user + system;
  };
  const auto before = ticks();
  ::usleep(3'000'000);
  EXPECT_LE(ticks() - before, 3U) << "hundredths of a second of processor time in 3 s: more than one percent";
  std::size_t resident = 0;
  for (const pid_t pid : {agent(), guardian()}) {
    unsigned long pages = 0;
    std::sscanf(readAll("/proc/" + std::to_string(pid) + "/statm").c_str(), "%*u %lu", &pages);
    resident += pages * 4096;
  }
  EXPECT_LT(resident, 20'000'000U);
  EXPECT_EQ(roadtune({"stop", run().string(), "--now"}).exitCode, 0);
}

}  // namespace
}  // namespace roadtune::testing

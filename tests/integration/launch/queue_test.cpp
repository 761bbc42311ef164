// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that wait for their turn, as a user lines them up and goes home.
#include "remote/agent/agent_lock.h"
#include "remote/agent/process_table.h"
#include "tests/integration/launch/launched_run.h"

#include <gmock/gmock.h>

#include <csignal>
#include <future>

namespace roadtune::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class Queue : public LaunchedRun {
 protected:
  void SetUp() override {
    LaunchedRun::SetUp();
    variable("XDG_DATA_HOME", (folder() / "data").string());
  }

  // A run of its own folder whose rank does what the words say.
  std::string job(const std::string& name, const std::string& words) {
    folder().write(name + ".yaml",
                   "model_name_or_path: model\ntrain_data: train.jsonl\nmax_steps: 40\ndevice: cpu\noutput_dir: " +
                       name + "\nenvironment: {FAKE_RANK: \"" + words + "\"}\n");
    return (folder() / (name + ".yaml")).string();
  }
  int add(std::vector<std::string> words) {
    words.insert(words.begin(), {"queue", "add"});
    const auto result = roadtune(words);
    EXPECT_EQ(result.exitCode, 0) << result.err;
    return std::atoi(result.out.c_str());
  }
  json listed() { return json::parse(roadtune({"queue", "ls", "--json"}).out, nullptr, false); }
  json one(int id) {
    const json all = listed();
    for (const auto& entry : all["jobs"])
      if (entry["id"] == id) return entry;
    return json::object();
  }
  std::string stateOf(int id) { return one(id).value("state", "gone"); }
  std::vector<std::string> runsInOrder() {
    std::vector<std::string> names;
    const json all = listed();
    for (const auto& entry : all["jobs"])
      names.push_back(std::filesystem::path(entry["run"].get<std::string>()).lexically_relative(folder().path()));
    return names;
  }
  ProgramResult work() { return roadtune({"queue", "run", "--until-empty"}, 120); }
};

TEST_F(Queue, RunsStartOneAfterTheOtherInTheirOrder) {
  EXPECT_THAT(roadtune({"queue", "ls"}).out, HasSubstr("the queue is empty"));
  const int first = add({job("a", "steps=10 step_ms=20")}), second = add({job("b", "steps=10 step_ms=20")}),
            third = add({job("c", "steps=10 step_ms=20")});
  EXPECT_EQ((std::vector{first, second, third}), (std::vector{1, 2, 3}));
  folder().write("b.yaml", "this is no configuration any more: [");  // a copy was kept
  ASSERT_EQ(roadtune({"queue", "move", "3", "1"}).exitCode, 0);
  EXPECT_THAT(roadtune({"queue", "ls"}).err, HasSubstr("nothing works on the queue yet"));
  const auto worked = work();
  EXPECT_EQ(worked.exitCode, 0) << worked.err;
  for (const int id : {1, 2, 3}) EXPECT_EQ(stateOf(id), "finished");
  EXPECT_EQ(roadtune({"queue", "ls"}).err, "") << "there is nothing left to work on";
  EXPECT_LT(one(3)["ended"], one(1)["started"]);
  EXPECT_LT(one(1)["ended"], one(2)["started"]);
  EXPECT_EQ(one(2)["run"], (folder() / "b").string());
}

TEST_F(Queue, VariantsAreARunForEveryCombination) {
  const auto file = job("a", "steps=2 step_ms=1");
  const auto added = roadtune(
      {"queue", "add", file, "--set", "run_name=night", "--vary", "learning_rate=1e-5,2e-5", "--vary", "seed=3, 4"});
  EXPECT_EQ(added.exitCode, 0) << added.err;
  EXPECT_EQ(added.out, "1\n2\n3\n4\n");
  EXPECT_EQ(runsInOrder(), (std::vector<std::string>{"a_learning_rate=1e-5_seed=3", "a_learning_rate=1e-5_seed=4",
                                                     "a_learning_rate=2e-5_seed=3", "a_learning_rate=2e-5_seed=4"}));
  EXPECT_EQ(work().exitCode, 0);
  const std::string run = readAll(folder() / "a_learning_rate=2e-5_seed=3/run.yaml");
  EXPECT_THAT(run, HasSubstr("learning_rate: 2.0e-05"));
  EXPECT_THAT(run, HasSubstr("seed: 3"));
  EXPECT_THAT(run, HasSubstr("run_name: night_learning_rate=2e-5_seed=3"));
}

TEST_F(Queue, OfVariantsAllAreAddedOrNone) {
  const auto file = job("a", "steps=2");
  add({file, "--set", "output_dir=" + (folder() / "a_seed=2").string()});
  const auto taken = roadtune({"queue", "add", file, "--vary", "seed=1,2,3"});
  EXPECT_EQ(taken.exitCode, 2);
  EXPECT_THAT(taken.err, HasSubstr("writes into this folder"));
  const auto wrong = roadtune({"queue", "add", file, "--vary", "seed=1,two"});
  EXPECT_EQ(wrong.exitCode, 2);
  EXPECT_THAT(wrong.err, HasSubstr("seed"));
  const auto many = roadtune({"queue", "add", file, "--vary", "seed=1,2,,3"});
  EXPECT_EQ(many.exitCode, 2);
  EXPECT_THAT(many.err, HasSubstr("a value is missing between two commas"));
  EXPECT_EQ(runsInOrder(), std::vector<std::string>{"a_seed=2"});
}

TEST_F(Queue, PathsOfOverridesCountFromWhereTheJobWasAdded) {
  const auto file = job("a", "steps=2");
  folder().write("here/other.jsonl", "");
  const std::map<std::string, std::string> environment = {{"XDG_DATA_HOME", (folder() / "data").string()},
                                                          {"XDG_RUNTIME_DIR", folder().path().string()},
                                                          {"ROADTUNE_TRAINER", ROADTUNE_BIN_DIR "/../fakes/fake-rank"}};
  const auto added =
      runProgram({"roadtune", "queue", "add", file, "--set", "output_dir=mine", "--set", "train_data=other.jsonl"},
                 {.environment = environment, .folder = (folder() / "here").string()});
  ASSERT_EQ(added.exitCode, 0) << added.err;
  EXPECT_EQ(work().exitCode, 0) << one(1).dump();
  EXPECT_THAT(readAll(folder() / "here/mine/run.yaml"), HasSubstr((folder() / "here/other.jsonl").string()));
}

TEST_F(Queue, WhatComesAfterAFailureDoesNotStart) {
  add({job("a", "steps=10 step_ms=10 exit=5:2")});
  add({job("b", "steps=5"), "--after", "1", "--retries", "3"});
  add({job("c", "steps=5")});
  EXPECT_EQ(work().exitCode, 1) << "a job failed";
  EXPECT_EQ(stateOf(1), "failed");
  EXPECT_EQ(stateOf(2), "waiting");
  EXPECT_THAT(one(2)["message"].get<std::string>(), HasSubstr("comes after job 1, which has failed"));
  EXPECT_EQ(stateOf(3), "finished");
  const auto removed = roadtune({"queue", "rm", "1"});
  ASSERT_EQ(removed.exitCode, 0);
  EXPECT_THAT(removed.err, HasSubstr("job 2 came after it, and waits for it no longer"));
  EXPECT_EQ(work().exitCode, 0);
  EXPECT_EQ(stateOf(2), "finished");
  EXPECT_EQ(stateOf(1), "gone");
}

TEST_F(Queue, FailuresThatMayPassAreTriedAgainFromTheCheckpoint) {
  add({job("a", "steps=60 step_ms=20 save_every=10 once=25"), "--retries", "1"});
  EXPECT_EQ(work().exitCode, 0);
  EXPECT_EQ(stateOf(1), "finished") << one(1).dump();
  EXPECT_EQ(one(1)["failures"], 1);
  const auto log = readAll(folder() / "a/logs/rank-000.log");
  EXPECT_GE(one(1)["started"].get<double>() - one(1)["added"].get<double>(), 10) << "there is a pause before";
  EXPECT_THAT(readAll(folder() / "a/run.yaml"), HasSubstr("checkpoint-20")) << log;
}

TEST_F(Queue, ARunThatLostItsAgentIsTriedAgainFromTheCheckpoint) {
  add({job("a", "steps=60 step_ms=50 save_every=10"), "--retries", "1"});
  auto worked = std::async(std::launch::async, [this] { return work(); });
  const auto run = folder() / "a";
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(run / "checkpoint-10"); }));
  const auto agent = remote::AgentLock::holder(run, 0);
  ASSERT_TRUE(agent);
  for (const pid_t pid : {remote::lookUpProcess(agent->pid)->parent, agent->pid}) ::kill(pid, SIGKILL);
  EXPECT_EQ(worked.get().exitCode, 0);
  EXPECT_EQ(stateOf(1), "finished") << one(1).dump();
  EXPECT_EQ(one(1)["failures"], 1);
  EXPECT_THAT(readAll(run / "run.yaml"), HasSubstr("resume_from_checkpoint: "));
}

TEST_F(Queue, AWorkerThatIsKilledLosesNothing) {
  add({job("a", "steps=100000")});
  add({job("b", "steps=5")});
  const auto started = roadtune({"queue", "run", "--detach"});
  ASSERT_EQ(started.exitCode, 0) << started.err;
  const pid_t worker = std::atoi(started.out.c_str());
  EXPECT_EQ(listed()["worker"], worker);
  EXPECT_NE(roadtune({"queue", "run"}).exitCode, 0) << "two of them would start everything twice";
  ASSERT_TRUE(eventually([this] { return stateOf(1) == "running" && one(1)["message"] == ""; }));
  ::kill(worker, SIGKILL);
  ASSERT_TRUE(eventually([this] { return listed()["worker"].is_null(); }));
  EXPECT_EQ(roadtune({"queue", "rm", "1"}).exitCode, 2) << "it is running";
  const auto second = std::atoi(roadtune({"queue", "run", "--detach"}).out.c_str());
  EXPECT_EQ(stateOf(2), "waiting");
  ASSERT_EQ(roadtune({"stop", (folder() / "a").string()}).exitCode, 0);
  EXPECT_TRUE(eventually([this] { return stateOf(1) == "stopped" && stateOf(2) == "finished"; })) << listed().dump(1);
  ::kill(second, SIGTERM);
  EXPECT_TRUE(eventually([this] { return listed()["worker"].is_null(); }));
}

TEST_F(Queue, MistakesAreToldWhenAJobIsAdded) {
  EXPECT_EQ(roadtune({"queue", "add", "nothing.yaml"}).exitCode, 2);
  job("a", "steps=5");
  EXPECT_EQ(roadtune({"queue", "add", "a.yaml", "--set", "lerning_rate=1"}).exitCode, 2);
  const auto early = roadtune({"queue", "add", "a.yaml", "--after", "7"});
  EXPECT_EQ(early.exitCode, 2);
  EXPECT_THAT(early.err, HasSubstr("there is no job 7"));
  add({"a.yaml"});
  const auto twice = roadtune({"queue", "add", "a.yaml"});
  EXPECT_EQ(twice.exitCode, 2);
  EXPECT_THAT(twice.err, HasSubstr("job 1 writes into this folder"));
  EXPECT_EQ(roadtune({"queue", "move", "9", "1"}).exitCode, 2);
  EXPECT_EQ(roadtune({"queue", "retry", "1"}).exitCode, 2) << "it waits already";
  folder().write("data/roadtune/queue/queue.json", "{");
  EXPECT_EQ(roadtune({"queue", "ls"}).exitCode, 2);
}

}  // namespace
}  // namespace roadtune::testing

// SPDX-License-Identifier: GPL-3.0-or-later
// The real agent with ranks that write real events, and many who talk to it and read after it at the same time.
#include "core/base/clock.h"
#include "core/protocol/control.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/run_layout.h"
#include "core/runs/run_store.h"
#include "remote/agent/process_table.h"
#include "remote/launch/agent_starter.h"
#include "remote/launch/agent_watch.h"
#include "remote/launch/run_control.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using protocol::ControlWord;
using ::testing::HasSubstr;
using ::testing::Not;

class RealAgent : public ::testing::Test {
 protected:
  void SetUp() override {
    m_folder.write("out/run.yaml", "max_steps: 40\n");
    ::setenv("ROADTUNE_TRAINER", ROADTUNE_BIN_DIR "/../fakes/fake-rank", 1);
    ::setenv("XDG_RUNTIME_DIR", m_folder.path().c_str(), 1);
    ::setenv("ROADTUNE_NVML", ROADTUNE_BIN_DIR "/../fakes/libfake-nvml.so", 1);
    ::setenv("ROADTUNE_AGENT_OPTIONS", "--sample-interval 0.02 --kill-grace 2 --orphan-grace 5", 1);
  }
  // What a sanitizer finds in a process of the run, it prints.
  void TearDown() override {
    for (const auto& entry : std::filesystem::directory_iterator(layout().logs()))
      EXPECT_THAT(testing::readAll(entry.path()), Not(HasSubstr("Sanitizer"))) << entry.path();
  }

  std::filesystem::path run() const { return m_folder / "out"; }
  protocol::RunLayout layout() const { return protocol::RunLayout(run()); }

  StartedAgent start(const std::string& words, int ranks, const Supervision& supervision = {}) const {
    ::setenv("FAKE_RANK", words.c_str(), 1);
    const auto started = startAgentHere(run(), {.processes = ranks, .worldSize = ranks}, {}, supervision);
    EXPECT_TRUE(started.ok()) << (started.ok() ? "" : started.error().text());
    return started.ok() ? started.value() : StartedAgent{};
  }
  std::optional<RunOutcome> outcome(double seconds) const {
    AgentWatch watch(run());
    const double deadline = monotonicSeconds() + seconds;
    while (monotonicSeconds() < deadline) {
      if (auto told = watch.poll()) return told;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return std::nullopt;
  }
  bool reachesStep(std::int64_t step) const {
    protocol::EventReader reader(layout().rankEvents(0));
    std::int64_t seen = 0;
    const double deadline = monotonicSeconds() + 40;
    while (seen < step && monotonicSeconds() < deadline) {
      EXPECT_TRUE(reader.pollFlat([&seen](const protocol::FlatEvent& event) { seen = event.step; }).ok());
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return seen >= step;
  }
  void expectGone() const {
    for (const auto& proof : proveGone(run())) EXPECT_TRUE(proof.gone) << proof.left.front();
  }

  testing::TempFolder m_folder;
};

TEST_F(RealAgent, ManyMayTalkAndReadAtOnce) {
  start("steps=1000000 step_ms=2 save_ms=1", 3);
  std::atomic<bool> done{false};
  std::atomic<int> answered{0}, refreshed{0};
  {
    std::vector<std::jthread> hands;
    for (const auto word : {ControlWord::Save, ControlWord::Pause, ControlWord::Resume, ControlWord::Set})
      hands.emplace_back([&, word] {
        while (!done) {
          protocol::ControlCommand command{.word = word};
          if (word == ControlWord::Set) command.edit.learningRate = 1e-4;
          if (sendControl(run(), command).ok()) ++answered;
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
      });
    for (int reader = 0; reader < 2; ++reader)
      hands.emplace_back([&] {
        auto store = runs::RunStore::open(run());
        AgentWatch watch(run());
        while (!done && store.ok()) {
          EXPECT_TRUE(store.value().refresh().ok());
          EXPECT_FALSE(watch.poll().has_value());
          ++refreshed;
        }
      });
    const double began = monotonicSeconds();
    while (monotonicSeconds() < began + 1 || ((answered < 40 || refreshed < 6) && monotonicSeconds() < began + 30))
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    done = true;
  }
  EXPECT_GE(answered, 40);
  EXPECT_GE(refreshed, 6);
  ASSERT_TRUE(sendControl(run(), {.word = ControlWord::Resume}).ok());
  ASSERT_TRUE(sendControl(run(), {.word = ControlWord::Stop}).ok());
  const auto told = outcome(30);
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->reason, "stopped") << told->message;
  expectGone();
  // The agent looked at its machine all the while, and at cards that answer in odd ways.
  const auto events = protocol::EventReader(layout().nodeEvents(0)).poll().valueOr({});
  EXPECT_GT(std::count_if(events.begin(), events.end(), [](const auto& event) { return event.kind == "node"; }), 5);
}

TEST_F(RealAgent, AnAgentThatIsKilledLeavesNothing) {
  const auto agent = start("steps=1000000 step_ms=2", 2);
  ASSERT_TRUE(reachesStep(3));
  ::kill(agent.agent.pid, SIGKILL);
  const auto told = outcome(30);
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->reason, "failed");
  EXPECT_THAT(told->message, HasSubstr("ended from outside"));
  EXPECT_TRUE(layout().lastCompleteCheckpoint().has_value());
  expectGone();
}

TEST_F(RealAgent, ARankThatDiesIsStartedAgain) {
  start("steps=40 step_ms=5 save_every=5 only=1 once=12", 2, {.maxRestarts = 1});
  const auto told = outcome(40);
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->reason, "finished") << told->message;
  expectGone();
}

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
// What the agent takes from the machine it looks at: memory, and the processor's time over five seconds of its own
// pace.
TEST_F(RealAgent, TakesLittleFromItsMachine) {
  ::unsetenv("ROADTUNE_AGENT_OPTIONS");
  const auto agent = start("steps=1000000 step_ms=20", 2);
  ASSERT_TRUE(reachesStep(2));
  const std::string folder = "/proc/" + std::to_string(agent.agent.pid);
  const auto spent = [&] {
    const std::string stat = testing::readAll(folder + "/stat");
    long user = 0, system = 0;
    EXPECT_EQ(std::sscanf(stat.c_str() + stat.rfind(')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld",
                          &user, &system),
              2);
    return static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  };
  const double before = spent(), began = monotonicSeconds();
  std::this_thread::sleep_for(std::chrono::seconds(5));
  EXPECT_LE((spent() - before) / (monotonicSeconds() - began), 0.01) << "more than one per cent of a core";
  const std::string status = testing::readAll(folder + "/status");
  EXPECT_LE(std::atol(status.c_str() + status.find("VmRSS:") + 6), 20'000) << "kilobytes";
  ASSERT_TRUE(sendControl(run(), {.word = ControlWord::Stop}).ok());
  ASSERT_TRUE(outcome(30).has_value());
}
#endif

TEST_F(RealAgent, StopNowEndsDeafRanksWhileOthersAsk) {
  start("steps=1000000 step_ms=2 deaf", 3);
  ASSERT_TRUE(reachesStep(2));
  std::vector<std::jthread> hands;
  for (int i = 0; i < 4; ++i)
    hands.emplace_back(
        [this] { [[maybe_unused]] const auto told = sendControl(run(), {.word = ControlWord::StopNow}); });
  const auto told = outcome(30);
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->reason, "stopped");
  expectGone();
}

TEST_F(RealAgent, AnAgentThatHangsAndIsKilledAfterTheWordToStopNowHasStopped) {
  const auto agent = start("steps=1000000 step_ms=2", 2, {.maxRestarts = 3});
  ASSERT_TRUE(reachesStep(3));
  ::kill(agent.agent.pid, SIGSTOP);
  m_folder.write("out/control", protocol::encodeControl({.word = ControlWord::StopNow}) + "\n");
  ::kill(agent.agent.pid, SIGKILL);
  const auto told = outcome(30);
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->reason, "stopped") << told->message;
  EXPECT_FALSE(told->mayPass) << "a queue must not start it again";
  expectGone();
}

// On another machine a word waits in a file until the agent looks; ranks elsewhere have obeyed it by then.
TEST_F(RealAgent, AWordThatLiesUnreadExplainsTheEndOfARank) {
  ::setenv("ROADTUNE_AGENT_OPTIONS", "--sample-interval 500 --kill-grace 2 --orphan-grace 5", 1);
  start("steps=1000000 step_ms=2", 2);
  ASSERT_TRUE(reachesStep(3));
  auto store = runs::RunStore::open(run());
  ASSERT_TRUE(store.ok() && store.value().refresh().ok());
  const auto processes = store.value().processes();
  ASSERT_EQ(processes.size(), 2u);
  m_folder.write("out/control", protocol::encodeControl({.word = ControlWord::StopNow}) + "\n");
  ::kill(processes[1].pid, SIGKILL);
  const auto told = outcome(30);
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->reason, "stopped") << told->message;
  EXPECT_EQ(told->message, "stopped without saving");
  expectGone();
}

}  // namespace
}  // namespace roadtune::remote

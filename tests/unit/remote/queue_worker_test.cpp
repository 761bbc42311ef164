// SPDX-License-Identifier: GPL-3.0-or-later
// Whose run lies in the folder of a job, and what becomes of a job whose start was cut.
#include "remote/queue/queue_worker.h"

#include "core/base/clock.h"
#include "core/base/host_name.h"
#include "core/protocol/event_writer.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using policy::JobState;
using ::testing::HasSubstr;

class QueueWorkerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("ROADTUNE_SSH_CONFIG", m_folder.write("ssh_config", "").c_str(), 1);
    m_folder.write("model/config.json", "{}");
    m_folder.write("train.jsonl", "{}\n");
    const auto id = queue.add({.config = (m_folder / "run.yaml").string(),
                               .text = "model_name_or_path: model\ntrain_data: train.jsonl\nmax_steps: 3\n"
                                       "device: cpu\noutput_dir: out\n",
                               .from = m_folder.path().string(),
                               .folder = run().string()});
    ASSERT_TRUE(id.ok()) << id.error().text();
  }
  void TearDown() override { ::unsetenv("ROADTUNE_SSH_CONFIG"); }

  std::filesystem::path run() const { return m_folder / "out"; }
  // A run that has trained, and has said that it ended so.
  void lies(const std::string& id, const std::string& address = {}, double created = wallSeconds()) const {
    const protocol::RunLayout layout(run());
    m_folder.write("out/run.yaml", "max_steps: 3\n");
    protocol::EventWriter::open(layout.rankEvents(0), 0).value()->write("step", 1, {{"loss", 1.0}});
    const auto agent = protocol::EventWriter::open(layout.nodeEvents(0), 0);
    agent.value()->write("hello", 0, {{"host", hostName()}});
    agent.value()->write("bye", 0, {{"reason", "finished"}, {"exit_code", 0}});
    protocol::Manifest manifest{.runId = id, .created = created};
    manifest.nodes = {{.node = 0,
                       .host = hostName(),
                       .address = address,
                       .folder = address.empty() ? "" : "/there",
                       .agentPid = agentPid}};
    EXPECT_TRUE(protocol::writeManifest(layout.manifest(), manifest).ok());
  }
  std::string idThere() const {
    const auto manifest = protocol::readManifest(protocol::RunLayout(run()).manifest());
    return manifest.ok() ? manifest.value().runId : "none";
  }
  void change(const std::function<void(QueueJob&)>& edit) const { EXPECT_TRUE(queue.update(1, edit).ok()); }
  QueueJob job() const { return queue.jobs().value().at(0); }
  // What the preparation of a start answers ends the start.
  void look(const Status& prepared) {
    QueueWorker::Hooks hooks;
    hooks.prepare = [&](const config::RunConfig&, const std::filesystem::path&, bool) {
      ++preparations;
      return prepared;
    };
    auto worker = QueueWorker::take(queue, std::move(hooks));
    ASSERT_TRUE(worker.ok());
    const auto open = worker.value().look();
    EXPECT_TRUE(open.ok()) << open.error().text();
  }

  testing::TempFolder m_folder;
  JobQueue queue{m_folder / "queue"};
  std::int64_t agentPid = 1;
  int preparations = 0;
};

TEST_F(QueueWorkerTest, AStartThatTheUserCutsIsNoFailure) {
  look(cancelled());
  EXPECT_EQ(preparations, 1) << job().message;
  EXPECT_EQ(job().order.state, JobState::Waiting) << job().message;
  EXPECT_EQ(job().failures, 0);
  EXPECT_EQ(job().started, 0);
  EXPECT_EQ(job().starting, 0);
  look(failed("the disk is full"));
  EXPECT_EQ(job().order.state, JobState::Failed);
  EXPECT_THAT(job().message, HasSubstr("the disk is full"));
}

TEST_F(QueueWorkerTest, ARunOfSomebodyElseIsNeitherOverwrittenNorContinued) {
  lies("by-hand");
  for (int turn = 0; turn < 2; ++turn) {
    look(failed("would have overwritten it"));
    EXPECT_EQ(job().order.state, JobState::Failed);
    EXPECT_THAT(job().message, HasSubstr("already holds a run"));
    EXPECT_EQ(preparations, 0);
    EXPECT_GT(job().started, 0) << "which says nothing of whose run it is";
    EXPECT_EQ(idThere(), "by-hand");
    ASSERT_TRUE(queue.again(1).ok());
  }
}

TEST_F(QueueWorkerTest, WhatAJobLeftItselfMakesRoom) {
  lies("own");
  change([](QueueJob& now) {
    now.started = 1;
    now.runs = {"older", "own"};
  });
  look(failed("prepared"));
  EXPECT_EQ(preparations, 1) << job().message;
  ASSERT_EQ(job().runs.size(), 2u);
  EXPECT_EQ(job().runs[0], "own") << "it is still there";
  EXPECT_EQ(idThere(), "own") << "until the new one is made";
}

TEST_F(QueueWorkerTest, AJobOfAnEarlierVersionKnowsItsRunByItsTime) {
  lies("own", {}, 100);
  change([](QueueJob& now) { now.started = 101; });
  look(failed("prepared"));
  EXPECT_THAT(job().message, HasSubstr("already holds a run"));
  ASSERT_TRUE(queue.again(1).ok());
  change([](QueueJob& now) {
    now.started = 99;
    now.runs.clear();
  });
  look(failed("prepared"));
  EXPECT_EQ(preparations, 1) << job().message;
}

TEST_F(QueueWorkerTest, AMachineThatCannotBeAskedMayHaveACheckpoint) {
  lies("own", "nobody@127.0.0.1:1");
  change([](QueueJob& now) {
    now.started = 1;
    now.runs = {"own"};
  });
  look(failed("would have overwritten it"));
  EXPECT_EQ(preparations, 0);
  EXPECT_EQ(job().order.state, JobState::Waiting) << "it may be on again in a while";
  EXPECT_EQ(job().failures, 0);
  EXPECT_GT(job().order.notBefore, 0);
  EXPECT_THAT(job().message, HasSubstr("127.0.0.1"));
  EXPECT_EQ(idThere(), "own");
}

TEST_F(QueueWorkerTest, TheEndOfAFormerRunIsNotThatOfAStartThatWasCut) {
  lies("former");
  change([](QueueJob& now) {
    now.order.state = JobState::Running;
    now.started = wallSeconds();
    now.runs = {"former", "next"};
    now.starting = 1;
  });
  look(cancelled());
  EXPECT_EQ(job().order.state, JobState::Waiting) << job().message;
  EXPECT_EQ(preparations, 1) << "its turn comes again";
}

TEST_F(QueueWorkerTest, AStartThatNobodySawIsFollowedWhenThereIsARun) {
  lies("next");
  const auto running = [](QueueJob& now) {
    now.order.state = JobState::Running;
    now.runs = {"next"};
    now.starting = 2;
  };
  change(running);
  look(cancelled());
  EXPECT_NE(job().order.state, JobState::Finished) << "that was the attempt before";
  change(running);
  change([](QueueJob& now) { now.starting = 1; });
  look(cancelled());
  EXPECT_EQ(job().order.state, JobState::Finished) << job().message;
}

TEST_F(QueueWorkerTest, ARunWithoutAnAgentHasNotBegunWhateverItsAttemptBeforeSaid) {
  agentPid = 0;
  lies("next");
  change([](QueueJob& now) {
    now.order.state = JobState::Running;
    now.runs = {"next"};
    now.starting = 1;
  });
  look(cancelled());
  EXPECT_EQ(job().order.state, JobState::Waiting) << job().message;
  EXPECT_EQ(job().failures, 0) << "nothing ran";
}

TEST_F(QueueWorkerTest, AStartOnAMachineThatDoesNotAnswerIsAskedForAgainLater) {
  agentPid = 0;
  lies("next", "nobody@127.0.0.1:1");
  change([](QueueJob& now) {
    now.order.state = JobState::Running;
    now.runs = {"next"};
    now.starting = 1;
  });
  look(cancelled());
  EXPECT_EQ(job().order.state, JobState::Running) << "nobody knows whether it lives there";
  EXPECT_THAT(job().message, HasSubstr("127.0.0.1"));
  EXPECT_GT(job().order.notBefore, wallSeconds());
  EXPECT_EQ(job().starting, 1);
}

TEST_F(QueueWorkerTest, WhatIsTakenOutWhileAnotherJobStartsIsNotStarted) {
  const auto other = queue.add({.config = (m_folder / "run.yaml").string(),
                                .text = job().text,
                                .overrides = {"output_dir=second"},
                                .from = m_folder.path().string(),
                                .hosts = {"elsewhere"},
                                .folder = (m_folder / "second").string()});
  ASSERT_TRUE(other.ok()) << other.error().text();
  QueueWorker::Hooks hooks;
  hooks.prepare = [&](const config::RunConfig&, const std::filesystem::path&, bool) -> Status {
    ++preparations;
    EXPECT_TRUE(queue.remove(other.value()).ok());
    return failed("the first one's start took long");
  };
  auto worker = QueueWorker::take(queue, std::move(hooks));
  ASSERT_TRUE(worker.ok());
  EXPECT_TRUE(worker.value().look().ok());
  EXPECT_EQ(preparations, 1);
}

TEST_F(QueueWorkerTest, WhoeverIsToRestStartsNothingMore) {
  QueueWorker::Hooks hooks;
  hooks.prepare = [&](const config::RunConfig&, const std::filesystem::path&, bool) -> Status {
    ++preparations;
    return {};
  };
  hooks.goesOn = [] { return false; };
  auto worker = QueueWorker::take(queue, std::move(hooks));
  ASSERT_TRUE(worker.ok());
  EXPECT_TRUE(worker.value().look().ok());
  EXPECT_EQ(preparations, 0);
  EXPECT_EQ(job().order.state, JobState::Waiting);
}

TEST_F(QueueWorkerTest, TheWorkerOfAnotherMachineIsNotSignalledHere) {
  const auto worker = QueueWorker::take(queue, {});
  ASSERT_TRUE(worker.ok());
  m_folder.write("queue/worker.lock", std::to_string(::getpid()) + " another-machine\n");
  const Status rested = QueueWorker::rest(queue);
  ASSERT_FALSE(rested.ok());
  EXPECT_THAT(rested.error().text(), HasSubstr("another-machine"));
}

TEST_F(QueueWorkerTest, WhatIsWrongAboutOtherMachinesDoesNotConcernARunOfThisOne) {
  m_folder.write("ssh_config", "Include\nMatch nonsense\n\"\n");
  ASSERT_FALSE(HostAccess::load().ok());
  lies("own");
  change([](QueueJob& now) {
    now.order.state = JobState::Running;
    now.runs = {"own"};
  });
  look(cancelled());
  EXPECT_EQ(job().order.state, JobState::Finished) << job().message;
}

TEST_F(QueueWorkerTest, AQueueOfAnEarlierVersionIsRead) {
  const auto file = queue.folder() / "queue.json";
  auto all = nlohmann::json::parse(testing::readAll(file));
  all["jobs"][0].erase("runs");
  all["jobs"][0].erase("starting");
  m_folder.write("queue/queue.json", all.dump());
  const auto jobs = queue.jobs();
  ASSERT_TRUE(jobs.ok()) << jobs.error().text();
  EXPECT_TRUE(jobs.value().at(0).runs.empty());
}

}  // namespace
}  // namespace roadtune::remote

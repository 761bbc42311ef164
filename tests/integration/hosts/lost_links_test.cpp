// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever follows a run is told when its machine cannot be asked, and when it is back.
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/subprocess.h"
#include "core/base/text.h"
#include "core/base/unique_fd.h"
#include "remote/agent/process_table.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TestNetwork;

struct LostLinks : testing::HostRuns {
  std::filesystem::path run() const { return folder() / "run"; }
  std::string told() const { return testing::readAll(folder() / "told"); }

  Subprocess attach(const TestNetwork& network) const {
    const UniqueFd sink(::open((folder() / "told").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    SpawnOptions options{.command = {testing::programPath("roadtune"), "attach", run().string(), "--progress", "json"},
                         .environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}};
    options.error = Stream::given(sink.get());
    return Subprocess::start(options).value();
  }

  bool says(const std::string& words) const {
    for (const double deadline = monotonicSeconds() + 60; monotonicSeconds() < deadline; ::usleep(50'000))
      if (told().find(words) != std::string::npos) return true;
    return false;
  }

  bool bringsSteps(std::size_t count) const {
    for (const double deadline = monotonicSeconds() + 60; monotonicSeconds() < deadline; ::usleep(50'000))
      if (lossesOf(run()).size() >= count) return true;
    return false;
  }

  // What is shown last of the run itself.
  json lastProgress() const {
    json last;
    for (const auto& line : split(told(), '\n')) {
      if (line.empty()) continue;
      const auto parsed = json::parse(line, nullptr, false);
      EXPECT_TRUE(parsed.is_object()) << line;
      if (parsed.is_object() && parsed.contains("stage")) last = parsed;
    }
    return last;
  }

  // The stream of the run's files ends, as where the machine starts its sshd anew; the run goes on.
  static void breakStream() {
    for (const auto& process : allProcesses())
      if (commandLineOf(process.id.pid).find("roadtune-agent --stream") != std::string::npos)
        ::kill(process.id.pid, SIGKILL);
  }
};

TEST_F(LostLinks, AMachineWithAnotherKeyIsToldAndSoIsItsReturn) {
  const TestNetwork network(1);
  const auto words = trainWords(run(), 100000, {"--hosts", "host1", "--detach"});
  ASSERT_EQ(roadtune(network, words).exitCode, 0);
  auto program = attach(network);
  ASSERT_TRUE(bringsSteps(5));
  const auto file = network.folder() / "known_hosts";
  const std::string known = testing::readAll(file);
  const std::string other = testing::readAll(network.folder() / "user_key.pub");  // a key, but not that machine's
  ASSERT_TRUE(writeFileAtomically(file, network.address(0) + " " + other.substr(0, other.rfind(' ')) + "\n").ok());
  breakStream();
  ASSERT_TRUE(says("host1 is not let in, for its host key changed, since ")) << told();
  EXPECT_THAT(told(), HasSubstr("shown is what was known then"));
  ::usleep(500'000);  // longer than the pause between two objects
  EXPECT_EQ(lastProgress()["rate"], 0);
  EXPECT_EQ(lastProgress()["eta"], 0);

  const std::size_t steps = lossesOf(run()).size();
  ASSERT_TRUE(writeFileAtomically(file, known).ok());
  ASSERT_TRUE(says("host1 is back"));
  ASSERT_TRUE(bringsSteps(steps + 1));  // a link that is cut while it is made takes longer to be noticed
  network.cable(0, false);
  ASSERT_TRUE(says("host1 cannot be reached, since "));
  ::kill(program.pid(), SIGINT);
  EXPECT_EQ(program.wait().code, 0);
  EXPECT_THAT(told(), HasSubstr("detached; whether the run goes on is not known: host1 cannot be reached"));
  EXPECT_THAT(told(), Not(HasSubstr("detached; the run goes on")));
  lastProgress();  // every line is an object
  network.cable(0, true);
  EXPECT_EQ(roadtune(network, {"stop", run().string(), "--now"}).exitCode, 0);
}

}  // namespace
}  // namespace roadtune::remote

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/hosts/host_runs.h"

#include "core/protocol/event_reader.h"
#include "tests/support/made_data.h"

#include <cmath>
#include <utility>

namespace roadtune::testing {

TempFolder* HostRuns::s_demo = nullptr;

void HostRuns::SetUpTestSuite() {
  if (!TestNetwork::available()) return;
  s_demo = new TempFolder;
  prepareDemo(s_demo->path());
}

void HostRuns::TearDownTestSuite() { delete std::exchange(s_demo, nullptr); }

void HostRuns::SetUp() {
  if (!TestNetwork::available()) GTEST_SKIP() << "network namespaces and a throw-away sshd need root";
}

std::string HostRuns::config() { return (*s_demo / "demo.yaml").string(); }

std::string HostRuns::model() {
  const std::string text = readAll(config()), key = "model_name_or_path: ";
  const auto at = text.find(key) + key.size();
  const std::filesystem::path path = text.substr(at, text.find_first_of(" \n", at) - at);
  return (path.is_absolute() ? path : *s_demo / path.string()).string();
}

std::filesystem::path HostRuns::torchFolder() {
  const auto listed = runProgram({"ldd", programPath("roadtune-train")}).out;
  const std::size_t at = listed.find('/', listed.find("libtorch_cpu.so =>"));
  EXPECT_NE(at, std::string::npos) << listed;
  return std::filesystem::path(listed.substr(at, listed.find(" (", at) - at)).parent_path();
}

std::vector<std::string> HostRuns::prefixed(std::vector<std::string> words) {
  words.insert(words.begin(), "roadtune");
  return words;
}

std::vector<std::string> HostRuns::trainWords(const std::filesystem::path& output, int steps,
                                              const std::vector<std::string>& more) {
  std::vector<std::string> words{"train", config(), "--progress", "none"};
  for (const std::string& entry : {"output_dir=" + output.string(), "max_steps=" + std::to_string(steps),
                                   std::string("logging_steps=1"), std::string("per_device_train_batch_size=2")})
    words.insert(words.end(), {"--set", entry});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

ProgramResult HostRuns::roadtune(const TestNetwork& network, const std::vector<std::string>& words) {
  return runProgram(prefixed(words),
                    {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}}, .timeoutSeconds = 200});
}

std::future<ProgramResult> HostRuns::roadtuneInBackground(const TestNetwork& network, std::vector<std::string> words) {
  return std::async(std::launch::async, [&network, words = std::move(words)] { return roadtune(network, words); });
}

ProgramResult HostRuns::queue(const TestNetwork& network, std::vector<std::string> words) const {
  words.insert(words.begin(), {"roadtune", "queue"});
  return runProgram(words, {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()},
                                            {"XDG_DATA_HOME", (folder() / "home").string()}},
                            .timeoutSeconds = 200});
}

std::map<std::int64_t, double> HostRuns::lossesOf(const std::filesystem::path& run) {
  std::map<std::int64_t, double> values;
  protocol::EventReader reader(protocol::RunLayout(run).rankEvents(0));
  EXPECT_TRUE(reader
                  .pollFlat([&](const protocol::FlatEvent& event) {
                    if (event.kind == "step") values[event.step] = event.members.numberOr("loss", NAN);
                  })
                  .ok());
  return values;
}

}  // namespace roadtune::testing

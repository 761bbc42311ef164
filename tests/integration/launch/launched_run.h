// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/subprocess.h"
#include "core/protocol/event.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/process_table.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::testing {

// A folder with a small RUN.yaml, a run below it, and the fake rank in the trainer's place. At the end of every test
// nothing whose command line names the folder may live any more.
class LaunchedRun : public ::testing::Test {
 protected:
  LaunchedRun();
  ~LaunchedRun() override;
  void SetUp() override;
  void TearDown() override;

  std::filesystem::path run() const { return m_folder / "out"; }
  protocol::RunLayout layout() const { return protocol::RunLayout(run()); }
  const TempFolder& folder() const { return m_folder; }

  // What the fake rank does, in its words.
  void rank(const std::string& words) { m_environment["FAKE_RANK"] = words; }
  void variable(const std::string& name, const std::string& value) { m_environment[name] = value; }
  void setting(const std::string& line);  // one more line of RUN.yaml
  std::string config() const { return (m_folder / "run.yaml").string(); }

  ProgramResult roadtune(std::vector<std::string> words, int timeoutSeconds = 40);  // runs to its end
  Subprocess startRoadtune(std::vector<std::string> words);                         // output goes to a file: printed()
  Subprocess start(const std::string& program, std::vector<std::string> words);     // likewise, any of our programs
  std::string printed() const;

  // Waits up to 20 s.
  bool eventually(const std::function<bool()>& condition) const;
  bool reachesStep(std::int64_t step, int rank = 0) const;
  bool isGone() const;  // no process of the run

  std::vector<protocol::Event> rankEvents(int rank = 0) const;
  std::vector<protocol::Event> nodeEvents() const;
  std::optional<protocol::Event> last(const std::vector<protocol::Event>& events, const std::string& kind) const;
  pid_t agent() const;     // as the run's lock names it
  pid_t guardian() const;  // its parent
  std::vector<remote::ProcessEntry> processes() const;

 private:
  TempFolder m_folder;
  std::map<std::string, std::string> m_environment;
};

}  // namespace roadtune::testing

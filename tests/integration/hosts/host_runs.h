// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/run_layout.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_network.h"

#include <gtest/gtest.h>

#include <future>
#include <map>
#include <string>
#include <vector>

namespace roadtune::testing {

// The small demo job, for runs of the real trainer on machines of a TestNetwork.
class HostRuns : public ::testing::Test {
 protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite();
  void SetUp() override;

  static std::vector<std::string> trainWords(const std::filesystem::path& output, int steps,
                                             const std::vector<std::string>& more);
  static std::vector<std::string> prefixed(std::vector<std::string> words);  // with the program's name
  static ProgramResult roadtune(const TestNetwork& network, const std::vector<std::string>& words);
  static std::future<ProgramResult> roadtuneInBackground(const TestNetwork& network, std::vector<std::string> words);
  ProgramResult queue(const TestNetwork& network, std::vector<std::string> words) const;  // one of this test's own
  static std::map<std::int64_t, double> lossesOf(const std::filesystem::path& run);
  static std::string model();
  static std::string config();
  static std::filesystem::path torchFolder();  // of the torch that the trainer loads
  const TempFolder& folder() const { return m_folder; }

 private:
  static TempFolder* s_demo;
  TempFolder m_folder;
};

}  // namespace roadtune::testing

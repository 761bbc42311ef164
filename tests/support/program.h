// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>
#include <vector>

namespace roadtune::testing {

struct ProgramResult {
  int exitCode = -1;  // 128 + signal when killed
  std::string out;
  std::string err;
};

struct ProgramOptions {
  std::map<std::string, std::string> environment = {};  // added to ours
  std::string folder = {};                              // working folder
  int timeoutSeconds = 100;                             // then SIGKILL
};

// Runs a program to its end. A bare name is looked up in the build's bin folder first, then on PATH.
ProgramResult runProgram(const std::vector<std::string>& command, const ProgramOptions& options = {});

// Path of one of our programs, or of the Python that sees the reference implementations.
std::string programPath(const std::string& name);
std::string oraclePython();

}  // namespace roadtune::testing

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <filesystem>

namespace roadtune::engine {

// Records what the CPU and the GPU do during some steps, and writes it as a Chrome trace (chrome://tracing, Perfetto).
// The first steps are left out: they allocate and choose algorithms.
class StepProfile {
 public:
  StepProfile(std::filesystem::path file, int steps) : m_file(std::move(file)), m_steps(steps) {}

  void beginStep();
  Status endStep();  // writes after the last recorded step

 private:
  std::filesystem::path m_file;
  int m_steps;
  int m_seen = 0;
  bool m_recording = false;
};

}  // namespace roadtune::engine

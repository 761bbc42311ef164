// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <memory>
#include <vector>

namespace roadtune::testing {

// A run directory written with the real event writer, without a trainer: a falling loss with noise, one NaN, node
// samples twice a second, phases, a checkpoint, a warning, a receipt, logs.
struct DrawnRun {
  std::filesystem::path folder;
  int totalSteps = 400;
  int nanStep = 57;      // 0: none
  bool finished = true;  // else it looks as if it goes on: the last event is now
  int gpus = 0;
  double secondsPerStep = 0.5;
};

double drawnLoss(int step);

// Writes everything at once.
void drawRun(const DrawnRun& run);

// Writes a run step by step, as a trainer would.
class LiveRun {
 public:
  explicit LiveRun(const DrawnRun& run);
  ~LiveRun();
  void step(int count, double pace = 1);  // so many more at that part of the usual pace, and flushes
  int written() const { return m_step; }
  void finish();

 private:
  struct Writers;
  DrawnRun m_run;
  std::unique_ptr<Writers> m_writers;
  int m_step = 0;
};

}  // namespace roadtune::testing

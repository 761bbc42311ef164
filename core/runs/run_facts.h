// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::runs {

enum class RunState {
  Created,  // a folder with a configuration, nothing has started
  Running,
  Finished,
  Stopped,  // by the user, on request
  Failed,
  Lost,  // no word of an end, and nobody is alive to say one
};
std::string_view name(RunState state);  // "running"
bool isBroken(RunState state);          // over before its end: stopped, failed or lost

// A stretch of a run with a word: starting, loading, preparing, training, evaluating, saving, finishing, paused.
struct Phase {
  std::string name;
  double begin = 0;  // seconds since 1970
  std::optional<double> end = {};
  std::int64_t step = 0;  // at its begin
};
bool isPaused(const std::vector<Phase>& phases);  // is the last of them a pause that goes on?

struct ProcessInfo {
  int rank = -1;
  int node = 0;
  int localRank = 0;
  std::string host, device;
  std::int64_t pid = 0;
  std::string state;  // started | exited | killed
  std::optional<int> exitCode = {};
  std::optional<int> signal = {};
  double lastEvent = 0;  // wall time of the latest event of this rank
  std::int64_t step = 0;
};

struct CheckpointInfo {
  std::int64_t step = 0;
  std::string path;  // relative to the run when below it
  double time = 0, seconds = 0;
  double bytes = 0;
  bool onDisk = false;    // here
  bool complete = false;  // with its COMPLETE marker
  bool toldRemoved = false;
  bool removed = false;  // as the run told, or because it is not where it must be
  std::string machine;   // where it lies; empty: here, or nowhere any more
  std::string place;     // its path, on another machine "gpu1:/home/alice/.roadtune/..."
};

// What the trainer proved after its first step: which tensors were updated, against the intent.
struct ReceiptInfo {
  double time = 0;
  bool ok = false;
  std::vector<std::string> updated = {};  // summaries, as written
  std::vector<std::string> mismatches = {};
};

// What a dry run has proved, in its numbers.
struct ProofInfo {
  std::string name;  // samples, step, pace, evaluation, predictions, checkpoint, forecast
  bool ok = false;
  double time = 0, seconds = 0;
  std::string sample = {};  // that it is about
  std::map<std::string, double, std::less<>> numbers = {};

  double number(std::string_view key) const;  // NaN when it was not told
};

enum class Severity { Info, Warning, Error };

struct Notice {
  Severity severity = Severity::Warning;
  double time = 0;
  std::int64_t step = 0;
  int rank = 0;
  std::string message, where, hint;
};

// How a rank said goodbye, or an agent.
struct EndInfo {
  std::string reason;  // finished | stopped | failed | diverged | lost
  int exitCode = 0;
  std::string message;
  double time = 0;
  int rank = -1;             // that says so; -1: an agent does
  int node = -1;             // whose agent, or whose rank
  int culprit = -1;          // the rank that failed first, where an agent tells
  bool consequence = false;  // failed, but only for another rank's end
  std::optional<double> trainRuntime = {}, trainSamplesPerSecond = {}, trainStepsPerSecond = {}, trainLoss = {},
                        epoch = {};
};

// What the first rank said hello with.
struct StartInfo {
  std::string host, device, programVersion, configHash;
  std::int64_t pid = 0;
  int worldSize = 1;
  std::int64_t totalSteps = 0;
  std::int64_t totalParams = 0, trainableParams = 0;
  double time = 0;
};

// Nothing is copied to a card then, and there is nobody to talk to.
inline bool isOneCpuProcess(const StartInfo* start) { return start && start->worldSize == 1 && start->device == "cpu"; }

// Mean seconds of the parts of a step over the last steps.
struct StepAnatomy {
  double step = 0;  // wall time of a step; 0: not known
  std::optional<double> wait = {}, copy = {}, forward = {}, backward = {}, comm = {}, optimizer = {}, other = {};
  std::optional<double> read = {}, decode = {}, tokenise = {};  // in the loader's threads, beside the step
  std::int64_t steps = 0;                                       // how many were averaged
};

struct RunProgress {
  std::int64_t step = 0, totalSteps = 0;
  double epoch = 0;
  std::optional<double> secondsPerStep = {};  // median of the last steps
  std::optional<double> etaSeconds = {};
  double elapsedSeconds = 0;  // since the first hello, without the time between an end and a resume
};

}  // namespace roadtune::runs

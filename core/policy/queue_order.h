// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::policy {

enum class JobState {
  Waiting,
  Running,
  Finished,
  Stopped,  // by the user, on request
  Failed,
};
std::string_view name(JobState state);  // "waiting"

// What decides when a job of the queue starts.
struct QueuedJob {
  std::int64_t id = 0;
  JobState state = JobState::Waiting;
  std::set<std::string> machines = {};   // "" is this one
  std::vector<std::int64_t> after = {};  // jobs that must have finished before
  double notBefore = 0;                  // seconds since 1970: a pause after a failure
  bool asks = false;                     // its machines want to be told something first
};

struct QueueDecision {
  std::vector<std::int64_t> start;            // now, in this order
  std::map<std::int64_t, std::string> waits;  // why every other waiting job waits, in words
};

// In the order of the queue. A job starts when what it comes after has finished and nobody uses its machines. A job
// that waits only for machines keeps them: what stands behind it may use others, not those. One that asks something
// keeps none: the answer may take hours.
QueueDecision decideQueue(const std::vector<QueuedJob>& jobs, double now);

// Seconds until a job is tried again that has failed so many times: 10, 20, 40 ... at most 10 minutes.
double pauseAfterFailures(std::int64_t failures);

}  // namespace roadtune::policy

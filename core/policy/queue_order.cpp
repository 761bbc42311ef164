// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/queue_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roadtune::policy {
namespace {

const QueuedJob* find(const std::vector<QueuedJob>& jobs, std::int64_t id) {
  const auto found = std::find_if(jobs.begin(), jobs.end(), [&](const QueuedJob& job) { return job.id == id; });
  return found == jobs.end() ? nullptr : &*found;
}

// Empty when everything it comes after has finished. What was taken out of the queue is not waited for.
std::string unfinished(const std::vector<QueuedJob>& jobs, const QueuedJob& job) {
  for (const std::int64_t id : job.after) {
    const QueuedJob* before = find(jobs, id);
    if (!before || before->state == JobState::Finished) continue;
    const bool mayStill = before->state == JobState::Waiting || before->state == JobState::Running;
    return fmt::format("comes after job {}, which {} {}", id, mayStill ? "is" : "has", name(before->state));
  }
  return {};
}

}  // namespace

std::string_view name(JobState state) {
  switch (state) {
    case JobState::Waiting: return "waiting";
    case JobState::Running: return "running";
    case JobState::Finished: return "finished";
    case JobState::Stopped: return "stopped";
    case JobState::Failed: return "failed";
  }
  return {};
}

QueueDecision decideQueue(const std::vector<QueuedJob>& jobs, double now) {
  std::map<std::string, std::int64_t> holders;  // of machines: who uses them, or is to have them next
  for (const QueuedJob& job : jobs)
    if (job.state == JobState::Running)
      for (const auto& machine : job.machines) holders[machine] = job.id;
  QueueDecision decision;
  for (const QueuedJob& job : jobs) {
    if (job.state != JobState::Waiting || job.asks) continue;
    if (const std::string why = unfinished(jobs, job); !why.empty()) {
      decision.waits[job.id] = why;
      continue;
    }
    if (now < job.notBefore) {
      decision.waits[job.id] = fmt::format("is tried again in {:.0f} s", std::ceil(job.notBefore - now));
      continue;
    }
    const auto taken = std::find_if(job.machines.begin(), job.machines.end(),
                                    [&](const std::string& machine) { return holders.contains(machine); });
    if (taken == job.machines.end())
      decision.start.push_back(job.id);
    else
      decision.waits[job.id] =
          fmt::format("{} is for job {}", taken->empty() ? "this machine" : *taken, holders.at(*taken));
    for (const auto& machine : job.machines) holders.emplace(machine, job.id);
  }
  return decision;
}

double pauseAfterFailures(std::int64_t failures) {
  constexpr double kFirst = 10, kLongest = 600;
  return std::min(kLongest, kFirst * std::pow(2.0, static_cast<double>(std::max<std::int64_t>(failures, 1) - 1)));
}

}  // namespace roadtune::policy

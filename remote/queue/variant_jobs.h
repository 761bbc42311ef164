// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/launch/launch_plan.h"
#include "remote/queue/job_queue.h"

#include <functional>
#include <string>
#include <vector>

namespace roadtune::remote {

// Puts a run into the queue, or one for every combination of `varied` ("learning_rate=1e-5,2e-5"): all of them, or none
// where one cannot be. Everything that is wrong is said now, not at night when its turn comes. `like` is what they have
// in common; where it names no hosts, those of the configuration count. `planned`, unless null, sees each before any is
// added, and an error of it ends the matter.
Result<std::vector<std::int64_t>> addVariants(const JobQueue& queue, const QueueJob& like,
                                              const std::vector<std::string>& varied,
                                              const std::function<Status(const LaunchPlan&)>& planned = {});

}  // namespace roadtune::remote

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "remote/launch/launch_plan.h"

#include <string>
#include <string_view>

namespace roadtune::remote {

enum class JobFormat { Torchrun, Slurm, JobSet };
Result<JobFormat> parseJobFormat(std::string_view name);  // torchrun | slurm | jobset

struct JobExport {
  JobFormat format = JobFormat::Torchrun;
  int nodes = 1;
  std::string image;  // JobSet: the container with our programs; empty is roadtune:<version>
};

// The run as one job of nodes x processes ranks for somebody else's launcher: a shell script around torchrun, an sbatch
// script, or a Kubernetes manifest. It carries the frozen configuration and needs nothing but our programs, the model
// and the data under the same paths. Started again, the job goes on from its newest checkpoint. Pure.
Result<std::string> exportJob(const LaunchPlan& plan, const JobExport& wanted);

}  // namespace roadtune::remote

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/launch/job_export.h"

#include <string>

namespace roadtune::remote {

// A ConfigMap with the run's configuration and a JobSet (jobset.x-k8s.io/v1alpha2) of one indexed job: a pod per node,
// in each of them roadtune-agent with its ranks. Paths come from one claim, "roadtune", mounted where the
// configuration expects them.
Result<std::string> jobSetManifest(const LaunchPlan& plan, const JobExport& wanted);

// A name Kubernetes takes: lower case letters, digits and dashes, at most 40 characters, a letter first.
std::string kubernetesName(std::string_view text);

}  // namespace roadtune::remote

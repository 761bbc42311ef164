// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/queue/variant_jobs.h"

#include "core/config/variants.h"

namespace roadtune::remote {

Result<std::vector<std::int64_t>> addVariants(const JobQueue& queue, const QueueJob& like,
                                              const std::vector<std::string>& varied,
                                              const std::function<Status(const LaunchPlan&)>& planned) {
  const config::Document document(like.text, like.config);
  ROADTUNE_TRY(const auto variants, config::variantsOf(varied));
  ROADTUNE_TRY(
      const auto overrides,
      config::overridesOfVariants(document, {.overrides = like.overrides, .overridesFrom = like.from}, variants));
  std::vector<QueueJob> jobs;
  for (const auto& own : overrides) {
    ROADTUNE_TRY(const LaunchPlan plan, planLaunch({.document = document,
                                                    .overrides = own,
                                                    .overridesFrom = like.from,
                                                    .processesPerNode = like.processes,
                                                    .hosts = like.hosts}));
    if (planned) ROADTUNE_CHECK(planned(plan));
    jobs.push_back(like);
    jobs.back().overrides = own;
    jobs.back().hosts = plan.hosts;
    jobs.back().sync = like.sync && !plan.hosts.empty();
    jobs.back().folder = plan.folder.string();
  }
  std::vector<std::int64_t> ids;
  for (QueueJob& job : jobs) {
    const auto id = queue.add(std::move(job));
    if (!id.ok()) {
      for (const std::int64_t added : ids) ROADTUNE_CHECK(queue.remove(added));
      return id.error();
    }
    ids.push_back(id.value());
  }
  return ids;
}

}  // namespace roadtune::remote

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rules.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace roadtune::config {

void Draft::report(const std::string& key, std::string message, std::string hint, Severity severity) {
  Origin origin = m_view.origin(key);
  if (origin.where.empty()) origin = {m_where, 1, 1};
  m_problems.push_back({origin.line, origin.column, key, std::move(message), std::move(hint), origin.where, severity});
}

void settleClasses(Draft& draft) {
  const RunConfig& run = draft.view();
  if (run.text("task") != "detect" || draft.isBroken("classes")) return;
  const auto classes = run.list("classes");
  if (classes.empty()) draft.report("classes", "names nothing to detect", "classes: [vehicle, pedestrian]");
  std::set<std::string> seen;
  for (const auto& name : classes) {
    if (trim(name).empty()) draft.report("classes", "holds an empty name", "a class of the data");
    if (!seen.insert(lower(name)).second)
      draft.report("classes", fmt::format("{} stands here twice", name), "name each class once");
  }
}

void settleLaunch(Draft& draft) {
  const RunConfig& run = draft.view();
  if (run.has("hosts") && run.has("fleet"))
    draft.report("fleet", "hosts and fleet both name machines", "keep one of them");
  std::set<std::string> seen;
  for (const auto& host : run.list("hosts")) {
    if (host.empty()) draft.report("hosts", "holds an empty name", "user@machine");
    if (!seen.insert(host).second)
      draft.report("hosts", fmt::format("{} stands here twice", host), "name each machine once");
  }
  const auto gpus = run.integers("gpus");
  const bool twice = std::set<std::int64_t>(gpus.begin(), gpus.end()).size() != gpus.size();
  if (twice && run.text("ddp_backend") != "gloo")
    draft.report("gpus", "holds a number twice", "name each GPU once; ranks can share one with ddp_backend: gloo");
  if (run.has("gpus") && gpus.empty())
    draft.report("gpus", "is an empty list", "remove the line for all GPUs, or device: cpu");
  if (run.has("nproc_per_node") && !gpus.empty() &&
      run.integer("nproc_per_node") != static_cast<std::int64_t>(gpus.size()))
    draft.report("nproc_per_node", fmt::format("{} ranks for {} GPUs", run.integer("nproc_per_node"), gpus.size()),
                 fmt::format("nproc_per_node: {}", gpus.size()));
  if (run.text("device") == "cpu" && run.text("ddp_backend") == "nccl")
    draft.report("ddp_backend", "nccl needs GPUs, and device is cpu", "ddp_backend: gloo");
  if (run.has("max_restarts") && run.integer("max_restarts") > 0 && run.has("resume_from_checkpoint") &&
      !run.text("resume_from_checkpoint").ends_with("latest"))
    draft.report("max_restarts", "a restart would go back to resume_from_checkpoint, not to the run's own checkpoints",
                 "max_restarts: 0, or resume_from_checkpoint: latest");
  if (run.text("sharding") == "hybrid" && run.list("hosts").size() < 2 && !run.has("fleet"))
    draft.report("sharding", "hybrid on one machine is the same as sharded", "sharding: sharded", Severity::Warning);
}

void requireKeys(Draft& draft, Purpose purpose) {
  const RunConfig& run = draft.view();
  for (const auto& field : schema()) {
    const bool needed =
        purpose == Purpose::Training ? field.required : purpose == Purpose::Model && field.name == "model_name_or_path";
    if (!needed || run.has(field.name) || draft.isBroken(field.name)) continue;
    std::string first = field.help.substr(0, field.help.find_first_of(".:"));
    draft.report(field.name, "is missing: " + lower(first.substr(0, 1)) + first.substr(1), field.name + ": ...");
  }
}

void warnOfIdleKeys(Draft& draft) {
  const RunConfig& run = draft.view();
  for (const auto& field : schema()) {
    if (draft.isBroken(field.name) || !run.isSet(field.name) || run.isVisible(field) ||
        run.value(field.name) == field.defaultValue)
      continue;
    const Condition& condition =
        *std::ranges::find_if(field.visibleWhen, [&](const auto& one) { return !run.meets(one); });
    if (draft.isBroken(condition.field)) continue;
    if (condition.values.front() == "null") {
      draft.report(field.name, fmt::format("has no effect beside {}", condition.field), "", Severity::Warning);
      continue;
    }
    if (condition.field == "finetuning_type" && run.usesLora()) continue;
    if (condition.field == "load_in_4bit" && run.usesFourBit()) continue;
    draft.report(field.name,
                 fmt::format("has no effect unless {} is {}", condition.field, join(condition.values, " or ")), "",
                 Severity::Warning);
  }
}

}  // namespace roadtune::config

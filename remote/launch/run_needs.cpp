// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/run_needs.h"

#include "core/base/url.h"
#include "core/model/checkpoint_size.h"
#include "core/model/method.h"
#include "core/model/module_tree.h"
#include "remote/launch/remote_sources.h"

#include <algorithm>

namespace roadtune::remote {
namespace {

constexpr double kSlowRead = 0.05;  // seconds a sample: twenty a second from one reader

void addCheckpoints(PreflightLimits& limits, const config::RunConfig& config) {
  const auto described = model::PaliGemmaConfig::fromFolder(config.text("model_name_or_path"));
  const auto method = model::methodFrom(config);
  if (!described.ok() || !method.ok()) return;
  const auto tree = model::buildModuleTree(described.value(), method.value());
  if (!tree.ok()) return;
  limits.checkpointBytes = static_cast<double>(model::checkpointBytes(tree.value(), model::checkpointContent(config)));
  // The new one is written before the oldest is removed.
  limits.checkpoints = std::max(1, static_cast<int>(config.integer("save_total_limit"))) + 1;
}

}  // namespace

RunNeeds needsOf(const config::RunConfig& config) {
  RunNeeds needs;
  addCheckpoints(needs.limits, config);
  if (config.has("output_dir")) needs.folder = config.text("output_dir");
  needs.paths.push_back(config.text("model_name_or_path"));
  if (const std::string adapter = config.startAdapter(); !adapter.empty()) needs.paths.push_back(adapter);
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : config.sources(key))
      if (!isUrl(source.path)) needs.paths.push_back(source.path);
  return needs;
}

std::vector<Check> checkReads(const config::RunConfig& config, bool elsewhere, const OpenStorage& open) {
  std::vector<Check> checks;
  if (elsewhere) {
    if (const Status refused = refuseStorageSources(config); !refused.ok())
      checks.push_back({"data", Verdict::Bad, refused.error().what, refused.error().hint});
    return checks;
  }
  for (const ReadProbe& one : probeReads(config, {}, open)) {
    Check check{"reads " + one.source, Verdict::Fine, one.text(), {}};
    if (!one.problem.empty())
      check.verdict = Verdict::Unknown;
    else if (one.median > kSlowRead && !isUrl(one.source))
      check = {check.name, Verdict::Doubtful, check.value, "`roadtune data pack` onto a local disk"};
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace roadtune::remote

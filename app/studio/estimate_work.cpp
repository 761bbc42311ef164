// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/estimate_work.h"

#include "core/config/resolve.h"
#include "remote/agent/node_sampler.h"
#include "remote/agent/nvml.h"

#include <QCoreApplication>

#include <algorithm>

namespace roadtune::studio {
namespace {

QString say(const char* text) { return QCoreApplication::translate("Estimate", text); }

}  // namespace

widgets::TrainEstimate estimateOf(const config::RunConfig& config, std::uint64_t ticket) {
  widgets::TrainEstimate estimate;
  estimate.ticket = ticket;
  estimate.pathProblems = config::checkPaths(config);
  if (!config.has("model_name_or_path") || config.text("model_name_or_path").empty()) {
    estimate.error = say("Choose a model to see its modules here, and to decide what of it is trained.");
    return estimate;
  }
  const auto modelConfig = model::PaliGemmaConfig::fromFolder(config.text("model_name_or_path"));
  if (!modelConfig.ok()) {
    estimate.error = QString::fromStdString(modelConfig.error().text());
    return estimate;
  }
  estimate.modelName = QString::fromStdString(modelConfig.value().name);
  const auto method = model::methodFrom(config);
  if (!method.ok()) {
    estimate.error = QString::fromStdString(method.error().text());
    return estimate;
  }
  auto tree = model::buildModuleTree(modelConfig.value(), method.value());
  if (!tree.ok()) {
    estimate.error = QString::fromStdString(tree.error().text());
    return estimate;
  }
  estimate.tree = std::make_shared<const model::ModuleTree>(std::move(tree).value());
  const auto nvml = remote::Nvml::open();
  const bool gpu = nvml && !nvml->gpus().empty();
  model::StepShape shape = model::stepShapeFrom(config);
  shape.fusedAttention = gpu;
  estimate.plan = model::planMemory(*estimate.tree, shape);
  if (gpu) {
    estimate.memory = nvml->gpus()[0].memory;
    estimate.memoryOwner = say("a graphics card");
  } else {
    estimate.memory = remote::NodeSampler("/").sample(0).memoryTotal / static_cast<std::uint64_t>(std::max(1, shape.ranks));
    estimate.memoryOwner = say("this machine");
  }
  return estimate;
}

}  // namespace roadtune::studio

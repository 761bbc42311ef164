// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/estimate_work.h"

#include "app/studio/fit_work.h"
#include "core/config/problem_at.h"
#include "core/config/resolve.h"
#include "core/data/quality/length_doubts.h"
#include "core/model/checkpoint_size.h"
#include "core/model/feature_cache.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/node_sampler.h"
#include "remote/agent/nvml.h"
#include "remote/launch/run_folder.h"
#include "widgets/common/told_words.h"

#include <fmt/format.h>

#include <QCoreApplication>

#include <algorithm>

namespace roadtune::studio {
namespace {

struct Estimate {
  Q_DECLARE_TR_FUNCTIONS(Estimate)
};

// What every process can count on.
struct Room {
  int gpus = 0;  // on each machine
  std::uint64_t gpuMemory = 0, memory = 0;
};

Room roomHere(const remote::Nvml* nvml) {
  if (nvml && !nvml->gpus().empty()) return {static_cast<int>(nvml->gpus().size()), nvml->gpus()[0].memory, 0};
  return {0, 0, remote::NodeSampler("/").sample(0).memoryTotal};
}

// The weakest machine decides. A machine nobody has asked leaves it open.
Room roomThere(const std::vector<MachineMeans>& machines) {
  Room room{machines[0].gpus, machines[0].gpuMemory, machines[0].memory};
  for (const MachineMeans& one : machines) {
    if (!one.known) return {};
    room.gpus = std::min(room.gpus, one.gpus);
    room.gpuMemory = std::min(room.gpuMemory, one.gpuMemory);
    room.memory = std::min(room.memory, one.memory);
  }
  return room;
}

// A folder that holds a run takes no other one.
void checkFolder(const config::RunConfig& config, widgets::TrainEstimate& estimate) {
  const std::string folder = config.has("output_dir") ? config.text("output_dir") : std::string();
  const auto said = [](const config::Problem& problem) { return problem.key == "output_dir"; };
  if (folder.empty() || std::any_of(estimate.pathProblems.begin(), estimate.pathProblems.end(), said)) return;
  const Status free = remote::checkFolderFree(folder, config.flag("overwrite_output_dir"));
  if (free.ok()) return;
  std::string message = free.error().what;
  if (message.rfind("output_dir ", 0) == 0) message = message.substr(11);  // it is said beside that setting
  estimate.pathProblems.push_back(config::problemAt(config, "output_dir", badInput(message)));
  estimate.freeFolder = QString::fromStdString(remote::nextFreeFolder(folder).string());
}

void takeProposal(const FitProposal& proposal, widgets::TrainEstimate& estimate) {
  estimate.fitWords = proposal.words;
  estimate.fitValues = proposal.values;
}

// A run that goes on from a checkpoint counts its steps on.
void checkLength(const config::RunConfig& config, widgets::TrainEstimate& estimate) {
  const std::filesystem::path from = config.text("resume_from_checkpoint");
  const auto done = protocol::checkpointStep(from.filename().string());
  if (!done || !estimate.steps) return;
  estimate.doneSteps = std::min(*done, *estimate.steps);
  if (*done < *estimate.steps) return;
  const char* key = config.integer("max_steps") > 0 ? "max_steps" : "num_train_epochs";
  estimate.pathProblems.push_back(
      config::problemAt(config, key,
                        badInput(fmt::format("{} has made all {} steps already: nothing would be trained",
                                             from.filename().string(), *estimate.steps),
                                 "", "more steps or epochs, or an earlier checkpoint")));
}

}  // namespace

widgets::TrainEstimate estimateOf(const config::RunConfig& config, std::uint64_t ticket,
                                  const std::vector<MachineMeans>& machines, SampleCounts& counts) {
  widgets::TrainEstimate estimate;
  estimate.ticket = ticket;
  const bool elsewhere = !machines.empty();
  if (!elsewhere) estimate.pathProblems = config::checkPaths(config);  // other machines have files of their own
  checkFolder(config, estimate);
  if (!elsewhere)
    for (config::Problem& doubt : counts.doubts(config)) estimate.pathProblems.push_back(std::move(doubt));
  const auto nvml = elsewhere ? nullptr : remote::Nvml::open();
  const Room room = elsewhere ? roomThere(machines) : roomHere(nvml.get());
  estimate.machines = static_cast<int>(std::max<std::size_t>(1, machines.size()));
  const bool told = config.has("nproc_per_node") && config.integer("nproc_per_node") > 0;
  estimate.processes = told ? static_cast<int>(config.integer("nproc_per_node"))
                            : std::max(1, config.text("device") == "cpu" ? 1 : room.gpus);
  estimate.samples = counts.samples(config);
  estimate.steps = stepsOf(config, estimate.samples, estimate.processes * estimate.machines);
  checkLength(config, estimate);
  if (!config.has("model_name_or_path") || config.text("model_name_or_path").empty()) {
    estimate.error = Estimate::tr("Choose a model to see its modules here, and to decide what of it is trained.");
    return estimate;
  }
  const auto modelConfig = model::PaliGemmaConfig::fromFolder(config.text("model_name_or_path"));
  if (!modelConfig.ok()) {
    estimate.error = widgets::errorText(modelConfig.error());
    return estimate;
  }
  estimate.modelName = QString::fromStdString(modelConfig.value().name);
  const auto method = model::methodFrom(config);
  if (!method.ok()) {
    estimate.error = widgets::errorText(method.error());
    return estimate;
  }
  auto tree = model::buildModuleTree(modelConfig.value(), method.value());
  if (!tree.ok()) {
    estimate.error = widgets::errorText(tree.error());
    return estimate;
  }
  if (const Status trainable = model::requireTrainable(tree.value()); !trainable.ok()) {
    estimate.error = widgets::errorText(trainable.error());
    return estimate;
  }
  estimate.tree = std::make_shared<const model::ModuleTree>(std::move(tree).value());
  model::StepShape shape = model::stepShapeFrom(config);
  shape.onGpu = room.gpus > 0;
  const auto limit = static_cast<int>(config.has("max_length") ? config.integer("max_length") : 0);
  const auto texts = counts.texts(config);
  const int imageTokens = modelConfig.value().imageTokens();
  estimate.length = data::planLength(texts, limit, imageTokens);
  if (texts && !elsewhere)
    for (config::Problem& doubt : data::lengthDoubts(config, *texts, imageTokens))
      estimate.pathProblems.push_back(std::move(doubt));
  shape.textTokens = estimate.length.text;
  shape.labelTokens = estimate.length.answer;
  shape.ranks = estimate.processes * estimate.machines;
  estimate.plan = model::planMemory(*estimate.tree, shape);
  const auto features =
      shape.onGpu ? std::nullopt : model::takenByFeatures(config, modelConfig.value(), estimate.samples);
  if (shape.onGpu) estimate.plan.items.push_back(model::takenByCuda());
  if (features) estimate.plan.items.push_back(*features);
  estimate.memory = room.gpus > 0 ? room.gpuMemory : room.memory / static_cast<std::uint64_t>(estimate.processes);
  estimate.memoryTitle = estimate.memory == 0 ? QString()
                         : room.gpus > 0      ? Estimate::tr("Memory of a graphics card")
                         : elsewhere          ? Estimate::tr("Memory of a machine")
                                              : Estimate::tr("Memory of this machine");
  estimate.checkpointBytes = model::checkpointBytes(*estimate.tree, model::checkpointContent(config));
  const std::uint64_t whole = estimate.plan.total(), kept = features ? features->bytes : 0;
  if (estimate.memory == 0) return estimate;
  const std::uint64_t besides = kept + (shape.onGpu ? model::takenByCuda().bytes : 0);
  const std::uint64_t left = estimate.memory - std::min(estimate.memory, besides);
  if (whole <= estimate.memory) {
    if (const auto faster = proposeFaster(*estimate.tree, shape, left)) takeProposal(*faster, estimate);
    return estimate;
  }
  if (whole - kept <= estimate.memory) {
    estimate.fitWords = Estimate::tr("the vision features kept on disk");
    estimate.fitValues.emplace_back(QStringLiteral("cache_vision_features"), config::Value("disk"));
    return estimate;
  }
  if (const auto fit = proposeFit(config, *estimate.tree, shape, left)) takeProposal(*fit, estimate);
  return estimate;
}

}  // namespace roadtune::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/engine/attention/attention.h"
#include "core/engine/checkpoint/resume_files.h"
#include "core/engine/cuda/kernels.h"
#include "core/engine/loop/same_weights.h"
#include "core/engine/loop/session.h"
#include "core/engine/nn/device.h"
#include "core/engine/nn/placement.h"
#include "core/model/graph_blocks.h"
#include "core/protocol/checkpoint_marker.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roadtune::engine {
namespace {

// The newest one of the run that is what it was when it was written; empty when there is none. All ranks that see the
// folder find the same, whether or not the one that leads has moved what is damaged yet.
Result<fs::path> newestWhole(const Session& session) {
  const auto checkpoints = session.layout.checkpoints();
  for (auto one = checkpoints.rbegin(); one != checkpoints.rend(); ++one) {
    if (!one->complete) continue;
    const auto verified = protocol::verifyCheckpoint(one->path, protocol::Compare::Content);
    if (verified.ok()) return one->path;
    if (verified.error().kind != ErrorKind::BadInput) return verified.error();
    if (!session.environment.leads()) continue;
    ROADTUNE_TRY(const auto name, protocol::setAsideDamaged(one->path));
    session.reporter->warning(failed(verified.error().what + ": the run goes on from the checkpoint before",
                                     one->path.string(), "it is kept as " + name));
  }
  return fs::path();
}

// The checkpoint to go on from; empty for a fresh start.
Result<fs::path> resumePath(const Session& session) {
  if (!session.config.has("resume_from_checkpoint")) return fs::path();
  const fs::path asked = session.config.text("resume_from_checkpoint");
  if (asked.filename() == "latest") return newestWhole(session);
  ROADTUNE_CHECK(protocol::verifyCheckpoint(asked, protocol::Compare::Content));
  return asked;
}

// A configuration of fewer layers than the files have, mostly.
void tellUnused(const Session& session, const fs::path& folder) {
  const auto& unused = session.model->unused;
  if (unused.empty() || !session.environment.leads()) return;
  session.reporter->warning(
      failed(fmt::format("the model has no place for {} of its files, such as {}: what is written will lack {}",
                         counted(unused.size(), "tensor"), unused.front(), unused.size() == 1 ? "it" : "them"),
             folder.string(), "does config.json say how many layers there are?"));
}

LoadOptions loadOptions(const Session& session, const model::Method& method, const fs::path& resume) {
  const auto& settings = session.settings;
  LoadOptions options;
  options.read = [&reporter = *session.reporter](auto tensors, auto of) {
    reporter.progress("loading", tensors, of);
    return true;
  };
  options.folder = settings.model;
  options.method = method;
  options.seed = settings.seed;
  options.leaves = session.device.is_cuda();
  const auto word = session.config.text("torch_dtype");
  if (settings.bf16 || word == "bfloat16")
    options.frozenType = at::kBFloat16;
  else if (word == "float32")
    options.frozenType = at::kFloat;
  std::error_code code;
  if (method.type != model::FinetuningType::Full ||
      (!resume.empty() && fs::exists(resume / "adapter_config.json", code)))
    options.adapter = resume.empty() ? fs::path(session.config.text("adapter_name_or_path")) : resume;
  else if (!resume.empty())
    options.folder = resume;
  return options;
}

double flopsPerToken(const model::ModuleTree& tree) {
  std::int64_t parameters = 0;
  for (const auto& tensor : tree.tensors) {
    const auto kind = tree.moduleOf(tensor).kind;
    if (kind != model::ModuleKind::Embedding && kind != model::ModuleKind::PositionTable)
      parameters += tensor.elements();
  }
  return 6.0 * static_cast<double>(parameters);
}

// The block gate's number of the last block that is computed again, when so many are.
std::size_t recomputedUnits(const model::ModuleTree& tree, int blocks) {
  const auto& config = tree.config;
  const int below = config.vision.layers + config.text.layers - model::blocksInGraph(tree).all();
  if (blocks == model::kEveryBlock) return kAllUnits;
  return blocks == 0 ? 0 : static_cast<std::size_t>(below) + static_cast<std::size_t>(blocks);
}

void setContext(Session& session) {
  const auto& settings = session.settings;
  auto& context = session.context;
  context.numerics = settings.numerics;
  const auto word = session.config.text("torch_dtype");
  const bool narrow =
      settings.bf16 || word == "bfloat16" || (word == "auto" && session.model->storedType() == at::kBFloat16);
  context.type = narrow ? at::kBFloat16 : at::kFloat;
  context.training = true;
  session.attendsRows = takesRows(session.model->tree.config.text, context.numerics, context.type, session.device);
  context.recomputedUnits = recomputedUnits(session.model->tree, settings.recomputedBlocks);
  context.adaptersInComputeType = settings.bf16 || !session.model->tree.method.adapterDtype32;
  context.labelSmoothing = settings.labelSmoothing;
  context.neftuneAlpha = settings.neftuneAlpha;
}

DistributionOptions distributionOptions(const Session& session) {
  const auto& settings = session.settings;
  DistributionOptions options;
  options.shards = settings.sharding != Sharding::None;
  if (settings.sharding == Sharding::Hybrid)
    options.replicas = std::max(1, session.environment.worldSize / session.environment.localWorldSize);
  options.shardFrozen = settings.shardFrozen;
  options.releaseAfterForward = settings.reshardAfterForward;
  options.computeType = session.context.type;
  options.rates = settings.rates;
  options.weightDecay = settings.weightDecay;
  const bool kernels = session.device.is_cpu() || cuda::kernelsOn(session.device) != nullptr;
  options.small = {settings.eightBitMoments, settings.pureBf16, session.context.type == at::kBFloat16 && kernels,
                   settings.accumulation == 1};
  options.bucketBytes = settings.bucketBytes;
  return options;
}

// Steps are counted on, as the reference does: with other batches they stand for other samples.
void warnOfOtherSteps(const Session& session) {
  const double before = session.state.epoch, now = session.plan.epochAt(session.state.globalStep);
  if (!session.environment.leads() || std::abs(now - before) < 1e-3) return;
  if (session.state.samplesPerStep == session.plan.effectiveBatch)
    return session.reporter->warning(
        failed(fmt::format("the data holds {} now, other than before: epoch {:.2f} becomes {:.2f} of {}",
                           counted(session.trainSamples(), "sample"), before, now, session.plan.epochs),
               "train_data", "go on with the data as it was, or set max_steps"));
  session.reporter->warning(
      failed(fmt::format("a step now takes {}, other than before: epoch {:.2f} becomes {:.2f} of {}",
                         counted(session.plan.effectiveBatch, "sample"), before, now, session.plan.epochs),
             "resume_from_checkpoint",
             "keep processes x per_device_train_batch_size x gradient_accumulation_steps, or set max_steps"));
}

// A checkpoint's state for this run: steps are counted on by its own plan, and what was set live belongs to the run
// that it was set in, as long as its configuration says what it said then.
void goOn(Session& session, const fs::path& resume) {
  auto& state = session.state;
  state.epochIndex = state.globalStep / session.plan.stepsPerEpoch;
  state.stepInEpoch = state.globalStep % session.plan.stepsPerEpoch;
  std::error_code code;
  const bool own = fs::equivalent(fs::absolute(resume).parent_path(), session.layout.root(), code);
  if (state.rateEdit && (!own || state.rateEdit->configured != session.settings.rates.base)) state.rateEdit.reset();
}

// A run that begins where another one stood may be shorter than that.
void warnOfNothingLeft(const Session& session, const fs::path& resume) {
  std::error_code code;
  const bool own = fs::equivalent(fs::absolute(resume).parent_path(), session.layout.root(), code);
  if (own || !session.environment.leads() || session.state.globalStep < session.plan.totalSteps) return;
  session.reporter->warning(failed(fmt::format("nothing is left to train: the checkpoint is of step {} of {}",
                                               session.state.globalStep, session.plan.totalSteps),
                                   "resume_from_checkpoint", "more max_steps or num_train_epochs"));
}

Status startOptimizer(Session& session, const fs::path& resume) {
  const auto& settings = session.settings;
  auto& model = *session.model;
  if (model.parameters.trainable().empty())
    return badInput("nothing is trained: every module is frozen", "finetuning_type",
                    "set freeze_language_model: false, or choose finetuning_type: lora");
  if (!session.device.is_cpu() && !cuda::kernelsOn(session.device)) {
    if (settings.eightBitMoments)
      return badInput("adamw_8bit needs the GPU's kernels, which are not used", "optim",
                      "choose adamw_torch_fused, or leave ROADTUNE_KERNELS unset");
    if (settings.pureBf16)
      return badInput("pure_bf16 needs the GPU's kernels, which are not used", "pure_bf16",
                      "set bf16: true in its place, or leave ROADTUNE_KERNELS unset");
  }
  ROADTUNE_TRY(session.distribution, distribute(model, *session.ranks, distributionOptions(session)));
  session.context.gate = session.distribution->gate();
  session.optimizer = std::make_unique<AdamW>(
      session.distribution->groups(),
      AdamW::Options{settings.beta1, settings.beta2, settings.epsilon, settings.eightBitMoments});
  if (settings.emaDecay)
    session.average = std::make_unique<WeightAverage>(*settings.emaDecay, session.optimizer->groups());
  if (!resume.empty()) {
    ROADTUNE_TRY(session.state, readResumeState(resume));  // says so where there is nothing to resume from
    if (session.average) ROADTUNE_CHECK(session.average->read(session.optimizer->groups(), resume));
    ROADTUNE_CHECK(readResumeTensors(*session.optimizer, resume));
    goOn(session, resume);
    session.reporter->print("resumed from " + resume.filename().string() + " at step " +
                            std::to_string(session.state.globalStep));
    warnOfOtherSteps(session);
    warnOfNothingLeft(session, resume);
  }
  return {};
}

}  // namespace

Status prepareModel(Session& session) {
  ROADTUNE_TRY(const auto resume, resumePath(session));
  if (session.settings.deterministic) useDeterministicKernels();
  if (!session.settings.pinsMemory) leavePageable();
  ROADTUNE_TRY(const auto method, model::methodFrom(session.config, resume));
  const auto options = loadOptions(session, method, resume);
  ROADTUNE_TRY(session.model, loadModel(options));
  ROADTUNE_CHECK(model::requireTrainable(session.model->tree));
  tellUnused(session, options.folder);
  ROADTUNE_CHECK(checkSameWeights(session, options.folder));
  if (resume.empty() && !options.adapter.empty()) {
    ROADTUNE_CHECK(checkSameWeights(session, options.adapter / "adapter_model.safetensors"));
    session.reporter->print("starts from the adapter of " + options.adapter.string());
  }
  placeOn(session.device, *session.model);
  const auto& tree = session.model->tree;
  if (session.settings.threads)
    at::set_num_threads(*session.settings.threads);
  else
    chooseThreads(tree.allParameters(), session.environment.localWorldSize);
  for (const auto& note : tree.notes) session.reporter->print("note: " + note);
  session.flopsPerToken = flopsPerToken(tree);
  setContext(session);
  return startOptimizer(session, resume);
}

}  // namespace roadtune::engine

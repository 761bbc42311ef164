// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoint/resume_files.h"

#include "core/engine/nn/ops.h"
#include "core/engine/nn/tensor_bytes.h"
#include "core/model/safetensors.h"
#include "core/model/safetensors_writer.h"

#include <vector>

namespace roadtune::engine {
namespace {

constexpr const char* kTensors = "resume.safetensors";
constexpr const char* kState = "resume.json";

// The buffers of a group that are stored, each under a prefix.
struct Stored {
  const char* prefix;
  at::Tensor FlatGroup::*buffer;
};
constexpr Stored kMoments[] = {{"exp_avg.", &FlatGroup::firstMoment}, {"exp_avg_sq.", &FlatGroup::secondMoment}};
constexpr Stored kValue = {"value.", &FlatGroup::values};

Status readInto(const model::SafetensorsFile& file, const std::string& name, at::Tensor into) {
  const auto* view = file.find(name);
  if (!view)
    return badInput("the resume state lacks " + name, file.path().string(),
                    "train the same modules as before, or start anew");
  const auto value = tensorFrom(*view);
  if (value.sizes() != into.sizes()) return badInput(name + " has another shape now", file.path().string());
  into.copy_(value);
  return {};
}

}  // namespace

Status writeResume(const AdamW& optimizer, const RunState& state, const std::string& configHash,
                   const fs::path& folder) {
  std::vector<at::Tensor> kept;
  std::vector<model::TensorView> views;
  const auto add = [&](const FlatGroup& group, std::size_t member, const Stored& what) {
    kept.push_back(group.slice(group.*what.buffer, member));
    views.push_back({what.prefix + group.members[member]->name, model::Dtype::F32, kept.back().sizes().vec(),
                     bytesOf(kept.back())});
  };
  for (const auto& group : optimizer.groups())
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      for (const auto& moment : kMoments) add(group, i, moment);
      if (group.members[i]->storedType != at::kFloat) add(group, i, kValue);
    }
  ROADTUNE_CHECK(model::writeSafetensors(folder / kTensors, views));
  auto json = toJson(state);
  json["optimizer_steps"] = optimizer.steps();
  json["config_hash"] = configHash;
  return writeFileAtomically(folder / kState, json.dump(2) + "\n");
}

Status readResumeTensors(AdamW& optimizer, const fs::path& folder) {
  const c10::NoGradGuard noGrad;
  ROADTUNE_TRY(const auto file, model::SafetensorsFile::open(folder / kTensors));
  for (auto& group : optimizer.groups())
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const auto& name = group.members[i]->name;
      for (const auto& moment : kMoments)
        ROADTUNE_CHECK(readInto(*file, moment.prefix + name, group.slice(group.*moment.buffer, i)));
      if (file->find(kValue.prefix + name))
        ROADTUNE_CHECK(readInto(*file, kValue.prefix + name, group.slice(group.values, i)));
    }
  ROADTUNE_TRY(const auto text, readFile(folder / kState));
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return badInput("resume.json cannot be read", folder.string());
  optimizer.setSteps(json.value("optimizer_steps", std::int64_t{0}));
  return {};
}

Result<RunState> readResumeState(const fs::path& folder) {
  const auto path = folder / kState;
  std::error_code code;
  if (!fs::exists(path, code))
    return badInput("the checkpoint holds weights alone, nothing to resume from", folder.string(),
                    "checkpoints written with save_only_model: true cannot be resumed");
  ROADTUNE_TRY(const auto text, readFile(path));
  return runStateFromJson(nlohmann::json::parse(text, nullptr, false), path.string());
}

}  // namespace roadtune::engine

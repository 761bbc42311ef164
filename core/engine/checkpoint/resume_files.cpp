// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoint/resume_files.h"

#include "core/engine/nn/ops.h"
#include "core/engine/nn/tensor_bytes.h"
#include "core/model/safetensors.h"
#include "core/model/weight_files.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace roadtune::engine {
namespace {

constexpr const char* kStem = "resume";
constexpr const char* kState = "resume.json";

// The buffers that are stored, each under a prefix.
struct Stored {
  const char* prefix;
  TrainedValues what;
  at::Tensor FlatGroup::*buffer;
};
constexpr Stored kMoments[] = {{"exp_avg.", TrainedValues::FirstMoment, &FlatGroup::firstMoment},
                               {"exp_avg_sq.", TrainedValues::SecondMoment, &FlatGroup::secondMoment}};
constexpr Stored kValue = {"value.", TrainedValues::Weights, &FlatGroup::values};

bool losesBits(const Parameter& parameter) { return parameter.storedType != at::kFloat; }

std::vector<model::TensorPlan> planOf(const ModelState& model) {
  std::vector<model::TensorPlan> plan;
  const auto add = [&](const Stored& what, const Parameter& parameter) {
    plan.push_back({what.prefix + parameter.name, model::Dtype::F32, parameter.value.sizes().vec()});
  };
  for (const auto* parameter : model.parameters.trainable()) {
    for (const auto& moment : kMoments) add(moment, *parameter);
    if (losesBits(*parameter)) add(kValue, *parameter);
  }
  return plan;
}

// resume.safetensors, or the files of its index.
class StoredTensors {
 public:
  static Result<StoredTensors> open(const fs::path& folder) {
    StoredTensors tensors;
    std::vector<std::string> names{std::string(kStem) + ".safetensors"};
    const auto index = folder / (names[0] + ".index.json");
    std::error_code code;
    if (fs::exists(index, code)) {
      ROADTUNE_TRY(const auto text, readFile(index));
      const auto parsed = nlohmann::json::parse(text, nullptr, false);
      if (!parsed.is_object() || !parsed.contains("weight_map")) return badInput("cannot be read", index.string());
      std::set<std::string> files;
      for (const auto& [name, file] : parsed["weight_map"].items()) files.insert(file.get<std::string>());
      names.clear();
      for (const auto& file : files) names.push_back(file);
    }
    for (const auto& name : names) {
      ROADTUNE_TRY(auto file, model::SafetensorsFile::open(folder / name));
      tensors.m_files.push_back(std::move(file));
    }
    return tensors;
  }

  const model::TensorView* find(const std::string& name) const {
    for (const auto& file : m_files)
      if (const auto* view = file->find(name)) return view;
    return nullptr;
  }
  std::string path() const { return m_files.front()->path().string(); }

 private:
  std::vector<std::shared_ptr<const model::SafetensorsFile>> m_files;
};

Status readInto(const StoredTensors& file, const std::string& prefix, FlatGroup& group, std::size_t member,
                at::Tensor FlatGroup::*buffer) {
  const auto& parameter = *group.members[member];
  const auto name = prefix + parameter.name;
  const auto* view = file.find(name);
  if (!view)
    return badInput("the resume state lacks " + name, file.path(), "train the same modules as before, or start anew");
  if (view->shape != parameter.value.sizes().vec() || view->dtype != model::Dtype::F32)
    return badInput(name + " has another shape now", file.path());
  constexpr std::size_t kSize = sizeof(float);
  const auto begin = static_cast<std::size_t>(group.begins[member]) * kSize,
             bytes = static_cast<std::size_t>(group.counts[member]) * kSize;
  const auto part = tensorFrom({name, view->dtype, {group.counts[member]}, view->bytes.subspan(begin, bytes)});
  (group.*buffer).narrow(0, group.offsets[member], group.counts[member]).copy_(part);
  return {};
}

}  // namespace

Status writeResume(Distribution& distribution, const ModelState& model, const AdamW& optimizer, const RunState& state,
                   const ResumeWriting& writing, const fs::path& folder) {
  std::optional<model::ShardedWriter> writer;
  Status status;
  if (writing.writes) {
    auto made =
        model::ShardedWriter::create(folder, planOf(model), writing.maxShardBytes, model::torchMetadata(), kStem);
    if (made.ok())
      writer = std::move(made).value();
    else
      status = made.error();
  }
  const auto store = [&](const Stored& what, bool onlyLosing) {
    distribution.eachTrained(optimizer, what.what, [&](const Parameter& parameter, const at::Tensor& value) {
      if (!writer || !status.ok() || (onlyLosing && !losesBits(parameter))) return;
      status = writer->write(what.prefix + parameter.name, bytesOf(value));
    });
  };
  for (const auto& moment : kMoments) store(moment, false);
  bool values = false;
  for (const auto* parameter : model.parameters.trainable()) values |= losesBits(*parameter);
  if (values) store(kValue, true);
  ROADTUNE_CHECK(status);
  if (!writer) return {};
  ROADTUNE_CHECK(writer->finish());
  auto json = toJson(state);
  json["optimizer_steps"] = optimizer.steps();
  json["config_hash"] = writing.configHash;
  return writeFileAtomically(folder / kState, json.dump(2) + "\n");
}

Status readResumeTensors(AdamW& optimizer, const fs::path& folder) {
  const c10::NoGradGuard noGrad;
  ROADTUNE_TRY(const auto file, StoredTensors::open(folder));
  for (auto& group : optimizer.groups()) {
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      for (const auto& moment : kMoments) ROADTUNE_CHECK(readInto(file, moment.prefix, group, i, moment.buffer));
      if (file.find(kValue.prefix + group.members[i]->name))
        ROADTUNE_CHECK(readInto(file, kValue.prefix, group, i, kValue.buffer));
    }
    group.round();
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

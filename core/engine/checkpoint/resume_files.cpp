// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoint/resume_files.h"

#include "core/engine/nn/ops.h"
#include "core/engine/nn/tensor_bytes.h"
#include "core/model/moments.h"
#include "core/model/safetensors.h"
#include "core/model/weight_files.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace roadtune::engine {
namespace {

constexpr const char* kStem = "resume";
constexpr const char* kState = "resume.json";

// What is stored, under names of a prefix and perhaps an ending.
struct Stored {
  TrainedValues what;
  const char *prefix, *ending;
  std::string nameOf(const Parameter& parameter) const { return prefix + parameter.name + ending; }
};
struct StoredMoment {
  Stored values, scales;
  Moment FlatGroup::*moment;
  bool withSign;
};
const StoredMoment kMoments[] = {
    {{TrainedValues::FirstMoment, "exp_avg.", ""},
     {TrainedValues::FirstScales, "exp_avg.", ".absmax"},
     &FlatGroup::firstMoment,
     true},
    {{TrainedValues::SecondMoment, "exp_avg_sq.", ""},
     {TrainedValues::SecondScales, "exp_avg_sq.", ".absmax"},
     &FlatGroup::secondMoment,
     false},
};
constexpr Stored kValue = {TrainedValues::Weights, "value.", ""};

bool losesBits(const Parameter& parameter) {
  return parameter.storedType != at::kFloat && !(parameter.narrow && parameter.storedType == at::kBFloat16);
}

std::vector<model::TensorPlan> planOf(const ModelState& model, bool eightBit) {
  std::vector<model::TensorPlan> plan;
  for (const auto& tensor : model.tree.tensors) {
    const auto* parameter = model.parameters.find(tensor.name);
    if (!parameter || !parameter->trainable) continue;
    const auto shape = parameter->value.sizes().vec();
    const bool inBytes = eightBit && model::momentsInBytes(model.tree.moduleOf(tensor), tensor);
    for (const auto& [values, scales, moment, withSign] : kMoments) {
      plan.push_back({values.nameOf(*parameter), inBytes ? model::Dtype::U8 : model::Dtype::F32, shape});
      if (inBytes) plan.push_back({scales.nameOf(*parameter), model::Dtype::F32, {scalesFor(tensor.elements())}});
    }
    if (losesBits(*parameter)) plan.push_back({kValue.nameOf(*parameter), model::Dtype::F32, shape});
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

// Elements of a tensor of the files, from `begin` on.
Result<at::Tensor> partOf(const StoredTensors& file, const std::string& name, model::Dtype type, at::IntArrayRef shape,
                          std::int64_t begin, std::int64_t count) {
  const auto* view = file.find(name);
  if (!view)
    return badInput("the resume state lacks " + name, file.path(), "train the same modules as before, or start anew");
  if (view->shape != shape.vec() || view->dtype != type) return badInput(name + " has another shape now", file.path());
  const auto size = static_cast<std::size_t>(model::sizeOf(type));
  return tensorFrom(
      {name,
       type,
       {count},
       view->bytes.subspan(static_cast<std::size_t>(begin) * size, static_cast<std::size_t>(count) * size)});
}

Result<at::Tensor> floatsOf(const StoredTensors& file, const Stored& what, const FlatGroup& group, std::size_t member) {
  const auto& parameter = *group.members[member];
  return partOf(file, what.nameOf(parameter), model::Dtype::F32, parameter.value.sizes(), group.begins[member],
                group.counts[member]);
}

// A moment as it was kept, or turned into what this run keeps.
Status readMoment(const StoredTensors& file, const StoredMoment& stored, FlatGroup& group, std::size_t member) {
  const auto& parameter = *group.members[member];
  auto into = (group.*stored.moment).narrow(group.offsets[member], group.counts[member]);
  const auto* view = file.find(stored.values.nameOf(parameter));
  if (!view || view->dtype != model::Dtype::U8) {
    ROADTUNE_TRY(const auto floats, floatsOf(file, stored.values, group, member));
    into.set(floats);
    return {};
  }
  const auto begin = group.begins[member], count = group.counts[member];
  const auto blocks = scalesFor(begin + count) - begin / model::kMomentBlock;
  ROADTUNE_TRY(const auto bytes,
               partOf(file, stored.values.nameOf(parameter), model::Dtype::U8, parameter.value.sizes(), begin, count));
  ROADTUNE_TRY(const auto scales, partOf(file, stored.scales.nameOf(parameter), model::Dtype::F32,
                                         {scalesFor(parameter.value.numel())}, begin / model::kMomentBlock, blocks));
  if (into.inBytes()) {
    into.values.copy_(bytes);
    into.scales.copy_(scales);
  } else {
    into.values.copy_(momentFromBytes(bytes, scales, begin % model::kMomentBlock, stored.withSign));
  }
  return {};
}

}  // namespace

Status writeResume(Distribution& distribution, const ModelState& model, const AdamW& optimizer, const RunState& state,
                   const ResumeWriting& writing, const fs::path& folder) {
  std::optional<model::ShardedWriter> writer;
  Status status;
  if (writing.writes) {
    auto made = model::ShardedWriter::create(folder, planOf(model, optimizer.eightBit()), writing.maxShardBytes,
                                             model::torchMetadata(), kStem);
    if (made.ok())
      writer = std::move(made).value();
    else
      status = made.error();
  }
  const auto trained = model.parameters.trainable();
  const bool values = std::any_of(trained.begin(), trained.end(), [](const auto* one) { return losesBits(*one); });
  std::int64_t done = 0;
  const auto total = static_cast<std::int64_t>(
      trained.size() * (std::size(kMoments) * (optimizer.eightBit() ? 2 : 1) + (values ? 1 : 0)));
  const auto store = [&](const Stored& what, bool onlyLosing) {
    distribution.eachTrained(optimizer, what.what, [&](const Parameter& parameter, const at::Tensor& value) {
      if (writing.told) writing.told(++done, total);
      if (!writer || !status.ok() || (onlyLosing && !losesBits(parameter))) return;
      const bool widened = onlyLosing && value.scalar_type() != at::kFloat;
      status = writer->write(what.nameOf(parameter), bytesOf(widened ? value.to(at::kFloat) : value));
    });
  };
  for (const auto& moment : kMoments) {
    store(moment.values, false);
    if (optimizer.eightBit()) store(moment.scales, false);
  }
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
      for (const auto& moment : kMoments) ROADTUNE_CHECK(readMoment(file, moment, group, i));
      if (!file.find(kValue.nameOf(*group.members[i]))) continue;
      ROADTUNE_TRY(const auto values, floatsOf(file, kValue, group, i));
      group.setValues(group.offsets[i], values);
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

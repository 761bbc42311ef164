// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoint/weights_writer.h"

#include "core/base/text.h"
#include "core/engine/checkpoint/model_config_file.h"
#include "core/engine/nn/tell_tensors.h"
#include "core/engine/nn/tensor_bytes.h"
#include "core/engine/quant/nf4_files.h"
#include "core/model/adapter_config.h"
#include "core/model/safetensors_writer.h"
#include "core/model/weight_files.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string_view>

namespace roadtune::engine {
namespace {

constexpr std::array kTokenizerFiles{"tokenizer.json", "tokenizer.model", "tokenizer_config.json",
                                     "special_tokens_map.json", "added_tokens.json"};
constexpr std::array kProcessorFiles{"preprocessor_config.json", "processor_config.json", "chat_template.jinja"};

Status copyFile(const fs::path& from, const fs::path& to) {
  std::error_code code;
  if (!fs::exists(from, code)) return {};
  ROADTUNE_TRY(const auto content, readFile(from));
  return writeFileAtomically(to, content);
}

template <class Names>
Status copyAll(const Names& names, const fs::path& from, const fs::path& to) {
  for (const char* name : names) ROADTUNE_CHECK(copyFile(from / name, to / name));
  return {};
}

Status copyTextFiles(const WeightsWriting& options, const fs::path& folder) {
  ROADTUNE_CHECK(copyAll(kProcessorFiles, options.base, folder));
  return copyAll(kTokenizerFiles, options.tokenizer.empty() ? options.base : options.tokenizer, folder);
}

model::AdapterLayout adapterLayout(const ModelState& state, const std::string& asked) {
  if (asked == "A") return model::AdapterLayout::A;
  if (asked == "B") return model::AdapterLayout::B;
  if (asked == "C") return model::AdapterLayout::C;
  return state.adapterLayout.value_or(model::AdapterLayout::C);
}

// What belongs into the adapter's file: adapters, and base tensors trained beside them.
std::vector<const Parameter*> adapterTensors(const ModelState& state) {
  std::vector<const Parameter*> result;
  for (const auto& tensor : state.tree.tensors) {
    const auto* parameter = state.parameters.find(tensor.name);
    if (parameter && (tensor.role != model::TensorRole::Base || parameter->trainable)) result.push_back(parameter);
  }
  return result;
}

// One tensor of a checkpoint: its bytes are made when they are written.
struct CheckpointTensor {
  std::string name;
  model::Dtype dtype;
  std::vector<std::int64_t> shape;
  std::function<at::Tensor()> bytes;
};

std::string diskName(const ModelState& state, const std::string& canonical) {
  const auto onDisk = state.diskNames.find(canonical);
  return onDisk != state.diskNames.end() ? onDisk->second : model::nameIn(state.layout, canonical);
}

void addDense(const ModelState& state, const Parameter& parameter, const WeightsWriting& options,
              std::vector<CheckpointTensor>& all) {
  all.push_back({diskName(state, parameter.name), dtypeOf(parameter.storedType), parameter.value.sizes().vec(),
                 [&parameter, &options] { return plain(options.valueOf(parameter), parameter.storedType); }});
}

// What is frozen leaves a run as it came, although a narrower type may hold it meanwhile: its bytes are those of the
// model it came from.
class Originals {
 public:
  explicit Originals(fs::path folder) : m_folder(std::move(folder)) {}

  std::function<at::Tensor()> of(const Parameter& parameter) {
    if (parameter.trainable || parameter.value.scalar_type() == parameter.storedType) return {};
    if (!m_files) {
      auto files = model::WeightFiles::open(m_folder);
      m_files =
          std::make_shared<const model::WeightFiles>(files.ok() ? std::move(files).value() : model::WeightFiles());
    }
    const auto* view = m_files->find(parameter.name);
    if (!view || view->dtype != dtypeOf(parameter.storedType) || view->shape != parameter.value.sizes().vec())
      return {};
    return [files = m_files, view] { return tensorFrom(*view); };
  }

 private:
  fs::path m_folder;
  std::shared_ptr<const model::WeightFiles> m_files;
};

std::vector<CheckpointTensor> modelTensors(const ModelState& state, const WeightsWriting& options) {
  std::vector<CheckpointTensor> all;
  Originals originals(options.base);
  for (const auto& tensor : state.tree.tensors) {
    if (tensor.role != model::TensorRole::Base) continue;
    if (const auto* parameter = state.parameters.find(tensor.name)) {
      addDense(state, *parameter, options, all);
      if (const auto original = options.writes ? originals.of(*parameter) : nullptr)
        all.back().bytes = [original, shared = std::move(all.back().bytes), &options] {
          if (options.together) shared();  // the other ranks wait for this one
          return original();
        };
    } else if (const auto packed = state.quantised.find(tensor.name); packed != state.quantised.end()) {
      for (auto& part : storedNf4(diskName(state, tensor.name), *packed->second))
        all.push_back({part.name, dtypeOf(part.tensor.scalar_type()), part.tensor.sizes().vec(),
                       [kept = part.tensor] { return kept; }});
    }
  }
  if (isUntied(state) && !state.tree.find(model::kLmHead))
    addDense(state, *state.parameters.find(model::kLmHead), options, all);
  return all;
}

}  // namespace

Status writeModel(const ModelState& state, const fs::path& folder, const WeightsWriting& options) {
  const auto tensors = modelTensors(state, options);
  std::vector<model::TensorPlan> plan;
  for (const auto& tensor : tensors) plan.push_back({tensor.name, tensor.dtype, tensor.shape});
  std::int64_t done = 0;
  const auto tellOneMore = [&] {
    if (options.told) options.told(++done, static_cast<std::int64_t>(tensors.size()));
  };
  if (!options.writes) {
    for (const auto& tensor : tensors) {
      tensor.bytes();
      tellOneMore();
    }
    return {};
  }
  auto writer = model::ShardedWriter::create(folder, plan, options.maxShardBytes);
  Status status = writer.ok() ? Status() : Status(writer.error());
  for (const auto& tensor : tensors) {  // to the end even after a failure: other ranks take part in it
    if (!status.ok() && !options.together) return status;
    if (options.goesOn && !options.goesOn()) return cancelled();
    const auto bytes = tensor.bytes();
    if (status.ok()) status = writer.value().write(tensor.name, bytesOf(bytes));
    tellOneMore();
  }
  ROADTUNE_CHECK(status);
  ROADTUNE_CHECK(writer.value().finish());
  ROADTUNE_CHECK(writeModelConfig(state, options.base, folder));
  ROADTUNE_CHECK(copyFile(options.base / "generation_config.json", folder / "generation_config.json"));
  return copyTextFiles(options, folder);
}

Status requireNewFolder(const fs::path& folder) {
  std::error_code code;
  if (!fs::exists(folder, code)) return {};
  const std::string other = "choose another --out";
  if (!fs::is_directory(folder, code)) return badInput("is a file, not a folder", folder.string(), other);
  if (fs::exists(folder / "config.json", code))
    return badInput("the folder already holds a model", folder.string(), other);
  if (!fs::is_empty(folder, code)) return badInput("the folder is not empty", folder.string(), other);
  return {};
}

Status writeNewModel(const ModelState& state, const fs::path& folder, const fs::path& base, std::uint64_t maxShardBytes,
                     ProgressSink& progress) {
  bool goesOn = true;
  WeightsWriting options{.base = base, .maxShardBytes = maxShardBytes};
  options.told = [&](auto done, auto total) { goesOn = tellTensors(progress, "writing", done, total); };
  options.goesOn = [&goesOn] { return goesOn; };
  fs::path whole = folder.lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  fs::path partial = whole;
  partial += ".partial";
  std::error_code code;
  fs::remove_all(partial, code);
  ROADTUNE_CHECK(makeFolders(partial));
  Status written = writeModel(state, partial, options);
  if (written.ok()) {
    fs::rename(partial, whole, code);  // also over an empty folder
    if (!code) return {};
    written = systemError(code.value(), "the model cannot be put there", whole.string());
  }
  fs::remove_all(partial, code);
  return written;
}

Status writeAdapter(const ModelState& state, const fs::path& folder, const WeightsWriting& options) {
  const auto layout = adapterLayout(state, options.adapterLayout);
  std::vector<at::Tensor> kept;
  std::vector<model::TensorView> views;
  for (const auto* parameter : adapterTensors(state)) {
    kept.push_back(plain(options.valueOf(*parameter), parameter->storedType));
    const auto* tensor = state.tree.find(parameter->name);
    const bool onAdapted = tensor->role == model::TensorRole::Base && state.tree.moduleOf(*tensor).lora;
    views.push_back({model::adapterName(layout, parameter->name, onAdapted), dtypeOf(parameter->storedType),
                     kept.back().sizes().vec(), bytesOf(kept.back())});
  }
  if (!options.writes) return {};
  if (model::trainsTiedHead(state.tree)) {
    auto head = std::find_if(views.begin(), views.end(), [&](const auto& view) {
      return view.name == model::adapterName(layout, model::kEmbedTokens);
    });
    auto copy = *head;
    copy.name = model::adapterName(layout, model::kLmHead);
    views.push_back(std::move(copy));
  }
  ROADTUNE_CHECK(model::writeSafetensors(folder / "adapter_model.safetensors", views));
  ROADTUNE_CHECK(
      writeFileAtomically(folder / "adapter_config.json", model::adapterConfigText(state.tree, options.base.string())));
  return copyTextFiles(options, folder);
}

}  // namespace roadtune::engine

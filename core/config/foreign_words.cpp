// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/foreign_words.h"

#include "core/base/text.h"
#include "core/config/dataset_info.h"
#include "core/config/scalars.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace roadtune::config {
namespace {

class Translation {
 public:
  Translation(YamlNode& root, const std::string& where, std::vector<Problem>& notes)
      : m_root(root), m_where(where), m_notes(notes) {}

  // accelerate counts the processes of all machines together.
  void fromAccelerate() {
    const auto machines = parseInteger(textOf("num_machines")), processes = parseInteger(textOf("num_processes"));
    if (!machines || !processes || *machines < 2) return;
    if (*processes % *machines != 0)
      return drop("num_processes", fmt::format("{} processes do not go into {} machines", *processes, *machines),
                  "nproc_per_node: processes on each machine");
    rename("num_processes", "nproc_per_node", std::to_string(*processes / *machines));
  }

  // TRL's switch for LoRA.
  void fromTrl() {
    if (!find("use_peft")) return;
    if (find("finetuning_type")) return erase("use_peft");
    rename("use_peft", "finetuning_type", isOn("use_peft") ? "lora" : "full");
  }

  void fromAxolotl() {
    for (const char* key : {"bf16", "tf32"}) turn(key, {"auto", "full"}, "true");
    turn("gradient_checkpointing", {"offload", "offload_disk", "unsloth"}, "true");
    perEpoch("saves_per_epoch", "save");
    for (const char* key : {"datasets", "test_datasets"})
      if (YamlNode* sources = find(key))
        for (YamlNode& source : sources->items) dropMembers(key, source);
    if (isOn("val_set_size") || find("test_datasets")) return perEpoch("evals_per_epoch", "eval");
    if (find("evals_per_epoch")) drop("evals_per_epoch", "there is no data to evaluate on");
  }

  void fromLlamaFactory() {
    if (const std::string stage = textOf("stage"); !stage.empty() && stage != "sft")
      drop("stage",
           fmt::format("'{}' is not offered: a run learns the answers of its samples, which is called sft there",
                       stage));
    if (textOf("finetuning_type") == "freeze") trainsLastLayers();
    if (textOf("mix_strategy") == "concat") erase("mix_strategy");
    severalSets();
  }

  // It trains some layers in full and nothing else; which ones these are has to be said here, and is not guessed.
  void trainsLastLayers() {
    const YamlNode at = place("finetuning_type")->key();
    m_notes.push_back({at.line, at.column, "finetuning_type",
                       "'freeze' trains some layers, which are named here: until then everything is frozen",
                       "modules: {language_model.layers.17: full}", m_where, Severity::Warning});
    rename("finetuning_type", "finetuning_type", "full");
    add("finetuning_type", "freeze_language_model", "true");
  }

  // Names of sets of its own list, or files, between commas.
  void severalSets() {
    for (const char* key : {"dataset", "eval_dataset"}) {
      YamlNode* sets = find(key);
      if (!sets || !sets->isScalar() || sets->isNull()) continue;
      std::vector<std::string> names;
      for (const std::string& name : split(sets->text, ','))
        if (!trim(name).empty()) names.push_back(setNamed(std::string(trim(name))));
      if (names.size() > 1) setList(*sets, names);
      if (names.size() == 1) set(*sets, names[0]);
      if (std::string_view(key) == "dataset") samplesOfAll(static_cast<std::int64_t>(names.size()));
    }
  }

  // The file of a set, where its own list of them is at hand.
  std::string setNamed(const std::string& name) const {
    const YamlNode* folder = find("dataset_dir");
    const auto file = fileOfDataset(m_where, folder && folder->isScalar() ? folder->text : "data", name);
    return file ? file->string() : name;
  }

  // It counts for each set there.
  void samplesOfAll(std::int64_t sets) {
    const auto each = parseInteger(textOf("max_samples"));
    if (!each || sets < 2) return;
    const YamlNode at = place("max_samples")->key();
    m_notes.push_back(
        {at.line, at.column, "max_samples",
         fmt::format("{} of each of {} sets: here {} of all, each giving its share", *each, sets, *each * sets), "",
         m_where, Severity::Warning});
    rename("max_samples", "max_samples", std::to_string(*each * sets));
  }

  void fromUnsloth() {
    turn("gradient_checkpointing", {"unsloth", "mlx", ""}, "true");
    turn("gradient_checkpointing", {"none"}, "false");
    if (isZero("save_steps")) rename("save_steps", "save_strategy", "no");
    for (const char* key : {"eval_steps", "num_epochs", "max_steps"})
      if (isZero(key)) erase(key);
    adapterLayers();
  }

  void fromAutoTrain() {
    static const std::vector<std::pair<std::string, std::string>> kTasks = {
        {"vlm:vqa", "vqa"}, {"vlm:captioning", "caption"}, {"vlm:detection", "detect"}};
    for (const auto& [theirs, ours] : kTasks) turn("task", {theirs}, ours);
    rename("path", "train_data");
    rename("project_name", "output_dir");
    rename("log", "report_to");
    precision();
    autoTrainMethod();
  }

  void fromSwift() {
    // With `model` beside it this is the name that the model is to call itself.
    if (find("model"))
      for (const char* key : {"model_name", "model_author"})
        if (find(key)) drop(key, "what the model calls itself is not trained");
    for (const char* key : {"dataset", "val_dataset"})
      if (YamlNode* data = find(key)) dropCounts(key, *data);
    if (find("val_dataset") && find("split_dataset_ratio")) erase("split_dataset_ratio");  // nor is it used there
  }

 private:
  // Where a key stands: at the top, or below one of the headings there.
  struct Place {
    YamlNode* map = nullptr;
    std::size_t index = 0;
    YamlNode& key() const { return map->entries[index].first; }
    YamlNode& value() const { return map->entries[index].second; }
  };

  std::optional<Place> place(std::string_view key) const {
    std::vector<YamlNode*> maps{&m_root};
    for (auto& [name, value] : m_root.entries)
      if (value.isMap()) maps.push_back(&value);
    for (YamlNode* map : maps)
      for (std::size_t i = 0; i < map->entries.size(); ++i)
        if (map->entries[i].first.text == key && !map->entries[i].second.isMap()) return Place{map, i};
    return std::nullopt;
  }
  YamlNode* find(std::string_view key) const {
    const auto found = place(key);
    return found ? &found->value() : nullptr;
  }
  std::string textOf(std::string_view key) const {
    const YamlNode* value = find(key);
    return value && value->isScalar() ? lower(value->text) : std::string();
  }
  bool isZero(std::string_view key) const { return parseNumber(textOf(key)) == 0.0; }
  bool isOn(std::string_view key) const {
    return find(key) && !find(key)->isNull() && !isZero(key) && parseFlag(textOf(key)) != false;
  }

  static void set(YamlNode& node, const std::string& text) {
    node.kind = YamlNode::Kind::Scalar;
    node.text = text;
    node.items.clear();
    node.entries.clear();
  }
  static void setList(YamlNode& node, const std::vector<std::string>& words) {
    const YamlNode like = node;
    node.kind = YamlNode::Kind::List;
    node.items.clear();
    for (const auto& word : words) {
      YamlNode item = like;
      set(item, word);
      node.items.push_back(std::move(item));
    }
  }

  void turn(std::string_view key, const std::vector<std::string>& theirs, const std::string& ours) {
    YamlNode* value = find(key);
    if (!value || !value->isScalar()) return;
    if (std::find(theirs.begin(), theirs.end(), lower(value->text)) != theirs.end()) set(*value, ours);
  }
  void rename(std::string_view key, const std::string& ours, const std::optional<std::string>& text = {}) {
    const auto found = place(key);
    if (!found) return;
    set(found->key(), ours);
    if (text) set(found->value(), *text);
  }
  void add(std::string_view beside, const std::string& key, const std::string& text) {
    const auto found = place(beside);
    if (!found || find(key)) return;
    auto entry = found->map->entries[found->index];
    set(entry.first, key);
    set(entry.second, text);
    found->map->entries.insert(found->map->entries.begin() + static_cast<std::ptrdiff_t>(found->index) + 1, entry);
  }
  void erase(std::string_view key) {
    const auto found = place(key);
    if (found) found->map->entries.erase(found->map->entries.begin() + static_cast<std::ptrdiff_t>(found->index));
  }
  void drop(const std::string& key, const std::string& why, const std::string& hint = {}) {
    const YamlNode at = place(key)->key();
    m_notes.push_back({at.line, at.column, key, why, hint, m_where, Severity::Warning});
    erase(key);
  }

  // Once an epoch has a word of its own here; more often is a share of all steps.
  void perEpoch(const std::string& key, const std::string& what) {
    const auto times = parseNumber(textOf(key));
    if (!times || *times <= 0) return;
    if (*times == 1) return rename(key, what + "_strategy", "epoch");
    const auto given = parseNumber(textOf("num_epochs"));
    const double epochs = given && *given > 0 ? *given : 1;
    rename(key, what + "_steps", fmt::format("{:.6g}", 1 / (*times * epochs)));
    add(what + "_steps", what + "_strategy", "steps");
  }

  // Which layers of a block get adapters is two switches there and a list of names here.
  void adapterLayers() {
    if (const YamlNode* named = find("target_modules"); named && named->isScalar() && named->text.empty())
      erase("target_modules");
    const bool attention = !find("finetune_attention_modules") || isOn("finetune_attention_modules");
    const bool mlp = !find("finetune_mlp_modules") || isOn("finetune_mlp_modules");
    if (attention != mlp && !find("target_modules")) {
      using Names = std::vector<std::string>;
      const char* off = attention ? "finetune_mlp_modules" : "finetune_attention_modules";
      setList(*find(off), attention ? Names{"q_proj", "k_proj", "v_proj", "o_proj", "out_proj"}
                                    : Names{"gate_proj", "up_proj", "down_proj", "fc1", "fc2"});
      set(place(off)->key(), "target_modules");
    }
    if (find("target_modules")) erase("vision_all_linear");
  }

  void precision() {
    const std::string type = textOf("mixed_precision");
    if (type == "bf16") return rename("mixed_precision", "bf16", "true");
    if (type == "fp16") return drop("mixed_precision", "float16 is not offered", "bf16: true");
    erase("mixed_precision");
  }

  // Adapters are on 4 bits there unless something else is said.
  void autoTrainMethod() {
    const bool adapters = isOn("peft");
    const std::string bits = textOf("quantization");
    const bool four = bits == "int4" || !find("quantization");
    if (find("peft")) rename("peft", "finetuning_type", !adapters ? "full" : four ? "qlora" : "lora");
    if (adapters && bits == "int8") return rename("quantization", "load_in_8bit", "true");
    erase("quantization");
  }

  // What a source has there and not here. How texts are made of other files is not needed: our lines have them.
  void dropMembers(const std::string& key, YamlNode& source) {
    // {path: json, data_files: train.jsonl}: the path is a kind there.
    YamlNode *path = nullptr, *files = nullptr;
    for (auto& [name, value] : source.entries) {
      if (name.text == "path") path = &value;
      if (name.text == "data_files") files = &value;
    }
    if (files && files->items.size() == 1) *files = YamlNode(files->items.front());
    if (path && files && files->isScalar()) *path = *files;
    const bool several = files && !files->isScalar();
    static const std::vector<std::string> kParts = {"split", "shards", "shards_idx"};
    static const std::vector<std::string> kOurs = {"path",   "weight",    "query",     "task",
                                                   "images", "file",      "file_name", "index",
                                                   "filter", "data_path", "image_dir", "image_folder"};
    const auto isOneOf = [](const std::vector<std::string>& names, const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::erase_if(source.entries, [&](const auto& member) {
      const auto& [name, value] = member;
      if (isOneOf(kOurs, name.text) || (several && name.text == "data_files")) return false;
      if (path && name.text == "data_files") return true;
      const bool part = isOneOf(kParts, name.text) && value.text != "train";
      m_notes.push_back({name.line, name.column, key,
                         part ? fmt::format("all samples are taken: '{}: {}' is left out", name.text, value.text)
                              : fmt::format("'{}' of a source is not needed here, and left out", name.text),
                         part ? "max_train_samples, or a file of its own" : "", m_where, Severity::Warning});
      return true;
    });
  }

  // "walkers.jsonl#500" takes 500 samples of it.
  void dropCounts(const std::string& key, YamlNode& data) {
    std::vector<YamlNode*> paths;
    if (data.isScalar()) paths.push_back(&data);
    for (YamlNode& item : data.items)
      if (item.isScalar()) paths.push_back(&item);
    for (YamlNode* path : paths) {
      const auto mark = path->text.rfind('#');
      if (mark == std::string::npos || !parseInteger(path->text.substr(mark + 1))) continue;
      m_notes.push_back({path->line, path->column, key, "all samples are taken, not " + path->text.substr(mark + 1),
                         key == "dataset" ? "max_train_samples" : "max_eval_samples", m_where, Severity::Warning});
      path->text.resize(mark);
    }
  }

  YamlNode& m_root;
  const std::string& m_where;
  std::vector<Problem>& m_notes;
};

}  // namespace

YamlNode inOurWords(YamlNode root, FileKind kind, const std::string& where, std::vector<Problem>& notes) {
  Translation translation(root, where, notes);
  translation.fromAccelerate();
  translation.fromTrl();
  switch (kind) {
    case FileKind::LlamaFactory: translation.fromLlamaFactory(); break;
    case FileKind::Axolotl: translation.fromAxolotl(); break;
    case FileKind::Unsloth: translation.fromUnsloth(); break;
    case FileKind::AutoTrain: translation.fromAutoTrain(); break;
    case FileKind::Swift: translation.fromSwift(); break;
    default: break;
  }
  return root;
}

}  // namespace roadtune::config

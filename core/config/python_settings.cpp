// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/config/code_words.h"
#include "core/config/foreign_keys.h"
#include "core/config/program_settings.h"
#include "core/config/python_code.h"
#include "core/config/python_freezing.h"
#include "core/config/scalars.h"
#include "core/config/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace roadtune::config {
namespace {

class PythonSettings {
 public:
  PythonSettings(std::string_view code, const std::string& where, std::map<std::string, YamlNode> given)
      : m_code(code, std::move(given)), m_where(where) {
    m_settings.map.kind = YamlNode::Kind::Map;
  }

  ProgramSettings read() {
    takeModel();
    takeBits();
    takeAdapters();
    takeTraining();
    takeFrozenParts();
    takeData();
    sayDefaults();
    for (const std::string& option : m_code.options())
      if (m_used.count(option) > 0 || !(findField(option) || findForeignKey(option)))
        m_settings.options.push_back(option);
    return std::move(m_settings);
  }

 private:
  using Call = PythonCode::Call;
  using Argument = PythonCode::Argument;

  bool says(std::string_view words) const { return m_code.text().find(words) != std::string::npos; }

  void note(const YamlNode& at, const std::string& key, const std::string& message, const std::string& hint) {
    m_settings.notes.push_back({at.line, at.column, key, message, hint, m_where, Severity::Warning});
  }
  // What the program says last counts, as when its cells are run one after the other.
  void put(YamlNode key, YamlNode value) {
    auto& entries = m_settings.map.entries;
    std::erase_if(entries, [&](const auto& entry) { return entry.first.text == key.text; });
    entries.emplace_back(std::move(key), std::move(value));
  }
  void say(std::size_t offset, const std::string& key, const std::string& value) {
    put(m_code.nodeAt(offset, key), m_code.nodeAt(offset, value));
  }
  void take(const Argument& argument) {
    if (argument.name.empty()) return;
    const auto asked = m_code.optionsIn(argument.text);
    m_used.insert(asked.begin(), asked.end());
    if (argument.value) {
      for (const std::string& option : asked) m_defaults[argument.name].insert(option);
      return put(argument.key, *argument.value);
    }
    if (findForeignKey(argument.name)) return;  // of no use here, whatever it is
    if (m_code.isUnknownOption(argument.text))
      return note(argument.key, argument.name, "is given to the program when it is started: --" + asked.front(),
                  "write its value, or import the script that starts it");
    note(argument.key, argument.name, "is worked out by the program: " + inOneLine(argument.text), "write its value");
  }

  void takeAll(const Call& call) {
    for (const auto& argument : call.arguments) take(argument);
    for (const auto& member : m_code.membersSetAfter(call)) take(member);
  }

  static std::string textOf(const Call& call) {
    std::vector<std::string> words;
    for (const auto& argument : call.arguments)
      words.push_back((argument.name.empty() || argument.name == "**" ? argument.name : argument.name + "=") +
                      inOneLine(argument.text));
    return call.callee + "(" + join(words, ", ") + ")";
  }

  // The first argument without a name is that one.
  Call withFirst(Call call, const std::string& name) const {
    if (!call.arguments.empty() && call.arguments[0].name.empty()) {
      call.arguments[0].name = name;
      call.arguments[0].key = m_code.nodeAt(call.offset, name);
    }
    return call;
  }

  void takeTraining() {
    for (const Call& call : m_code.callsOf({"TrainingArguments", "Seq2SeqTrainingArguments", "SFTConfig"}))
      takeAll(withFirst(call, "output_dir"));
    for (const Call& call : m_code.callsOf({"set_training", "set_evaluate", "set_save", "set_logging",
                                            "set_lr_scheduler", "set_optimizer", "set_dataloader"}))
      note(m_code.nodeAt(call.offset, {}), "TrainingArguments", "the program changes settings: " + textOf(call),
           "write them into the call of TrainingArguments");
    for (const Call& call : m_code.callsOf({"EarlyStoppingCallback"})) {
      say(call.offset, "early_stopping_patience", "1");
      for (const auto& argument : withFirst(call, "early_stopping_patience").arguments) take(argument);
    }
    for (const Call& call : m_code.callsOf({"SGD", "Adam", "AdamW", "Adafactor", "RMSprop", "Lion", "AdamW8bit",
                                            "PagedAdamW", "PagedAdamW8bit", "PagedAdamW32bit"}))
      note(m_code.nodeAt(call.offset, {}), "optim", "the program makes its own optimizer: " + textOf(call),
           "optim, learning_rate and weight_decay");
  }

  static bool isModel(const Call& call) {
    return call.callee.find("ForConditionalGeneration") != std::string::npos || startsWith(call.callee, "AutoModel") ||
           isUnsloth(call);
  }

  // Whoever starts the program may have said otherwise.
  void sayDefaults() {
    if (m_defaults.empty()) return;
    std::vector<std::string> all;
    for (const auto& [key, options] : m_defaults)
      all.push_back(options == std::set{key} ? key : fmt::format("{} (--{})", key, fmt::join(options, ", --")));
    note(YamlNode{}, "command line", "the program's own defaults are taken for " + join(all, ", "),
         "import the script that starts it, if that says otherwise");
  }

  void takeModel() {
    for (const Call& call : m_code.callsOf({"from_pretrained"})) {
      if (!isModel(call)) continue;
      if (isUnsloth(call))
        for (const char* key : {"load_in_4bit", "bnb_4bit_use_double_quant"}) say(call.offset, key, "true");
      for (Argument argument : call.arguments) {
        if (argument.name.empty() || argument.name == "pretrained_model_name_or_path") {
          argument.name = "model_name_or_path";
          argument.key = m_code.nodeAt(call.offset, argument.name);
          take(argument);
        } else if (argument.name == "torch_dtype" || argument.name == "dtype") {
          argument.key.text = "torch_dtype";
          take(argument);
        } else if (argument.name == "load_in_4bit" || argument.name == "load_in_8bit") {
          take(argument);
        } else if (argument.name == "quantization_config") {
          m_quantized = !argument.value || !argument.value->isNull();
        }
      }
    }
  }

  void takeBits() {
    for (const Call& call : m_code.callsOf({"BitsAndBytesConfig"})) {
      if (!m_quantized) {
        note(m_code.nodeAt(call.offset, {}), "BitsAndBytesConfig", "is given to no model, so its weights are whole",
             {});
        continue;
      }
      takeAll(call);
    }
  }

  // `PeftModel.from_pretrained(model, folder, is_trainable=True)`; without the last the adapter is for use alone.
  void takeStart(const Call& call) {
    std::size_t position = 0;
    bool trained = false;
    const Argument* folder = nullptr;
    for (const auto& argument : call.arguments) {
      if (argument.name == "is_trainable") trained = argument.value && argument.value->text == "true";
      if (argument.name == "model_id" || (argument.name.empty() && position++ == 1)) folder = &argument;
    }
    if (!trained || !folder) return;
    m_adapted = true;
    say(call.offset, "finetuning_type", "lora");
    Argument start = *folder;
    start.name = "adapter_name_or_path";
    start.key = m_code.nodeAt(call.offset, start.name);
    take(start);
  }

  static bool isUnsloth(const Call& call) { return startsWith(call.callee, "Fast"); }

  // FastVisionModel.get_peft_model(model, r=16, finetune_vision_layers=True, ...): which layers get adapters is said by
  // switches there, and by names here.
  void takeUnsloth(const Call& call) {
    const auto isOff = [&call](const std::string& name) {
      return std::any_of(call.arguments.begin(), call.arguments.end(), [&name](const Argument& one) {
        return one.name == name && one.value && one.value->text == "false";
      });
    };
    std::string without = "multi_modal_projector";
    if (isOff("finetune_vision_layers")) without += "|vision_tower";
    if (isOff("finetune_language_layers")) without += "|language_model";
    std::string layers = "all-linear";
    if (isOff("finetune_mlp_modules")) layers = ".*(q_proj|k_proj|v_proj|o_proj|out_proj)";
    if (isOff("finetune_attention_modules")) layers = ".*(gate_proj|up_proj|down_proj|fc1|fc2)";
    m_adapted = true;
    const std::vector<std::pair<std::string, std::string>> theirs = {{"finetuning_type", "lora"},
                                                                     {"r", "16"},
                                                                     {"lora_alpha", "16"},
                                                                     {"target_modules", layers},
                                                                     {"exclude_modules", ".*(" + without + ").*"}};
    for (const auto& [key, value] : theirs) say(call.offset, key, value);
    for (const Argument& argument : call.arguments) {
      if (argument.name == "use_gradient_checkpointing" && argument.value && argument.value->text != "false")
        say(call.offset, "gradient_checkpointing", "true");  // also "unsloth"
      else if (!startsWith(argument.name, "finetune_"))
        take(argument);
    }
  }

  void takeAdapters() {
    for (const Call& call : m_code.callsOf({"from_pretrained"}))
      if (call.callee.find("PeftModel") != std::string::npos) takeStart(call);
    for (const Call& call : m_code.callsOf({"get_peft_model"}))
      if (isUnsloth(call)) takeUnsloth(call);
    const bool used = says("get_peft_model(") || says(".add_adapter(") || says("peft_config");
    for (const Call& call : m_code.callsOf({"LoraConfig"})) {
      if (!used) {
        note(m_code.nodeAt(call.offset, {}), "LoraConfig", "is given to no model, so its weights are trained in full",
             {});
        continue;
      }
      m_adapted = true;
      say(call.offset, "finetuning_type", "lora");
      takeAll(call);
    }
  }

  // What is said of a model before it gets adapters is of weights that stand still in any case; of one that has them,
  // it may be about these.
  void takeFrozenParts() {
    const auto adapted = m_code.text().find("get_peft_model(");
    for (Freezing& one : freezingsIn(m_code.text())) {
      if (m_adapted && one.offset > adapted) one.parts.clear();
      if (m_adapted && one.parts.size() > 1) continue;
      for (const std::string& part : one.parts) say(one.offset, "freeze_" + part, one.frozen ? "true" : "false");
      if (one.parts.empty())
        note(m_code.nodeAt(one.offset, {}), "requires_grad",
             "what is trained is worked out by the program: " + one.line,
             "freeze_vision_tower and the like, or modules: {PATTERN: frozen}");
    }
  }

  // Data of a hub has to be named anew here; a share that is split off is held out here, too. Prompts that a function
  // of the program puts together are lost, which nobody should learn from the losses.
  void takeData() {
    for (const Call& call : m_code.callsOf({"load_dataset"})) {
      std::vector<std::string> words;
      for (const auto& argument : call.arguments) words.push_back(inOneLine(argument.text));
      note(m_code.nodeAt(call.offset, {}), "load_dataset", "the program reads " + join(words, ", "),
           "name files or an index of the same samples as train_data");
    }
    for (const Call& call : m_code.callsOf({"train_test_split"}))
      for (Argument argument : call.arguments)
        if (argument.name.empty() || argument.name == "test_size") takeHeldOut(call, std::move(argument));
    for (const Call& call : m_code.callsOf({"Trainer", "Seq2SeqTrainer", "SFTTrainer"}))
      for (const auto& argument : call.arguments)
        if (argument.name == "data_collator" && argument.text.find("DataCollator") == std::string::npos)
          note(argument.key, argument.name,
               "prompts and answers are put together by the program: " + inOneLine(argument.text),
               "see that task and prompt_template make the same of your samples");
  }

  void takeHeldOut(const Call& call, Argument share) {
    const auto number = share.value && share.value->isScalar() ? parseNumber(share.value->text) : std::nullopt;
    if (!number || !(*number > 0 && *number < 1))
      return note(m_code.nodeAt(call.offset, {}), "train_test_split",
                  "the program holds samples back: " + inOneLine(share.text), "eval_fraction: 0.1");
    share.name = "eval_fraction";
    share.key = m_code.nodeAt(call.offset, share.name);
    take(share);
  }

  PythonCode m_code;
  std::string m_where;
  std::set<std::string> m_used;                             // options that settings come from
  std::map<std::string, std::set<std::string>> m_defaults;  // settings and the options that they come from
  bool m_quantized = false, m_adapted = false;
  ProgramSettings m_settings;
};

}  // namespace

ProgramSettings settingsOfPython(std::string_view code, const std::string& where,
                                 std::map<std::string, YamlNode> given) {
  return PythonSettings(code, where, std::move(given)).read();
}

Result<std::string> codeOfNotebook(std::string_view json, const std::string& where) {
  const auto notebook = nlohmann::json::parse(json, nullptr, false);
  const auto cells = notebook.is_object() ? notebook.find("cells") : notebook.end();
  if (notebook.is_discarded() || !notebook.is_object() || cells == notebook.end() || !cells->is_array())
    return badInput("is no Jupyter notebook", where, "save it again from Jupyter, or name a .py file");
  std::string code;
  for (const auto& cell : *cells) {
    if (!cell.is_object() || cell.value("cell_type", nlohmann::json()) != "code") continue;
    const auto source = cell.find("source");
    if (source == cell.end()) continue;
    const auto add = [&code](const nlohmann::json& part) {
      if (part.is_string()) code += part.get<std::string>();
    };
    if (source->is_array())
      for (const auto& part : *source) add(part);
    else
      add(*source);
    code += "\n";
  }
  return code;
}

}  // namespace roadtune::config

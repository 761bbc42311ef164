// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/importing.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/config/code_words.h"
#include "core/config/convert.h"
#include "core/config/document.h"
#include "core/config/dump.h"
#include "core/config/entries.h"
#include "core/config/foreign_defaults.h"
#include "core/config/foreign_keys.h"
#include "core/config/foreign_words.h"
#include "core/config/program_settings.h"
#include "core/config/scalars.h"
#include "core/config/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace roadtune::config {
namespace {

const YamlNode* memberNode(const YamlNode& map, std::string_view key) {
  for (const auto& [name, value] : map.entries)
    if (name.text == key) return &value;
  return nullptr;
}

class Importer {
 public:
  Importer(const YamlNode& root, std::string where, std::vector<Problem> lost = {})
      : m_where(std::move(where)),
        m_format(fileKindOf(root)),
        m_lost(std::move(lost)),
        m_root(inOurWords(root, m_format, m_where, m_lost)),
        m_json(root.flow),
        m_list(listEntries(m_root, m_where)) {}

  Result<ImportedConfig> run() {
    if (const YamlNode* type = memberNode(m_root, "peft_type"); type && lower(type->text) != "lora")
      return badInput("an adapter of type " + type->text, m_where, "only LoRA adapters can be imported");
    for (const auto& problem : m_list.problems)
      if (problem.key.empty() || problem.message.find("already set") != std::string::npos)
        return badInput(problem.text());
    for (auto& problem : m_lost) leave(problem, problem.key);
    takeEntries();
    takeTheirDefaults();
    return ImportedConfig{nameOf(m_format), text(), std::move(m_notes)};
  }

 private:
  void takeEntries() {
    for (const auto& entry : m_list.entries) {
      const YamlNode node =
          entry.field->type == FieldType::Sources ? withoutForeignMembers(*entry.value) : *entry.value;
      if (node.isNull() && entry.field->name == "max_grad_norm")
        m_values[entry.field->name] = 0.0;  // None: not clipped
      if (node.isNull() && entry.rule != AliasRule::Adapter) continue;
      std::vector<Problem> problems;
      const auto value = Converter(m_where, {}, problems).convert(*entry.field, entry.rule, entry.key->text, node);
      for (auto& problem : problems) leave(problem, entry.key->text);
      if (value && !(m_json && *value == entry.field->defaultValue && !worthSaying(entry.field->name)))
        m_values[entry.field->name] = *value;
    }
    for (const auto& problem : m_list.problems)
      if (!(m_json && problem.severity == Severity::Warning) || wasMeant(problem.key))
        leave(problem, problem.key);  // files of programs say everything
  }

  // Of what programs write into every file, whether anybody wanted it.
  bool wasMeant(const std::string& key) const {
    static const std::vector<std::string> kOffUnlessMeant = {
        "push_to_hub", "hub_model_id",       "label_names",          "torch_compile", "use_liger_kernel",
        "deepspeed",   "torch_compile_mode", "auto_find_batch_size", "use_cpu"};
    const YamlNode* value = memberNode(m_root, key);
    const bool known = std::find(kOffUnlessMeant.begin(), kOffUnlessMeant.end(), key) != kOffUnlessMeant.end();
    return known && value && !value->isNull() && parseFlag(lower(value->text)) != false;
  }

  static bool worthSaying(const std::string& name) {
    return name == "r" || name == "lora_alpha" || name == "lora_dropout" || name == "learning_rate";
  }

  // axolotl and others describe more of a data set than we use.
  YamlNode withoutForeignMembers(YamlNode node) const {
    static const std::vector<std::string> kOurs = {"path", "weight", "query", "images"};
    std::erase_if(node.entries, [&](const auto& entry) {
      return std::find(kOurs.begin(), kOurs.end(), entry.first.text) == kOurs.end();
    });
    for (auto& item : node.items) item = withoutForeignMembers(std::move(item));
    return node;
  }

  void takeTheirDefaults() {
    const auto given = [this](const std::string& name) -> std::optional<Value> {
      const auto found = m_values.find(name);
      if (found != m_values.end()) return found->second;
      if (name == "finetuning_type" && m_list.find(name)) return Value();  // said, and ours: an empty adapter
      return std::nullopt;
    };
    for (const auto& defaults : {foreignDefaults(m_format, given), foreignNumbers(m_format, given)})
      for (const auto& [name, value] : defaults)
        if (!isWorkedOut(name)) m_values.emplace(name, value);
  }

  // Said by a program or script, but only running it tells as what.
  bool isWorkedOut(const std::string& name) const {
    return std::any_of(m_lost.begin(), m_lost.end(), [&name](const Problem& lost) {
      const Field* field = findField(lost.key);
      return field && field->name == name;
    });
  }

  void leave(Problem problem, const std::string& key) {
    m_left.push_back(fmt::format("# {}: {}{}", toValidUtf8(key), problem.message,
                                 problem.hint.empty() ? "" : " (try: " + problem.hint + ")"));
    problem.severity = Severity::Warning;
    m_notes.push_back(std::move(problem));
  }

  std::string text() const {
    std::string yaml =
        fmt::format("# Imported from {} ({}).\n", std::filesystem::path(m_where).filename().string(), nameOf(m_format));
    for (const Section section : allSections()) {
      std::string lines;
      for (const auto& field : schema())
        if (const auto found = m_values.find(field.name); field.section == section && found != m_values.end())
          lines += "  " + yamlLine(field.name, yamlOf(field, found->second), "") + "\n";
      if (!lines.empty()) yaml += fmt::format("\n{}:\n{}", sectionName(section), lines);
    }
    if (!m_left.empty()) yaml += "\n# Left behind:\n" + join(m_left, "\n") + "\n";
    return yaml;
  }

  std::string m_where;
  FileKind m_format;
  std::vector<Problem> m_lost;  // before the keys are looked at
  YamlNode m_root;
  bool m_json;
  EntryList m_list;
  std::map<std::string, Value> m_values;
  std::vector<std::string> m_left;
  std::vector<Problem> m_notes;
};

// What the program is started with is known here; of what the script works out it has told itself.
bool isTold(const ProgramSettings& script, const Problem& note) {
  return note.key == "command line" || std::any_of(script.notes.begin(), script.notes.end(),
                                                   [&note](const Problem& one) { return one.key == note.key; });
}

// What the program beside the script makes of the options that the script gives it. The program's own options that are
// no settings have done their work with that.
void takeProgram(ProgramSettings& script, const std::filesystem::path& path) {
  for (const auto& folder : {path.parent_path(), path.parent_path() / ".."}) {
    const auto program = (folder / script.program).lexically_normal();
    const auto code = readFile(program);
    if (!code.ok()) continue;
    std::map<std::string, YamlNode> given;
    for (const auto& [key, value] : script.map.entries) given.insert_or_assign(key.text, value);
    for (const std::string& name : script.open) given.insert_or_assign(name, openValue(name));
    ProgramSettings own = settingsOfPython(code.value(), program.string(), std::move(given));
    auto& entries = script.map.entries;
    std::erase_if(entries, [&](const auto& entry) {
      const std::string& name = entry.first.text;
      const Field* field = findField(name);
      const std::string option = startsWith(name, "no_") ? name.substr(3) : name;
      return std::find(own.options.begin(), own.options.end(), option) != own.options.end() ||
             std::any_of(own.map.entries.begin(), own.map.entries.end(), [&](const auto& one) {
               return one.first.text == name || (field && findField(one.first.text) == field);
             });
    });
    clearPlaces(own.map);  // lines of another file
    for (auto& entry : own.map.entries) entries.push_back(std::move(entry));
    for (Problem& note : own.notes)
      if (!isTold(script, note)) script.notes.push_back(std::move(note));
    return;
  }
}

// A program has no file of settings; what its text says of them stands for one.
Result<ImportedConfig> importProgram(const std::filesystem::path& path, const std::string& ending) {
  const std::string where = path.string();
  ROADTUNE_TRY(std::string text, readFile(path));
  const bool notebook = ending == ".ipynb", shell = ending == ".sh" || ending == ".bash";
  if (notebook) {
    ROADTUNE_TRY(text, codeOfNotebook(text, where));
  }
  ProgramSettings settings = shell ? settingsOfShell(text, where) : settingsOfPython(asTyped(text), where);
  if (!settings.program.empty()) takeProgram(settings, path);
  if (settings.map.entries.empty())
    return badInput("holds no settings that can be read from outside", where,
                    !settings.file.empty() ? "import " + settings.file + ", which it names"
                    : shell                ? "a command with options such as --learning_rate"
                            : "calls of TrainingArguments, LoraConfig or PaliGemmaForConditionalGeneration");
  if (notebook) {  // lines of its code are no lines of its file
    clearPlaces(settings.map);
    for (Problem& note : settings.notes) note.line = note.column = 0;
  }
  return Importer(settings.map, where, std::move(settings.notes)).run();
}

// Under another name, or in the text of a page.
bool looksLikePython(std::string_view text) {
  for (const char* call : {"TrainingArguments(", "LoraConfig(", "BitsAndBytesConfig(",
                           "PaliGemmaForConditionalGeneration.from_pretrained("})
    if (text.find(call) != std::string_view::npos) return true;
  return false;
}

}  // namespace

Result<ImportedConfig> importConfig(const std::filesystem::path& path) {
  const std::string ending = lower(path.extension().string());
  for (const char* program : {".py", ".ipynb", ".sh", ".bash"})
    if (ending == program) return importProgram(path, ending);
  ROADTUNE_TRY(const Document document, Document::load(path));
  if (looksLikePython(document.text())) return importProgram(path, ".py");
  const YamlTree tree = parseYaml(document.text());
  if (tree.error)
    return badInput(tree.error->message, fmt::format("{}:{}:{}", path.string(), tree.error->line, tree.error->column),
                    tree.error->hint);
  if (!tree.root.isMap() || tree.root.entries.empty())
    return badInput("holds no keys", path.string(), "name adapter_config.json, or a YAML file of another trainer");
  return Importer(tree.root, path.string()).run();
}

}  // namespace roadtune::config

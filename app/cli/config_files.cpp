// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune config init | import | diff | reference: where configurations come from, and how they differ.
#include "app/cli/command.h"
#include "app/cli/config_common.h"
#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/config/difference.h"
#include "core/config/dump.h"
#include "core/config/importing.h"
#include "core/config/presets.h"
#include "core/config/reference.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace roadtune::cli {
namespace {

struct OutputOptions {
  std::string out;
  bool force = false;
};

void addOutput(CLI::App& app, OutputOptions& options) {
  app.add_option("--out", options.out, "Write to this file instead of standard output");
  app.add_flag("--force", options.force, "Replace the file when it is there");
}

Result<int> deliver(const std::string& text, const OutputOptions& options) {
  if (options.out.empty()) {
    fmt::print("{}", text);
    return kExitDone;
  }
  std::error_code ignored;
  if (fs::exists(options.out, ignored) && !options.force)
    return badInput("is already there", options.out, "another name, or --force");
  ROADTUNE_CHECK(writeFileAtomically(options.out, text));
  fmt::print(stderr, "wrote {}\n", options.out);
  return kExitDone;
}

struct InitOptions : OutputOptions {
  std::string preset;
  bool list = false;
  bool all = false;
  bool json = false;
};

int listPresets(bool json) {
  nlohmann::json report = nlohmann::json::array();
  for (const auto& preset : config::presets()) {
    report.push_back({{"name", preset.name}, {"summary", preset.summary}});
    if (!json) fmt::print("{:<22} {}\n", preset.name, preset.summary);
  }
  if (json) fmt::print("{}\n", jsonText(report));
  return kExitDone;
}

Result<int> runInit(const InitOptions& options) {
  if (options.list) return listPresets(options.json);
  if (options.preset.empty()) return deliver(config::starterYaml(options.all), options);
  if (const config::Preset* preset = config::findPreset(options.preset)) return deliver(preset->yaml, options);
  std::vector<std::string> names;
  for (const auto& preset : config::presets()) names.push_back(preset.name);
  const std::string nearest = nearestWord(options.preset, names);
  return badInput("no preset is called " + options.preset, {}, nearest.empty() ? join(names, ", ") : nearest);
}

struct ImportOptions : OutputOptions {
  std::string file;
};

Result<int> runImport(const ImportOptions& options) {
  ROADTUNE_TRY(const config::ImportedConfig imported, config::importConfig(options.file));
  for (const auto& note : imported.notes) fmt::print(stderr, "{}\n", note.text());
  return deliver(imported.yaml, options);
}

struct DiffOptions {
  std::string first, second;
  bool json = false;
};

Result<config::RunConfig> resolvedFile(const std::string& fileOrRun) {
  ROADTUNE_TRY(const config::Document document, config::Document::load(configFile(fileOrRun)));
  return resolveOrExplain(document, {}, config::Purpose::Editing);
}

Result<int> runDiff(const DiffOptions& options) {
  ROADTUNE_TRY(const config::RunConfig first, resolvedFile(options.first));
  ROADTUNE_TRY(const config::RunConfig second, resolvedFile(options.second));
  const auto list = config::differences(first, second);
  if (options.json) {
    nlohmann::json report = nlohmann::json::array();
    for (const auto& one : list)
      report.push_back({{"key", one.key}, {"a", valueJson(one.first)}, {"b", valueJson(one.second)}});
    fmt::print("{}\n", jsonText(nlohmann::json{{"same", list.empty()}, {"differences", report}}));
    return kExitDone;
  }
  if (list.empty()) fmt::print("no difference\n");
  for (const auto& one : list) {
    const config::Field& field = *config::findField(one.key);
    fmt::print("{}: {} -> {}\n", one.key, config::yamlOf(field, one.first), config::yamlOf(field, one.second));
  }
  return kExitDone;
}

const Registration kInit{"config init", "Print a documented configuration to start from", [](CLI::App& app) -> Action {
                           auto o = std::make_shared<InitOptions>();
                           app.add_option("--preset", o->preset, "A ready example; --list names them");
                           auto* list = app.add_flag("--list", o->list, "List the presets");
                           app.add_flag("--all", o->all, "Every key, the rarer ones as comments");
                           app.add_flag("--json", o->json, "The list as JSON")->needs(list);
                           addOutput(app, *o);
                           return [o] { return runInit(*o); };
                         }};

const Registration kImport{
    "config import", "Turn another trainer's file into a run configuration", [](CLI::App& app) -> Action {
      auto o = std::make_shared<ImportOptions>();
      app.add_option(
             "file", o->file,
             "adapter_config.json, a file of LLaMA-Factory, axolotl, Unsloth, ms-swift, AutoTrain or Hugging Face, a "
             "notebook, a program in Python, a shell script")
          ->required();
      addOutput(app, *o);
      return [o] { return runImport(*o); };
    }};

const Registration kDiff{"config diff", "Keys in which two configurations or runs differ", [](CLI::App& app) -> Action {
                           auto o = std::make_shared<DiffOptions>();
                           app.add_option("a", o->first, "RUN.yaml, or a run's folder")->required();
                           app.add_option("b", o->second, "RUN.yaml, or a run's folder")->required();
                           app.add_flag("--json", o->json, "As JSON");
                           return [o] { return runDiff(*o); };
                         }};

const Registration kReference{
    "config reference", "Print the reference of all keys as Markdown", [](CLI::App& app) -> Action {
      auto o = std::make_shared<OutputOptions>();
      auto sentences = std::make_shared<bool>(false);
      addOutput(app, *o);
      app.add_flag("--sentences", *sentences, "Only what there is to translate, one a line");
      return [o, sentences] {
        return deliver(*sentences ? join(config::schemaSentences(), "\n") + "\n" : config::referenceMarkdown(), *o);
      };
    }};

}  // namespace
}  // namespace roadtune::cli

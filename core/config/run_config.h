// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/problem.h"
#include "core/config/schema.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::config {

// Where samples come from. `query` and `task` are filled from train_query, eval_query and task when the entry has none.
struct DataSourceSpec {
  std::string path;  // absolute
  double weight = 1.0;
  std::string query = {};
  std::string task = {};    // detect | vqa | caption
  std::string images = {};  // absolute; folder of the images, empty: beside the file
  bool operator==(const DataSourceSpec&) const = default;
};

// One line of `modules`; later ones win. `pattern` names a module path or the end of one (PEFT's matching rule).
struct ModuleOverride {
  std::string pattern;
  std::string method;  // frozen | full | lora | qlora; empty: as it would be without this line
  std::optional<std::int64_t> r = {};
  std::optional<double> loraAlpha = {};
  std::optional<double> loraDropout = {};
  std::optional<double> learningRate = {};
  std::string dtype = {};  // auto | float32 | bfloat16; empty: as it would be without this line
  bool operator==(const ModuleOverride&) const = default;
};

// A configuration that passed every check: each key of the schema has a value. Immutable and cheap to copy around.
// Names are canonical; asking for a name that the schema does not have, or with the wrong kind, is a mistake of ours
// and ends the program with the name on stderr.
class RunConfig {
 public:
  struct Setting {
    Value value;
    bool given = false;  // by the user: in the file or with --set
    Origin origin = {};
  };

  RunConfig() = default;  // every key at its default

  std::string text(std::string_view name) const;      // Text, Path, Choice, TextOrList holding a text; "" when null
  double number(std::string_view name) const;         // Number or Integer; 0 when null
  std::int64_t integer(std::string_view name) const;  // Integer, or Number without its fraction; 0 when null
  bool flag(std::string_view name) const;             // false when null
  std::vector<std::string> list(std::string_view name) const;  // List, TextOrList; a lone text is one entry
  std::vector<std::int64_t> integers(std::string_view name) const;
  std::vector<std::pair<std::string, double>> numberMap(std::string_view name) const;
  std::vector<std::pair<std::string, std::string>> textMap(std::string_view name) const;
  std::vector<DataSourceSpec> sources(std::string_view name) const;  // train_data, eval_data
  std::vector<ModuleOverride> moduleOverrides() const;

  bool has(std::string_view name) const;    // not null
  bool isSet(std::string_view name) const;  // given by the user
  const Value& value(std::string_view name) const;
  Origin origin(std::string_view name) const;  // where it was given; empty for defaults

  // logging_steps, eval_steps and save_steps: below 1 they are a share of all steps, rounded up, as in Trainer.
  // eval_steps that is not given follows logging_steps.
  std::int64_t steps(std::string_view name, std::int64_t totalSteps) const;

  // Steps of warm-up from warmup_steps or warmup_ratio, as in Trainer.
  std::int64_t warmupSteps(std::int64_t totalSteps) const;

  // adapter_name_or_path; "" in a run that goes on from a checkpoint that is named, which is an adapter itself.
  std::string startAdapter() const;

  bool usesLora() const;     // finetuning_type lora or qlora, or a module override says so
  bool usesFourBit() const;  // base weights in NF4

  // SHA-256 over every key and value; equal for equal configurations however they were written.
  std::string hash() const;

  // Does the field matter under these settings (its visibleWhen)?
  bool isVisible(const Field& field) const;
  bool meets(const Condition& condition) const;

  // The same values; who gave them does not count.
  bool operator==(const RunConfig& other) const;

 private:
  friend class Draft;                         // builds one, key by key
  std::map<std::string, Setting> m_settings;  // only what differs from, or was given over, the defaults
};

}  // namespace roadtune::config

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roadtune::config {

enum class FieldType {
  Text,
  Path,  // relative ones count from the folder of the file they are written in
  Integer,
  Number,
  Flag,
  Choice,      // one of `choices`
  List,        // of texts; of `choices` when there are any
  Integers,    // list of whole numbers
  TextOrList,  // PEFT's target_modules: a list of endings, or one regular expression
  Map,         // name -> number or text, in order
  Sources,     // path, or list of paths or of {path, weight, query, task}
  Overrides,   // module -> frozen | full | lora | qlora, or {method, r, lora_alpha, ..., dtype}
};

enum class Section { Model, Data, Method, Train, Output, Launch };

// How a foreign spelling's value becomes ours.
enum class AliasRule {
  Same,
  Inverted,    // finetune_vision_layers: true -> freeze_vision_tower: false
  Bits,        // quantization_bit: 4 -> load_in_4bit: true
  Adapter,     // axolotl: adapter: qlora; empty means full
  AllLinear,   // lora_target: all -> all-linear
  AllTargets,  // lora_target_linear: true -> all-linear
  OnlyOne,     // adapters: [a] -> a
  Sampling,    // train_sampling_strategy: sequential -> shuffle: false
};

struct Alias {
  std::string name;
  AliasRule rule = AliasRule::Same;
};

// A field is shown, and matters, when the other field has one of these values; "null" when it is not set.
struct Condition {
  std::string field;
  std::vector<std::string> values;
};

// One key of a run's configuration. Everything that knows about keys reads this table: the checks, `--set`, the command
// line's help, the studio's forms, the reference page, the comparison of runs.
struct Field {
  std::string name;
  FieldType type = FieldType::Text;
  Section section = Section::Train;
  Value defaultValue = {};  // Null: there is none, and `null` may be written
  // What no value means, in few words: "all", "the model's own"; of a required field, what belongs there.
  std::string unset = {};
  std::string help = {};  // one sentence
  std::string unit = {};  // "steps", "px", "s"; empty for plain numbers
  std::optional<double> minimum = {}, maximum = {};
  bool minimumExcluded = false;
  bool maximumExcluded = false;
  std::vector<std::string> choices = {};
  std::vector<std::pair<std::string, std::string>> synonyms = {};  // words of others -> ours; "null" for none
  std::vector<Alias> aliases = {};
  std::vector<Condition> visibleWhen = {};  // all must hold
  bool basic = false;                       // changed often: the first page of a form
  bool required = false;                    // a training run cannot start without it
};

// Every field, section by section, in the order in which people read them. Built once, safe from any thread.
const std::vector<Field>& schema();

// By canonical name or alias; null when there is no such key.
const Field* findField(std::string_view name);

struct FieldMatch {
  const Field* field = nullptr;
  AliasRule rule = AliasRule::Same;
};
FieldMatch matchField(std::string_view name);

// The known spelling that was most likely meant; empty when nothing is close.
std::string nearestFieldName(std::string_view typed);

std::vector<Section> allSections();
std::string sectionName(Section section);   // "train", the key in a file
std::string sectionTitle(Section section);  // "Training", for people
std::string typeName(FieldType type);       // "a whole number", for messages

}  // namespace roadtune::config

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/entries.h"

#include "core/base/text.h"
#include "core/config/foreign_keys.h"
#include "core/config/scalars.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::config {
namespace {

// Headings, and what a short key below them may begin with.
const std::map<std::string, std::vector<std::string>>& headings() {
  static const std::map<std::string, std::vector<std::string>> known = {
      {"model", {"model_"}},
      {"data", {}},
      {"method", {}},
      {"train", {}},
      {"output", {"output_"}},
      {"launch", {}},
      {"lora", {"lora_"}},
      {"peft", {"lora_"}},
      {"training", {}},
      {"trainer", {}},
      {"params", {}},
      {"args", {}},
      {"training_args", {}},
      {"training_arguments", {}},
      {"quantization", {"bnb_4bit_", "quantization_"}},
      {"bnb", {"bnb_4bit_"}},
      {"logging", {"logging_"}},
      {"log", {"logging_"}},
      {"eval", {"eval_"}},
      {"evaluation", {"eval_"}},
      {"save", {"save_"}},
      {"saving", {"save_"}},
      {"checkpoint", {"save_"}},
      {"checkpointing", {"save_"}},
      {"optimizer", {"adam_"}},
      {"optim", {"adam_"}},
      {"scheduler", {"lr_scheduler_"}},
      {"lr_scheduler", {"lr_scheduler_"}},
      {"dataset", {"train_"}},
      {"dataloader", {"dataloader_"}},
      {"freeze", {"freeze_"}},
      {"augment", {"augment_"}},
      {"augmentation", {"augment_"}},
      {"distributed", {"ddp_"}},
      {"nccl", {"nccl_"}},
  };
  return known;
}

class Walker {
 public:
  Walker(EntryList& list, std::string where) : m_list(list), m_where(std::move(where)) {}

  void walk(const YamlNode& map, std::vector<std::string> path) {
    std::map<std::string, int> seen;
    for (const auto& [key, value] : map.entries) {
      if (!key.isScalar() || key.isNull()) {
        report(key, "", "keys must be plain words", "write `key: value`");
        continue;
      }
      const auto [first, fresh] = seen.emplace(key.text, key.line);
      if (!fresh) {
        report(key, key.text, fmt::format("stands here a second time; first in line {}", first->second),
               "keep one of them");
        continue;
      }
      take(map, key, value, path);
    }
  }

 private:
  void take(const YamlNode& map, const YamlNode& key, const YamlNode& value, std::vector<std::string> path) {
    const FieldMatch match = matchInSection(key.text, path);
    if (value.isMap() && isSectionName(key.text) && !(match.field && acceptsMap(*match.field))) {
      m_list.sections.emplace(key.text, &value);
      path.push_back(key.text);
      return walk(value, std::move(path));
    }
    if (match.field) return add(map, key, value, match);
    if (isSectionName(key.text) && value.isNull()) return;  // a heading with nothing below it
    leave(key, value);
  }

  static bool acceptsMap(const Field& field) {
    return field.type == FieldType::Map || field.type == FieldType::Overrides;
  }

  void add(const YamlNode& map, const YamlNode& key, const YamlNode& value, const FieldMatch& match) {
    const Entry entry{match.field, match.rule, &key, &value, &map};
    const auto before = std::ranges::find(m_list.entries, match.field, &Entry::field);
    if (before == m_list.entries.end()) {
      m_list.entries.push_back(entry);
      return;
    }
    if (value.isNull()) return;  // says nothing, beside one that may
    if (before->value->isNull()) {
      *before = entry;
      return;
    }
    const YamlNode& other = *before->key;
    const bool same = before->value->isScalar() && value.isScalar() && before->value->text == value.text;
    if (same && other.text != key.text) return;  // two spellings of one thing, as programs write them
    const std::string spelled = other.text == match.field->name ? "" : fmt::format(" as {}", other.text);
    report(key, key.text, fmt::format("{} is already set in line {}{}", match.field->name, other.line, spelled),
           "keep one of them");
  }

  void leave(const YamlNode& key, const YamlNode& value) {
    const ForeignKey* foreign = findForeignKey(key.text);
    m_list.leftOvers.push_back({&key, &value, foreign != nullptr});
    if (!foreign) {
      if (key.text == "<<") return report(key, key.text, "merge keys are not supported", "write the keys out");
      if (isSectionName(key.text))
        return report(key, key.text, "expected keys below this heading", "indent them by two spaces");
      const std::string nearest = nearestFieldName(key.text);
      return report(key, key.text, "unknown key",
                    nearest.empty() ? "`roadtune config reference` lists all keys" : nearest);
    }
    if (!foreign->refused) return report(key, key.text, "has no effect: " + foreign->why, "", Severity::Warning);
    if (value.isNull() || isOff(value) != foreign->usual) return;
    report(key, key.text, foreign->why, foreign->hint);
  }

  static bool isOff(const YamlNode& value) {
    if (value.isNull()) return true;
    if (value.isList()) return value.items.empty();
    if (value.isMap()) return value.entries.empty();
    const auto number = parseNumber(value.text);
    return value.text.empty() || parseFlag(value.text) == false || (number && *number == 0);
  }

  void report(const YamlNode& at, const std::string& key, const std::string& message, const std::string& hint,
              Severity severity = Severity::Error) {
    m_list.problems.push_back({at.line, at.column, key, message, hint, m_where, severity});
  }

  EntryList& m_list;
  std::string m_where;
};

}  // namespace

const Entry* EntryList::find(std::string_view canonicalName) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.field->name == canonicalName; });
  return found == entries.end() ? nullptr : &*found;
}

bool isSectionName(std::string_view word) { return headings().contains(std::string(word)); }

FieldMatch matchInSection(std::string_view word, const std::vector<std::string>& path) {
  // PEFT's `bias` is not our `lora_bias`; elsewhere `eval: batch_size` must not be the batch size of the training.
  if (!path.empty() && (path.back() == "lora" || path.back() == "peft"))
    if (const FieldMatch match = matchField(word); match.field) return match;
  for (auto heading = path.rbegin(); heading != path.rend(); ++heading) {
    const auto known = headings().find(*heading);
    if (known == headings().end()) continue;
    for (const auto& prefix : known->second)
      if (const FieldMatch match = matchField(prefix + std::string(word)); match.field) return match;
  }
  return matchField(word);
}

EntryList listEntries(const YamlNode& root, const std::string& where) {
  EntryList list;
  if (root.isNull()) return list;
  if (!root.isMap()) {
    list.problems.push_back(
        {root.line, root.column, "",
         "expected `key: value` lines, found " + std::string(root.isList() ? "a list" : "a single value"),
         "`roadtune config init` prints a file to start from", where});
    return list;
  }
  Walker(list, where).walk(root, {});
  return list;
}

}  // namespace roadtune::config

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/resolve.h"

#include "core/base/text.h"
#include "core/config/entries.h"
#include "core/config/foreign_defaults.h"
#include "core/config/foreign_words.h"
#include "core/config/rules.h"
#include "core/config/settings_reader.h"

#include <algorithm>
#include <map>

namespace roadtune::config {
namespace {

// File order; overrides, which have no line, come last.
void sortByPlace(std::vector<Problem>& problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    if ((a.line == 0) != (b.line == 0)) return b.line == 0;
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
}

// The key by which a file is surely theirs, where it stands; null when there is none.
const YamlNode* markOf(const YamlNode& root, FileKind kind) {
  static const std::map<FileKind, std::vector<std::string>> kMarks = {{FileKind::LlamaFactory, {"stage"}},
                                                                      {FileKind::Axolotl, {"base_model"}},
                                                                      {FileKind::Unsloth, {"training_type"}},
                                                                      {FileKind::Swift, {"tuner_type", "train_type"}},
                                                                      {FileKind::AutoTrain, {"project_name"}}};
  const auto marks = kMarks.find(kind);
  if (marks == kMarks.end()) return nullptr;
  for (const auto& [key, value] : root.entries) {
    if (std::find(marks->second.begin(), marks->second.end(), key.text) != marks->second.end()) return &key;
    for (const auto& [below, unused] : value.entries)
      if (std::find(marks->second.begin(), marks->second.end(), below.text) != marks->second.end()) return &below;
  }
  return nullptr;
}

std::string asWords(const ForeignValues& values) {
  std::vector<std::string> words;
  for (const auto& [name, value] : values) words.push_back(name + ": " + toYaml(value));
  return join(words, ", ");
}

// A file pasted from another trainer trains what it trains there, also by what it leaves out. How it trains is what it
// says; what it leaves out of that is told.
void takeForeignDefaults(const YamlNode& root, const std::string& where, Draft& draft, std::vector<Problem>& problems) {
  const FileKind kind = fileKindOf(root);
  const YamlNode* mark = markOf(root, kind);
  if (!mark) return;
  const auto given = [&draft](const std::string& name) -> std::optional<Value> {
    if (!draft.given(name)) return std::nullopt;
    return draft.view().value(name);
  };
  const auto warn = [&](const std::string& message, const std::string& hint) {
    problems.push_back({mark->line, mark->column, mark->text, message, hint, where, Severity::Warning});
  };
  ForeignValues method = foreignDefaults(kind, given), left = foreignNumbers(kind, given);
  if (kind == FileKind::LlamaFactory || kind == FileKind::Axolotl) {
    std::erase_if(method, [&draft](const auto& one) { return draft.isBroken(one.first); });
    for (const auto& [name, value] : method) draft.imply(name, value);
    if (!method.empty()) warn("what is left out means what it does in " + nameOf(kind) + ": " + asWords(method), {});
  } else {
    left.insert(left.begin(), method.begin(), method.end());
  }
  if (!left.empty())
    warn("left out, and something else in " + nameOf(kind) + " than here: " + asWords(left),
         "`roadtune config import` writes it out");
}

void settle(Draft& draft) {
  settleMethod(draft);
  settleSchedule(draft);
  settleClasses(draft);
  settleEvaluation(draft);
  settleLaunch(draft);
  warnOfIdleKeys(draft);
}

}  // namespace

Resolution resolve(const Document& document, const ResolveOptions& options) {
  Resolution result;
  const std::string where = document.path().empty() ? "configuration" : document.path().string();
  const YamlTree tree = parseYaml(document.text());
  if (tree.error)
    result.problems.push_back({tree.error->line, tree.error->column, "", tree.error->message, tree.error->hint, where});

  const FileKind kind = fileKindOf(tree.root);
  const YamlNode root = inOurWords(tree.root, kind, where, result.problems);
  EntryList list = listEntries(root, where);
  result.problems.insert(result.problems.end(), list.problems.begin(), list.problems.end());
  // "fp16:" with nothing behind it is how its files leave things at what they are.
  if (kind == FileKind::Axolotl)
    std::erase_if(list.entries,
                  [](const Entry& entry) { return entry.value->isNull() && entry.rule != AliasRule::Adapter; });
  Draft draft(where, result.problems);
  readFile(list, document.text(), where, document.folder(), draft, result.problems);
  const auto from = options.overridesFrom.empty() ? std::filesystem::current_path() : options.overridesFrom;
  for (const auto& assignment : options.overrides) readOverride(assignment, from, draft, result.problems);

  if (!tree.error) takeForeignDefaults(tree.root, where, draft, result.problems);
  // What keys mean together cannot be judged when the file could not be read.
  if (!tree.error) settle(draft);
  if (!tree.error && options.purpose == Purpose::Training) refuseUnoffered(draft);
  sortByPlace(result.problems);
  if (!tree.error) requireKeys(draft, options.purpose);
  if (!hasErrors(result.problems)) result.config = draft.view();
  return result;
}

std::vector<Problem> check(const Document& document, const ResolveOptions& options) {
  return resolve(document, options).problems;
}

Result<RunConfig> loadRunConfig(const std::filesystem::path& path, const ResolveOptions& options) {
  ROADTUNE_TRY(const Document document, Document::load(path));
  Resolution resolution = resolve(document, options);
  if (resolution.config) return std::move(*resolution.config);
  std::erase_if(resolution.problems, [](const Problem& problem) { return problem.severity == Severity::Warning; });
  return badInput(toText(resolution.problems));
}

}  // namespace roadtune::config

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/resolve.h"

#include "core/base/text.h"
#include "core/config/entries.h"
#include "core/config/foreign_defaults.h"
#include "core/config/rules.h"
#include "core/config/settings_reader.h"

#include <algorithm>

namespace roadtune::config {
namespace {

// File order; overrides, which have no line, come last.
void sortByPlace(std::vector<Problem>& problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    if ((a.line == 0) != (b.line == 0)) return b.line == 0;
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
}

// A file pasted from another trainer means what it means there, also by what it leaves out.
void takeForeignDefaults(const YamlNode& root, const std::string& where, Draft& draft, std::vector<Problem>& problems) {
  const FileKind kind = fileKindOf(root);
  const char* mark = kind == FileKind::LlamaFactory ? "stage" : "base_model";  // keys that are surely theirs
  const auto key = std::find_if(root.entries.begin(), root.entries.end(),
                                [mark](const auto& entry) { return entry.first.text == mark; });
  if ((kind != FileKind::LlamaFactory && kind != FileKind::Axolotl) || key == root.entries.end()) return;
  const auto given = [&draft](const std::string& name) -> std::optional<Value> {
    if (!draft.given(name)) return std::nullopt;
    return draft.view().value(name);
  };
  std::vector<std::string> words;
  for (auto& [name, value] : foreignDefaults(kind, given)) {
    if (draft.isBroken(name)) continue;
    words.push_back(name + ": " + toYaml(value));
    draft.imply(name, std::move(value));
  }
  if (!words.empty())
    problems.push_back({key->first.line,
                        key->first.column,
                        mark,
                        "what is left out means what it does in " + nameOf(kind) + ": " + join(words, ", "),
                        {},
                        where,
                        Severity::Warning});
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

  EntryList list = listEntries(tree.root, where);
  result.problems.insert(result.problems.end(), list.problems.begin(), list.problems.end());
  // "fp16:" with nothing behind it is how its files leave things at what they are.
  if (fileKindOf(tree.root) == FileKind::Axolotl)
    std::erase_if(list.entries,
                  [](const Entry& entry) { return entry.value->isNull() && entry.rule != AliasRule::Adapter; });
  Draft draft(where, result.problems);
  readFile(list, document.text(), where, document.folder(), draft, result.problems);
  for (const auto& assignment : options.overrides) readOverride(assignment, draft, result.problems);

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

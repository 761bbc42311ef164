// SPDX-License-Identifier: GPL-3.0-or-later
// Presets, and places that stay the user's: the part of TrainController that puts one text in the place of another.
#include "app/studio/train_controller.h"
#include "core/config/entries.h"
#include "core/config/presets.h"
#include "core/config/yaml_node.h"
#include "widgets/forms/schema_form.h"
#include "widgets/frame/status_strip.h"
#include "widgets/panels/train/cost_panel.h"
#include "widgets/panels/train/train_page.h"

#include <QFileInfo>

namespace roadtune::studio {
namespace {

constexpr const char* kPlaces[] = {"model_name_or_path", "train_data", "eval_data", "eval_fraction", "output_dir"};
constexpr const char* kQueries[] = {"train_query", "eval_query"};  // which images of that data

// As the text writes it: a path may count from the file.
std::string writtenAs(const config::Document& document, const char* key) {
  const config::YamlTree tree = config::parseYaml(document.text());
  if (tree.error) return {};
  const config::EntryList list = config::listEntries(tree.root, "");
  const config::Entry* entry = list.find(key);
  return entry && entry->value->isScalar() ? entry->value->text : std::string();
}

}  // namespace

// Model, data, where it begins and its folder stay those of the user, also where he has none; without data to evaluate
// on, nothing is evaluated.
void TrainController::keepPlaces(config::Document& next) const {
  const config::RunConfig& mine = m_document.config();
  const auto keep = [&](const char* kept) {
    if (mine.isSet(kept))
      (void)next.set(kept, mine.value(kept));
    else
      (void)next.unset(kept);
  };
  for (const char* kept : kPlaces) keep(kept);
  for (const char* kept : kQueries) keep(kept);
  keep("resume_from_checkpoint");
  const bool fraction = mine.has("eval_fraction") && mine.number("eval_fraction") > 0;
  if (mine.has("eval_data") || fraction) return;
  for (const char* key : {"eval_strategy", "eval_steps", "max_eval_samples", "load_best_model_at_end"})
    if (next.contains(key)) (void)next.unset(key);
  (void)next.set("eval_strategy", config::Value("no"));
}

// What a file of another trainer does not name. A query goes with the data that it was written for.
void TrainController::keepPlacesNotIn(config::Document& next) const {
  const bool ownData = next.contains("train_data");
  const auto keep = [&](const char* kept) {
    if (!next.contains(kept) && m_document.config().isSet(kept)) (void)next.set(kept, m_document.config().value(kept));
  };
  for (const char* kept : kPlaces) keep(kept);
  if (!ownData)
    for (const char* kept : kQueries) keep(kept);
}

void TrainController::usePreset(const QString& name) {
  const config::Preset* preset = config::findPreset(name.toStdString());
  if (!preset) return;
  config::Document next(preset->yaml, m_document.document().path());
  keepPlaces(next);
  m_document.replaceText(QString::fromStdString(next.text()), name);
}

// A folder that holds a run already takes no other one: the next free name is a click away.
void TrainController::offerFolder(const QString& freeFolder) {
  m_freeFolder = freeFolder;
  m_wayOut = freeFolder.isEmpty() ? QString() : tr("Use %1").arg(QFileInfo(freeFolder).fileName());
  m_page->form()->setFix(QStringLiteral("output_dir"), m_wayOut);
}

// What was found about paths holds for those: of other ones, and of another configuration, the next estimate tells.
void TrainController::dropOldPaths() {
  const config::RunConfig& now = m_document.config();
  const bool other = m_pathsFile != path();
  const auto changed = [&](const std::string& key) { return other || !(now.value(key) == m_pathsOf.value(key)); };
  const bool folder = changed("output_dir") || changed("overwrite_output_dir");
  std::erase_if(m_pathProblems, [&](const config::Problem& problem) {
    const config::Field* field = config::findField(problem.key);
    return field ? changed(field->name) || (folder && field->name == "output_dir") : other;
  });
  if (!folder || m_freeFolder.isEmpty()) return;
  m_freeFolder.clear();
  m_wayOut.clear();
  m_page->form()->setFix(QStringLiteral("output_dir"), {});
}

void TrainController::useFreeFolder() {
  if (m_freeFolder.isEmpty()) return;
  const std::filesystem::path free = m_freeFolder.toStdString();
  std::filesystem::path written = writtenAs(m_document.document(), "output_dir");
  if (!written.has_filename()) written = written.parent_path();  // "runs/demo/"
  const std::filesystem::path next = written.empty() ? free : written.parent_path() / free.filename();
  report(m_document.set(QStringLiteral("output_dir"), config::Value(next.string())));
}

// Where nothing else stands in the way, a start takes the next free name by itself and says so.
void TrainController::takeFreeFolder() {
  if (!m_takesFree) return;
  const QString taken = QFileInfo(QString::fromStdString(m_document.config().text("output_dir"))).fileName();
  const QString free = QFileInfo(m_freeFolder).fileName();
  useFreeFolder();
  m_pathProblems.clear();  // of the folder that was; the estimate under way looks at the new one
  offerFolder({});
  refreshBlocked();
  m_strip->setMessage(tr("“%1” holds a run already, so this one is “%2”.").arg(taken, free));
}

}  // namespace roadtune::studio

// SPDX-License-Identifier: GPL-3.0-or-later
// What earlier runs tell about the next one: the part of TrainController that looks back.
#include "app/studio/left_out.h"
#include "app/studio/train_controller.h"
#include "core/config/difference.h"
#include "core/config/readable.h"
#include "core/protocol/run_layout.h"
#include "widgets/common/free_name.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/told_words.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/train/compare_panel.h"
#include "widgets/panels/train/cost_panel.h"
#include "widgets/panels/train/train_page.h"

#include <QDir>
#include <QFileInfo>

namespace roadtune::studio {
namespace {

config::RunConfig meaningOf(const config::Document& document) {
  const auto resolution = config::resolve(document, {config::Purpose::Training, {}});
  return resolution.config ? *resolution.config : config::readableConfig(document);
}

// For the weights of a checkpoint, trained from step 0: a model, or an adapter, which brings its own shape.
void beginWith(std::vector<std::pair<QString, config::Value>>& changes, const QString& checkpoint,
               const config::RunConfig& config) {
  const bool adapter = config.usesLora();
  const config::Value place(checkpoint.toStdString());
  changes.emplace_back(adapter ? QStringLiteral("adapter_name_or_path") : QStringLiteral("model_name_or_path"), place);
  changes.emplace_back(QStringLiteral("resume_from_checkpoint"), config::Value());
  if (!adapter) return;
  if (config.text("finetuning_type") == "full")  // with adapters on some modules: what is whole is in its file, too
    changes.emplace_back(QStringLiteral("finetuning_type"), config::Value("lora"));
  for (const config::Field& field : config::schema())
    for (const config::Condition& condition : field.visibleWhen)
      if (condition.field == "adapter_name_or_path" && config.isSet(field.name))
        changes.emplace_back(QString::fromStdString(field.name), config::Value());
}

QString beginningWords(Beginning beginning, const QString& run, const QString& checkpoint) {
  switch (beginning) {
    case Beginning::Again:
      return TrainController::tr("These are the settings of %1. Change what you like, then start it.")
          .arg(QFileInfo(run).fileName());
    case Beginning::GoingOn:
      return TrainController::tr("This run starts from %1. Change what you like, then start it.")
          .arg(QFileInfo(checkpoint).fileName());
    case Beginning::WithItsWeights:
      return TrainController::tr(
                 "This run starts at step 0 with the weights of %1. Change what you like, then start it.")
          .arg(QFileInfo(checkpoint).fileName());
  }
  return {};
}

}  // namespace

void TrainController::setRuns(const std::vector<runs::RunEntry>& runs) {
  m_runs = runs;
  QList<QPair<QString, QString>> names;
  for (const runs::RunEntry& run : m_runs) {
    if (!run.foreign)
      names.append({QString::fromStdString(run.name.empty() ? run.path.filename().string() : run.name),
                    widgets::pathText(run.path)});
  }
  m_page->compare()->setRuns(names);
  refreshPace();
}

// What was left out since the run began is looked up in its data, which may lie on a slow disk.
void TrainController::branch(const QString& run, const QString& checkpoint, Beginning beginning) {
  using Found = Result<std::pair<config::Document, bool>>;
  m_branching.run(
      this,
      [file = protocol::RunLayout(run.toStdString()).config()]() -> Found {
        ROADTUNE_TRY(const config::Document document, config::Document::load(file));
        return std::pair(document, holdsLeftOut(meaningOf(document)));
      },
      [this, run, checkpoint, beginning](const Found& found) {
        if (found.ok())
          showBranch(run, checkpoint, beginning, found.value().first, found.value().second);
        else
          m_page->notice()->show(found.error());
        emit branched();
      });
}

// A branch that was edited makes way for no other one; what nobody touched since it was branched does.
bool TrainController::isEdited(const QString& file) const {
  return m_drafts.find(file) && (file != path() || m_document.document().text() != m_made);
}

void TrainController::showBranch(const QString& run, const QString& checkpoint, Beginning beginning,
                                 const config::Document& document, bool leftOut) {
  const QString wanted = run + (beginning == Beginning::Again     ? QStringLiteral("-again")
                                : beginning == Beginning::GoingOn ? QStringLiteral("-branch")
                                                                  : QStringLiteral("-on"));
  takeFields();
  keepDraft();
  const auto fileOf = [](const QString& folder) {
    return QDir(Settings::defaultFolder()).filePath(QFileInfo(folder).fileName() + QStringLiteral(".yaml"));
  };
  const QString folder = widgets::freeName(wanted, {}, [this, fileOf](const QString& one) {
    return QFileInfo::exists(one) || isEdited(QFileInfo(fileOf(one)).absoluteFilePath());
  });
  const QString name = QFileInfo(folder).fileName(), file = fileOf(folder);
  show(config::Document(document.text(), file.toStdString()), name);
  m_file.follow(path(), {});
  std::vector<std::pair<QString, config::Value>> changes{
      {QStringLiteral("output_dir"), config::Value(folder.toStdString())}};
  if (beginning == Beginning::GoingOn)
    changes.emplace_back(QStringLiteral("resume_from_checkpoint"), config::Value(checkpoint.toStdString()));
  if (beginning == Beginning::WithItsWeights) beginWith(changes, checkpoint, m_document.config());
  const QString query = QString::fromStdString(m_document.config().text("train_query"));
  leftOut = leftOut && withoutLeftOut(query) != query;
  if (leftOut) changes.emplace_back(QStringLiteral("train_query"), config::Value(withoutLeftOut(query).toStdString()));
  report(m_document.setAll(changes, tr("branching")));
  m_made = m_document.document().text();
  QString text = beginningWords(beginning, run, checkpoint);
  if (leftOut) text += QLatin1Char(' ') + tr("It learns without the images that were left out of training.");
  tell(text);
}

void TrainController::refreshComparison() {
  widgets::ComparePanel* panel = m_page->compare();
  const QString folder = panel->run();
  if (folder.isEmpty()) return panel->setDifferences({});
  const protocol::RunLayout layout(folder.toStdString());
  const auto document = config::Document::load(layout.config());
  if (!document.ok()) return panel->setError(widgets::errorText(document.error()));
  panel->setDifferences(config::differences(meaningOf(document.value()), m_document.config()));
}

// The newest run of the same model and method that got somewhere says how fast it goes.
void TrainController::refreshPace() {
  const config::RunConfig& config = m_document.config();
  const std::string model = config.text("model_name_or_path"), method = config.text("finetuning_type");
  for (const runs::RunEntry& run : m_runs) {
    if (run.foreign || run.model != model || run.method != method || !run.samplesPerSecond ||
        *run.samplesPerSecond <= 0)
      continue;
    return m_page->cost()->setPace(*run.samplesPerSecond,
                                   QString::fromStdString(run.name.empty() ? run.path.filename().string() : run.name));
  }
  m_page->cost()->setPace(0, {});
}

}  // namespace roadtune::studio

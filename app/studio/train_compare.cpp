// SPDX-License-Identifier: GPL-3.0-or-later
// What earlier runs tell about the next one: the part of TrainController that looks back.
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

void TrainController::branch(const QString& run, const QString& checkpoint) {
  auto document = config::Document::load(protocol::RunLayout(run.toStdString()).config());
  if (!document.ok()) return m_page->notice()->show(document.error());
  const bool anew = checkpoint.isEmpty();  // the same once more, in a folder of its own
  const QString wanted = run + (anew ? QStringLiteral("-again") : QStringLiteral("-branch"));
  const QString folder = widgets::freeName(wanted, {}, [](const QString& one) { return QFileInfo::exists(one); });
  const QString name = QFileInfo(folder).fileName();
  const QString file = QDir(Settings::defaultFolder()).filePath(name + QStringLiteral(".yaml"));
  show(config::Document(document.value().text(), file.toStdString()), name);
  m_file.follow(path(), {});
  std::vector<std::pair<QString, config::Value>> changes{
      {QStringLiteral("output_dir"), config::Value(folder.toStdString())}};
  if (!anew) changes.emplace_back(QStringLiteral("resume_from_checkpoint"), config::Value(checkpoint.toStdString()));
  report(m_document.setAll(changes, tr("branching")));
  m_page->notice()->show(
      widgets::NoticeBar::Kind::Info,
      anew ? tr("These are the settings of %1. Change what you like, then start it.").arg(QFileInfo(run).fileName())
           : tr("This run starts from %1. Change what you like, then start it.").arg(QFileInfo(checkpoint).fileName()));
}

void TrainController::refreshComparison() {
  widgets::ComparePanel* panel = m_page->compare();
  const QString folder = panel->run();
  if (folder.isEmpty()) return panel->setDifferences({});
  const protocol::RunLayout layout(folder.toStdString());
  const auto document = config::Document::load(layout.config());
  if (!document.ok()) return panel->setError(widgets::errorText(document.error()));
  const auto resolution = config::resolve(document.value(), {config::Purpose::Training, {}});
  const config::RunConfig other = resolution.config ? *resolution.config : config::readableConfig(document.value());
  panel->setDifferences(config::differences(other, m_document.config()));
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

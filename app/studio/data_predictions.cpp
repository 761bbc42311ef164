// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/data_predictions.h"

#include "core/data/eval/prediction_set.h"
#include "core/protocol/run_layout.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/prediction_menu.h"
#include "widgets/panels/data/sample_view.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>

namespace roadtune::studio {
namespace {

using widgets::PredictionChoice;
constexpr int kMostPerRun = 6, kMostRuns = 20;

int stepOf(const QString& file) { return file.section(QLatin1Char('-'), -1).section(QLatin1Char('.'), 0, 0).toInt(); }

QList<PredictionChoice> choicesOf(const std::vector<runs::RunEntry>& runs) {
  QList<PredictionChoice> choices;
  int found = 0;
  for (const runs::RunEntry& run : runs) {
    const QDir folder(widgets::pathText(protocol::RunLayout(run.path).predictions()));
    QStringList files = folder.entryList({QStringLiteral("step-*.jsonl")}, QDir::Files);
    if (files.isEmpty()) continue;
    std::sort(files.begin(), files.end(), [](const QString& a, const QString& b) { return stepOf(a) > stepOf(b); });
    for (const QString& file : files.mid(0, kMostPerRun))
      choices.append({QString::fromStdString(run.name), stepOf(file), folder.filePath(file)});
    if (++found == kMostRuns) break;
  }
  return choices;
}

}  // namespace

DataPredictions::DataPredictions(widgets::DataPage* page, QObject* parent) : QObject(parent), m_page(page) {
  const auto* menu = page->sample()->predictionMenu();
  connect(menu, &widgets::PredictionMenu::choicesWanted, this, &DataPredictions::list);
  connect(menu, &widgets::PredictionMenu::fileWanted, this, &DataPredictions::browse);
  connect(menu, &widgets::PredictionMenu::chosen, this, &DataPredictions::open);
}

void DataPredictions::setIndex(std::shared_ptr<const data::Index> index) { m_index = std::move(index); }

void DataPredictions::list() {
  if (!m_runs) return;
  m_background.run(
      this, [runs = m_runs] { return choicesOf(*runs); },
      [this](const QList<PredictionChoice>& choices) { m_page->sample()->predictionMenu()->setChoices(choices); });
}

void DataPredictions::browse() {
  auto* dialog =
      new QFileDialog(m_page->window(), tr("Open predictions"), {}, tr("Predictions (*.json *.jsonl);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("predictionDialog"));
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& file) { open(file, QFileInfo(file).fileName()); });
  dialog->open();
}

void DataPredictions::open(const QString& file, const QString& name) {
  if (!m_index) return;
  m_background.run(
      this, [file = file.toStdString(), index = m_index] { return data::PredictionSet::read(file, *index); },
      [this, name, index = m_index](const Result<std::shared_ptr<const data::PredictionSet>>& set) {
        if (index != m_index) return;
        if (!set.ok()) return m_page->notice()->show(set.error());
        m_page->notice()->clear();
        m_page->sample()->setPredictions(set.value(), name);
      });
}

}  // namespace roadtune::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/data_predictions.h"

#include "core/data/eval/prediction_set.h"
#include "core/protocol/run_layout.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/prediction_menu.h"
#include "widgets/panels/data/prediction_strip.h"
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

// All evaluations of the run that wrote the file, the first one first; none for a file of another kind.
QList<PredictionChoice> evaluationsOf(const QString& file, const QString& run) {
  const QDir folder = QFileInfo(file).dir();
  QStringList files = folder.entryList({QStringLiteral("step-*.jsonl")}, QDir::Files);
  std::sort(files.begin(), files.end(), [](const QString& a, const QString& b) { return stepOf(a) < stepOf(b); });
  QList<PredictionChoice> all;
  for (const QString& one : files) all.append({run, stepOf(one), folder.filePath(one)});
  return all;
}

struct Loaded {
  Result<std::shared_ptr<const data::PredictionSet>> set;
  QList<PredictionChoice> evaluations;
};

}  // namespace

DataPredictions::DataPredictions(widgets::DataPage* page, QObject* parent) : QObject(parent), m_page(page) {
  const auto* menu = page->sample()->predictionMenu();
  connect(menu, &widgets::PredictionMenu::choicesWanted, this, &DataPredictions::list);
  connect(menu, &widgets::PredictionMenu::fileWanted, this, &DataPredictions::browse);
  connect(menu, &widgets::PredictionMenu::chosen, this, &DataPredictions::open);
  connect(page->sample()->predictionStrip(), &widgets::PredictionStrip::evaluationChosen, this,
          [this](const PredictionChoice& one) { open(one.file, one.name()); });
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

QString DataPredictions::runOf(const QString& file) const {
  const QString folder = QFileInfo(file).path();
  if (!m_runs) return {};
  for (const runs::RunEntry& run : *m_runs)
    if (widgets::pathText(protocol::RunLayout(run.path).predictions()) == folder)
      return QString::fromStdString(run.name);
  return {};
}

// Of several that are asked for one after the other, as when a slider is dragged, only the last is read.
void DataPredictions::open(const QString& file, const QString& name) {
  if (!m_index) return;
  const std::uint64_t ticket = ++*m_latest;
  m_background.run(
      this,
      [file, run = runOf(file), index = m_index, ticket, latest = m_latest]() -> Loaded {
        if (*latest != ticket) return {cancelled("another evaluation was chosen"), {}};
        return {data::PredictionSet::read(file.toStdString(), *index),
                run.isEmpty() ? QList<PredictionChoice>() : evaluationsOf(file, run)};
      },
      [this, file, name, index = m_index, ticket](const Loaded& loaded) {
        if (index != m_index || *m_latest != ticket) return;
        if (!loaded.set.ok()) return m_page->notice()->show(loaded.set.error());
        m_page->notice()->clear();
        m_page->sample()->setPredictions(loaded.set.value(), name);
        m_page->sample()->predictionStrip()->setEvaluations(loaded.evaluations, file);
      });
}

}  // namespace roadtune::studio

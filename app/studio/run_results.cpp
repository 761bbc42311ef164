// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/run_results.h"

#include "app/studio/open_place.h"
#include "app/studio/settings.h"
#include "core/base/exit_code.h"
#include "core/config/readable.h"
#include "core/protocol/run_layout.h"
#include "widgets/common/free_name.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/told_words.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/runs_page.h"

#include <QDir>
#include <QFileInfo>

namespace roadtune::studio {
namespace {

using widgets::NoticeBar;
using widgets::ResultPanel;
using widgets::RunResult;

QString freeFile(const QString& name, const QString& ending) {
  const QDir folder(QDir(Settings::defaultFolder()).filePath(QStringLiteral("exports")));
  return widgets::freeName(folder.filePath(name), ending, [](const QString& file) { return QFileInfo::exists(file); });
}

// The best weights first, then the newest. Of a run on other machines the checkpoints lie there: the command brings the
// last one when it is given the run.
QList<QPair<QString, QString>> checkpointsOf(const protocol::RunLayout& layout, bool elsewhere) {
  QList<QPair<QString, QString>> choices;
  std::error_code code;
  if (fs::is_directory(layout.best(), code))
    choices.append({ResultPanel::tr("best"), widgets::pathText(layout.best())});
  const auto all = layout.checkpoints();
  for (auto one = all.rbegin(); one != all.rend(); ++one)
    if (one->complete) choices.append({ResultPanel::tr("step %1").arg(one->step), widgets::pathText(one->path)});
  if (choices.isEmpty() && elsewhere)
    choices.append({ResultPanel::tr("the last one"), widgets::pathText(layout.root())});
  return choices;
}

QString problemOf(RunResult kind, const config::RunConfig& config, bool anyCheckpoint) {
  if (kind == RunResult::Report) return {};
  if (kind == RunResult::Merge && !config.usesLora())
    return ResultPanel::tr("This run trains the weights themselves: its checkpoints are whole models already.");
  return anyCheckpoint ? QString() : ResultPanel::tr("This run has no checkpoint yet.");
}

ResultPanel::Offer offerOf(RunResult kind, const QString& run, const QString& name) {
  const protocol::RunLayout layout(run.toStdString());
  ResultPanel::Offer offer{.kind = kind, .run = run, .name = name};
  const auto document = config::Document::load(layout.config());
  const config::RunConfig config = document.ok() ? config::readableConfig(document.value()) : config::RunConfig();
  if (config.usesLora()) offer.base = QString::fromStdString(config.text("model_name_or_path"));
  if (kind != RunResult::Report) offer.checkpoints = checkpointsOf(layout, config.has("hosts") || config.has("fleet"));
  offer.problem = !document.ok() && kind != RunResult::Report ? widgets::errorText(document.error())
                                                              : problemOf(kind, config, !offer.checkpoints.isEmpty());
  offer.to = freeFile(name, kind == RunResult::Report  ? QStringLiteral(".html")
                            : kind == RunResult::Merge ? QStringLiteral("-merged")
                                                       : QStringLiteral("-predictions.json"));
  if (kind != RunResult::Predict || !document.ok()) return offer;
  auto sources = config.sources("eval_data");
  if (sources.empty()) sources = config.sources("train_data");
  if (!sources.empty()) {
    offer.data = QString::fromStdString(sources.front().path);
    offer.query = QString::fromStdString(sources.front().query);
  }
  return offer;
}

QStringList argumentsFor(const ResultPanel::Wish& wish) {
  if (wish.kind == RunResult::Report)
    return {QStringLiteral("runs"), QStringLiteral("export"), wish.run, QStringLiteral("--format"),
            QStringLiteral("html"), QStringLiteral("--out"),  wish.to};
  const bool merges = wish.kind == RunResult::Merge;
  QStringList arguments{merges ? QStringLiteral("merge") : QStringLiteral("predict")};
  const auto add = [&arguments](const char* option, const QString& value) {
    arguments << QLatin1String(option) << value;
  };
  add("--model", wish.base.isEmpty() ? wish.checkpoint : wish.base);
  if (!wish.base.isEmpty()) add("--adapter", wish.checkpoint);
  add("--out", wish.to);
  add("--progress", QStringLiteral("json"));
  if (merges) return arguments;
  add("--data", wish.data);
  if (!wish.query.isEmpty()) add("--query", wish.query);
  if (wish.limit > 0) add("--limit", QString::number(wish.limit));
  return arguments;
}

QString titleOf(RunResult kind) {
  switch (kind) {
    case RunResult::Report: return RunResults::tr("Report");
    case RunResult::Merge: return RunResults::tr("Merge");
    case RunResult::Predict: return RunResults::tr("Predict");
  }
  return {};
}

}  // namespace

RunResults::RunResults(widgets::RunsPage* page, JobBoard* jobs, QObject* parent)
    : QObject(parent), m_page(page), m_jobs(jobs) {
  connect(page, &widgets::RunsPage::resultRequested, this, &RunResults::offer);
  connect(page->result(), &ResultPanel::wanted, this, &RunResults::start);
}

void RunResults::offer(RunResult kind, const QString& run) {
  const int row = m_page->model()->rowOf(run);
  const QString name = row < 0 ? QFileInfo(run).fileName() : m_page->model()->index(row).data().toString();
  m_background.run(
      this, [kind, run, name] { return offerOf(kind, run, name); },
      [this](const ResultPanel::Offer& offer) { m_page->result()->open(offer); });
}

void RunResults::start(const ResultPanel::Wish& wish) {
  QDir().mkpath(QFileInfo(wish.to).absolutePath());
  ChildJob* job = m_jobs->run(titleOf(wish.kind), argumentsFor(wish));
  connect(job, &ChildJob::finished, this, [this, wish, job](int exitCode) {
    if (exitCode == kExitDone) return tell(wish);
    if (exitCode == kExitInterrupted) return m_page->notice()->show(NoticeBar::Kind::Info, tr("Cancelled."));
    m_page->notice()->show(NoticeBar::Kind::Bad,
                           tr("%1 failed: %2").arg(titleOf(wish.kind), job->message().section(QLatin1Char('\n'), -1)),
                           job->message());
  });
}

void RunResults::tell(const ResultPanel::Wish& wish) {
  NoticeBar* notice = m_page->notice();
  notice->show(NoticeBar::Kind::Good, tr("Written to %1").arg(wish.to));
  const auto open = [notice, wish] { openPlace(wish.to, notice); };
  if (wish.kind == RunResult::Report) return notice->offer(tr("Open"), open);
  if (wish.kind == RunResult::Merge) return notice->offer(tr("Open folder"), open);
  notice->offer(tr("Show in Data"), [this, wish] { emit predictionsWanted(wish); });
}

}  // namespace roadtune::studio

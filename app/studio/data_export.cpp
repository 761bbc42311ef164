// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/data_export.h"

#include "app/studio/open_place.h"
#include "app/studio/settings.h"
#include "core/base/exit_code.h"
#include "widgets/canvas/loss_text.h"
#include "widgets/common/number_text.h"
#include "widgets/panels/data/data_name.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/export_target.h"
#include "widgets/panels/data/side_drawer.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

namespace roadtune::studio {
namespace {

using widgets::ExportPanel;

QStringList argumentsFor(const QString& index, const ExportPanel::Wish& wish) {
  QStringList arguments{QStringLiteral("data"),
                        QStringLiteral("export"),
                        index,
                        QStringLiteral("--format"),
                        wish.format,
                        QStringLiteral("--out"),
                        wish.out};
  const auto add = [&arguments](const char* name, const QString& value) { arguments << QLatin1String(name) << value; };
  if (!wish.query.isEmpty()) add("--query", wish.query);
  if (!wish.images.isEmpty()) add("--images", wish.images);
  if (wish.minBox > 0) add(wish.atModelSize > 0 ? "--min-model-px" : "--min-box-px", QString::number(wish.minBox));
  if (wish.atModelSize > 0) add("--model-size", QString::number(wish.atModelSize));
  if (wish.everyFrames > 1) add("--every", QString::number(wish.everyFrames));
  if (wish.holdOutPercent > 0) add("--hold-out", QString::number(wish.holdOutPercent / 100.0));
  arguments << QStringLiteral("--progress") << QStringLiteral("json") << QStringLiteral("--json");
  return arguments;
}

QString outcomeText(const QByteArray& printed) {
  const auto json = nlohmann::json::parse(printed.begin(), printed.end(), nullptr, false);
  if (!json.is_object()) return ExportPanel::tr("Written.");
  const auto count = [&json](const char* key) { return widgets::countText(json.value(key, std::int64_t(0))); };
  const auto one = [&json](const char* key) { return json.value(key, std::int64_t(0)) == 1; };
  QString text = one("images") && one("boxes") ? ExportPanel::tr("1 image with 1 box was written.")
                 : one("images") ? ExportPanel::tr("1 image with %1 boxes was written.").arg(count("boxes"))
                 : one("boxes")
                     ? ExportPanel::tr("%1 images with 1 box were written.").arg(count("images"))
                     : ExportPanel::tr("%1 images with %2 boxes were written.").arg(count("images"), count("boxes"));
  if (json.value("without_labels", 0) > 0)
    text += QLatin1Char(' ') +
            ExportPanel::tr("%1 were left out because nobody labelled them.").arg(count("without_labels"));
  if (json.value("without_picture", 0) > 0)
    text += QLatin1Char(' ') +
            ExportPanel::tr("%1 were left out because their picture cannot be read.").arg(count("without_picture"));
  if (json.value("contains_waymo_data", false))
    text += QLatin1Char(' ') + ExportPanel::tr("Waymo's attribution lies beside them.");
  return text;
}

}  // namespace

DataExport::DataExport(widgets::DataPage* page, JobBoard* jobs, QObject* parent)
    : QObject(parent), m_page(page), m_panel(page->exportPanel()), m_jobs(jobs) {
  connect(m_panel, &ExportPanel::targetRequested, this, &DataExport::browseTarget);
  connect(m_panel, &ExportPanel::exportRequested, this, &DataExport::start);
  connect(m_panel, &ExportPanel::cancelRequested, this, [this] {
    if (m_job) m_job->cancel();
  });
  connect(m_panel, &ExportPanel::openFolderRequested, this, [this] {
    const QFileInfo place(m_wish.out);
    openPlace(place.isDir() ? place.absoluteFilePath() : place.absolutePath(), m_page->notice());
  });
}

void DataExport::setIndex(const QString& folder) {
  m_index = folder;
  m_panel->setSuggestion(QDir(Settings::defaultFolder()).filePath(QStringLiteral("exports")),
                         widgets::dataName(QDir::cleanPath(folder).toStdString()));
}

void DataExport::choose() {
  if (!m_page->index()) return;
  m_panel->suggest();
  m_page->drawer()->show(m_panel);
}

void DataExport::browseTarget() {
  auto* dialog = new QFileDialog(m_page->window(), tr("Where the export goes"), QFileInfo(m_panel->target()).path());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setFileMode(m_panel->targetIsFolder() ? QFileDialog::Directory : QFileDialog::AnyFile);
  connect(dialog, &QFileDialog::fileSelected, m_panel, &ExportPanel::setTarget);
  dialog->open();
}

// Two exports in one place would be mixed: what is there goes only when that is said. A folder is put aside first,
// which takes no time, and is gone for good a little later.
bool DataExport::makeRoom(const ExportPanel::Wish& wish) {
  const bool folder = m_panel->targetIsFolder();
  if (!widgets::isExportTaken(wish.out, folder)) return true;
  if (!wish.replace || !widgets::mayReplaceExport(wish.out, folder)) {
    m_panel->refuse(widgets::freeExportName(wish.out, folder), widgets::mayReplaceExport(wish.out, folder));
    return false;
  }
  if (!folder) {
    for (const QString& file : widgets::filesOfExport(wish.out)) QFile::remove(file);
    return true;
  }
  const QString aside = widgets::freeExportName(wish.out + QStringLiteral(".replaced"), true);
  if (!QDir().rename(wish.out, aside)) {
    m_panel->end(false, tr("%1 cannot be replaced.").arg(wish.out));
    return false;
  }
  m_cleaning.run(
      this, [aside] { return QDir(aside).removeRecursively(); }, [](bool) {});
  return true;
}

void DataExport::start(const ExportPanel::Wish& wish) {
  if (!makeRoom(wish)) return;
  m_wish = wish;
  m_panel->begin();
  QDir().mkpath(QFileInfo(wish.out).absolutePath());
  ExportPanel::Wish told = wish;
  told.query = widgets::withRunFolders(wish.query, m_runs);
  m_job = m_jobs->run(tr("Export"), argumentsFor(m_index, told));
  auto printed = std::make_shared<QByteArray>();
  connect(m_job, &ChildJob::printed, this, [printed](const QByteArray& line) { *printed += line; });
  connect(m_job, &ChildJob::progressed, m_panel, [this](const JobProgress& now) {
    m_panel->progress()->setState({now.stage, now.unit, now.detail, now.done, now.total, now.rate, now.eta});
  });
  connect(m_job, &ChildJob::finished, this,
          [this, printed, job = m_job.data()](int exitCode) { end(exitCode, *printed, job->message()); });
}

void DataExport::end(int exitCode, const QByteArray& printed, const QString& message) {
  if (exitCode == kExitDone) {
    if (QFileInfo(m_wish.out).isDir()) widgets::markExport(m_wish.out);
    return m_panel->end(true, outcomeText(printed));
  }
  if (exitCode == kExitInterrupted) return m_panel->end(false, tr("Cancelled."));
  m_panel->end(false, tr("The export failed: %1").arg(message.section(QLatin1Char('\n'), -1)));
}

}  // namespace roadtune::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/data_controller.h"

#include "core/base/exit_code.h"
#include "core/data/index/waymo_license.h"
#include "widgets/common/notice_bar.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>

namespace roadtune::studio {
namespace {

using widgets::NoticeBar;
constexpr int kPeekMs = 1000;

QStringList queryWords(const data::Index& index) {
  QStringList words = {"segment",   "timestamp",  "frame",     "camera", "split",      "time",
                       "location",  "weather",    "width",     "height", "labelled",   "count",
                       "any",       "all",        "none",      "and",    "or",         "not",
                       "in",        "sort by",    "limit",     "class",  "area",       "aspect",
                       "level",     "track",      "truncated", "front",  "front_left", "front_right",
                       "side_left", "side_right", "Day",       "Night",  "training",   "validation"};
  for (const std::string& name : index.classNames()) words << QString::fromStdString(name);
  words.removeDuplicates();
  words.sort(Qt::CaseInsensitive);
  return words;
}

}  // namespace

DataController::DataController(widgets::DataPage* page, JobBoard* jobs, Settings& settings, QObject* parent)
    : QObject(parent), m_page(page), m_jobs(jobs), m_settings(settings) {
  m_page->setThumbnailWidth(settings.thumbnailWidth());
  m_peek.setInterval(kPeekMs);
  connect(&m_peek, &QTimer::timeout, this, [this] {
    if (!m_page->index()) open(m_importing, true);
  });
  connect(m_page, &widgets::DataPage::queryApplied, this, &DataController::ask);
  connect(m_page, &widgets::DataPage::importRequested, this, &DataController::chooseImport);
  connect(m_page, &widgets::DataPage::openRequested, this, &DataController::chooseIndex);
  connect(m_page, &widgets::DataPage::dropped, this, &DataController::importFrom);
  connect(m_page, &widgets::DataPage::thumbnailWidthChanged, this,
          [this](int width) { m_settings.setThumbnailWidth(width); });
  connect(m_queries.worker(), &QueryWorker::answered, this, [this](const QueryAnswerPtr& answer) {
    if (answer->ticket != m_ticket) return;
    if (answer->error) return m_page->setQueryError(*answer->error);
    m_page->setResult(answer->query, answer->images, answer->count, answer->facets);
    m_page->setHistograms(answer->query, answer->heights, answer->boxes);
  });
  connectMarks();
}

void DataController::connectMarks() {
  using widgets::DataPage;
  QueryWorker* worker = m_queries.worker();
  connect(worker, &QueryWorker::described, m_page,
          [this](quint32 image, const QStringList& tags, const QString& note) { m_page->setMarks(image, tags, note); });
  connect(worker, &QueryWorker::marksChanged, this,
          [this](const UserMarks& marks) { m_page->setKnownMarks(marks.tags, marks.views); });
  connect(worker, &QueryWorker::tagsChanged, this, [this] { ask(m_page->query()); });
  connect(worker, &QueryWorker::failed, this,
          [this](const QString& message) { m_page->notice()->show(NoticeBar::Kind::Bad, message, message); });
  connect(m_page, &DataPage::marksWanted, this,
          [this, worker](quint32 image) { m_queries.post([worker, image] { worker->describe(image); }); });
  connect(m_page, &DataPage::tagRequested, this,
          [this, worker](const std::vector<data::ImageId>& images, const QString& tag, bool on) {
            m_queries.post([worker, images, tag, on] { worker->tag(images, tag, on); });
          });
  connect(m_page, &DataPage::noteRequested, this, [this, worker](quint32 image, const QString& text) {
    m_queries.post([worker, image, text] { worker->setNote(image, text); });
  });
  connect(m_page, &DataPage::saveViewRequested, this, &DataController::askViewName);
  connect(m_page, &DataPage::removeViewRequested, this,
          [this, worker](const QString& name) { m_queries.post([worker, name] { worker->removeView(name); }); });
}

void DataController::askViewName() {
  auto* dialog = new QInputDialog(m_page->window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("viewNameDialog"));
  dialog->setWindowTitle(tr("Save this view"));
  dialog->setLabelText(tr("Name"));
  connect(dialog, &QInputDialog::textValueSelected, this, [this, query = m_page->query()](const QString& name) {
    if (!name.trimmed().isEmpty())
      m_queries.post([worker = m_queries.worker(), name = name.trimmed(), query] { worker->saveView(name, query); });
  });
  dialog->open();
}

DataController::~DataController() { m_cancel.cancel(); }

void DataController::open(const QString& folder, bool quiet) {
  m_background.run(
      this, [path = folder.toStdString()] { return data::Index::open(path); },
      [this, quiet](Result<std::shared_ptr<const data::Index>> index) {
        if (index.ok()) return show(std::move(index).value());
        if (!quiet) m_page->notice()->show(index.error());
      });
}

void DataController::show(std::shared_ptr<const data::Index> index) {
  m_cancel.cancel();
  const QString folder = QString::fromStdString(index->folder().string());
  m_page->setIndex(index);
  m_page->queryLine()->setCompletions(queryWords(*index));
  m_settings.setLastData(folder);
  m_queries.post([worker = m_queries.worker(), index] { worker->setIndex(index); });
  ask(m_page->query());
  emit opened(folder);
}

void DataController::ask(const QString& query) {
  m_cancel.cancel();
  m_cancel = {};
  const auto ticket = ++m_ticket;
  m_queries.post(
      [worker = m_queries.worker(), ticket, query, cancel = m_cancel] { worker->run(ticket, query, cancel); });
}

void DataController::chooseImport() {
  auto* dialog = new QFileDialog(m_page->window(), tr("Import recordings"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) { importFrom({folder}); });
  dialog->open();
}

void DataController::chooseIndex() {
  auto* dialog = new QFileDialog(m_page->window(), tr("Open an index"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) { open(folder); });
  dialog->open();
}

void DataController::importFrom(const QStringList& sources) {
  if (sources.isEmpty()) return;
  if (sources.size() == 1 && data::Index::looksLikeIndex(sources[0].toStdString())) return open(sources[0]);
  const QString name = QFileInfo(sources[0]).completeBaseName();
  const QString out = QDir(Settings::defaultFolder()).filePath(QStringLiteral("indexes/") + name);
  startImport(sources, out, false);
}

void DataController::startImport(const QStringList& sources, const QString& out, bool licenceAccepted) {
  m_importing = out;
  m_page->notice()->clear();
  m_page->setIndex(nullptr);
  m_page->setImporting(tr("The first images show as soon as a recording is read. The import goes on below."));
  QStringList arguments{QStringLiteral("data"), QStringLiteral("index")};
  arguments << sources << QStringLiteral("--out") << out << QStringLiteral("--thumbnails")
            << QStringLiteral("--progress") << QStringLiteral("json");
  if (licenceAccepted) arguments << QStringLiteral("--accept-waymo-license");
  ChildJob* job = m_jobs->run(tr("Import"), arguments);
  connect(job, &ChildJob::finished, this,
          [this, job, sources, out](int exitCode) { endImport(sources, out, exitCode, job->message()); });
  m_peek.start();
}

void DataController::endImport(const QStringList& sources, const QString& out, int exitCode, const QString& message) {
  m_peek.stop();
  m_page->setImporting({});
  if (exitCode == kExitBadInput && message.contains(QLatin1String("--accept-waymo-license"))) {
    const auto summary = data::waymoLicenseSummary();
    m_page->notice()->show(NoticeBar::Kind::Info,
                           QString::fromUtf8(summary.data(), static_cast<qsizetype>(summary.size())).simplified());
    m_page->notice()->offer(tr("Accept and import"), [this, sources, out] { startImport(sources, out, true); });
    return;
  }
  if (exitCode == kExitDone) {
    open(out);
    if (!message.isEmpty()) {
      m_page->notice()->show(NoticeBar::Kind::Warning,
                             tr("Imported. %1 parts could not be read.").arg(message.count(QLatin1Char('\n')) + 1),
                             message);
    }
    return;
  }
  if (exitCode == kExitInterrupted) {
    m_page->notice()->show(NoticeBar::Kind::Info, tr("The import was cancelled. What was read so far is kept."));
    open(out, true);
    return;
  }
  m_page->notice()->show(NoticeBar::Kind::Bad, tr("The import failed: %1").arg(message.section(QLatin1Char('\n'), -1)),
                         message);
}

}  // namespace roadtune::studio

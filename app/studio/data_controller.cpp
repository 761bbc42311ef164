// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/data_controller.h"

#include "app/studio/folder_path.h"
#include "core/base/text.h"
#include "core/data/query/term_names.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/query_text.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/sample_view.h"

#include <QFileDialog>
#include <QFileInfo>

#include <utility>

namespace roadtune::studio {
namespace {

using widgets::NoticeBar;

// Fields and functions as the language has them, then what their values are called: by Waymo, and here.
QStringList queryWords(const data::Index& index) {
  QStringList words = {"and",  "or",    "not",         "in",           "sort by",       "asc",
                       "desc", "limit", "loss",        "training",     "validation",    "testing",
                       "Day",  "Night", "Dawn",        "Dusk",         "sunny",         "rain",
                       "true", "false", "location_sf", "location_phx", "location_other"};
  const auto add = [&words](std::string_view word) {
    if (!word.empty()) words << QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
  };
  for (const auto& field : data::imageFields()) add(field.name);
  for (const auto& field : data::boxFields()) add(field.name);
  for (const auto& [name, kind] : data::kTerms) add(name);
  for (const data::Camera camera : data::kIndexedCameras) add(lower(data::cameraName(camera)));
  for (const std::string& name : index.classNames()) add(name);
  for (std::size_t i = 0; i < index.segmentCount(); ++i) {
    const data::SegmentInfo& info = index.segment(i).info();
    for (const std::string& word : {info.split, info.time, info.location, info.weather}) add(word);
  }
  words.removeDuplicates();
  words.sort(Qt::CaseInsensitive);
  return words;
}

}  // namespace

DataController::DataController(widgets::DataPage* page, JobBoard* jobs, Settings& settings, QObject* parent)
    : QObject(parent),
      m_page(page),
      m_settings(settings),
      m_history(page),
      m_import(page, jobs),
      m_export(page, jobs),
      m_quality(page, jobs),
      m_predictions(page),
      m_tokens(page),
      m_losses(page) {
  m_page->setThumbnailWidth(settings.thumbnailWidth());
  m_page->setGrouped(settings.groupedBySegment());
  connect(m_page, &widgets::DataPage::queryApplied, this, &DataController::ask);
  connect(m_page, &widgets::DataPage::importRequested, &m_import, &DataImport::choose);
  connect(&m_import, &DataImport::indexWanted, this, &DataController::takeImported);
  connect(m_page, &widgets::DataPage::exportRequested, &m_export, &DataExport::choose);
  connect(m_page, &widgets::DataPage::qualityRequested, &m_quality, &DataQuality::choose);
  connect(m_page, &widgets::DataPage::openRequested, this, &DataController::chooseIndex);
  connect(m_page, &widgets::DataPage::thumbnailWidthChanged, this,
          [this](int width) { m_settings.setThumbnailWidth(width); });
  connect(m_page, &widgets::DataPage::groupedChanged, this,
          [this](bool grouped) { m_settings.setGroupedBySegment(grouped); });
  m_page->sample()->setProjectedShown(settings.projectedShown());
  connect(m_page->sample(), &widgets::SampleView::projectedToggled, this,
          [this](bool shown) { m_settings.setProjectedShown(shown); });
  connect(m_queries.worker(), &QueryWorker::answered, this, [this, told = false](const QueryAnswerPtr& answer) mutable {
    if (answer->ticket != m_ticket) return;
    const bool openFirst = std::exchange(m_openFirst, false);
    if (answer->error) return m_page->setQueryError(*answer->error);
    const bool others = answer->losses && answer->losses->entries.empty();
    if (others)
      m_page->notice()->show(NoticeBar::Kind::Info, tr("That run has not seen any image of the data that is open."));
    else if (std::exchange(told, false))
      m_page->notice()->clear();
    told = others;
    m_page->setLosses(answer->losses);
    m_page->setResult(answer->query, answer->images, answer->count, answer->facets);
    m_page->setHistograms(answer->query, answer->heights, answer->boxes);
    if (openFirst) m_page->openSample();
  });
  connect(&m_losses, &DataLosses::named, this, [this](const std::map<std::string, std::filesystem::path>& runs) {
    m_queries.post([worker = m_queries.worker(), runs] { worker->setRuns(runs); });
    m_export.setRuns(runs);
    if (m_page->query().contains(QLatin1String("loss"), Qt::CaseInsensitive)) ask(m_page->query());
  });
  connectMarks();
}

void DataController::connectMarks() {
  using widgets::DataPage;
  QueryWorker* worker = m_queries.worker();
  connect(worker, &QueryWorker::described, m_page,
          [this](quint64 index, quint32 image, const QStringList& tags, const QString& note) {
            if (index == m_number) m_page->setMarks(image, tags, note);
          });
  connect(worker, &QueryWorker::marksChanged, this, [this](const UserMarks& marks) {
    m_page->setKnownMarks(marks.tags, marks.views);
    m_tags.clear();
    for (const QString& tag : marks.tags) m_tags << QStringLiteral("tag:") + widgets::queryValue(tag);
    m_page->queryLine()->setCompletions(m_words + m_tags);
  });
  connect(worker, &QueryWorker::tagsChanged, this, [this] { ask(m_page->query()); });
  connect(worker, &QueryWorker::failed, this,
          [this](const QString& message) { m_page->notice()->show(NoticeBar::Kind::Bad, message, message); });
  connect(worker, &QueryWorker::gone, this, &DataController::tellGone);
  connect(m_page, &DataPage::marksWanted, this,
          [this, worker](quint32 image) { m_queries.post([worker, image] { worker->describe(image); }); });
  connect(m_page, &DataPage::tagRequested, this,
          [this, worker](const std::vector<data::ImageId>& images, const QString& tag, bool on) {
            m_queries.post([worker, images, tag, on] { worker->tag(images, tag, on); });
          });
  // What was written to the index before is a step of none of its images.
  connect(worker, &QueryWorker::tagged, this,
          [this](quint64 index, const std::vector<data::ImageId>& images, const QString& tag, bool on) {
            if (index == m_number) m_history.recordTag(images, tag, on);
          });
  connect(worker, &QueryWorker::noted, this,
          [this](quint64 index, quint32 image, const QString& before, const QString& after) {
            if (index == m_number) m_history.recordNote(image, before, after);
          });
  connect(&m_history, &DataHistory::tagWanted, this,
          [this, worker](const std::vector<data::ImageId>& images, const QString& tag, bool on) {
            m_queries.post([worker, images, tag, on] { worker->writeTag(images, tag, on); });
          });
  connect(&m_history, &DataHistory::noteWanted, this, [this, worker](quint32 image, const QString& text) {
    m_queries.post([worker, image, text] { worker->writeNote(image, text); });
  });
  connect(&m_quality, &DataQuality::cutFound, this, [this, worker](const QString& tag, const QStringList& images) {
    m_queries.post([worker, tag, images] { worker->retag(tag, images); });
  });
  connect(m_page, &DataPage::noteRequested, this, [this, worker](quint32 image, const QString& text) {
    m_queries.post([worker, image, text] { worker->setNote(image, text); });
  });
  connect(m_page, &DataPage::saveViewRequested, this, [this, worker](const QString& name, const QString& query) {
    m_queries.post([worker, name, query] { worker->saveView(name, query); });
  });
  connect(m_page, &DataPage::removeViewRequested, this,
          [this, worker](const QString& name) { m_queries.post([worker, name] { worker->removeView(name); }); });
}

void DataController::tellGone(const QString& folder) {
  m_page->notice()->show(
      NoticeBar::Kind::Bad,
      tr("%1 was moved or deleted: tags, notes and views cannot be kept. Open it where it is now, or "
         "import its recordings again.")
          .arg(folder));
  m_page->notice()->offer(tr("Locate…"), [this] { chooseIndex(); });
}

void DataController::tellNoIndex(const QString& folder) {
  m_page->notice()->show(NoticeBar::Kind::Bad, tr("%1 is no index. Recordings are imported into one.").arg(folder));
  m_page->notice()->offer(tr("Import this folder"), [this, folder] { m_import.consider({folder}); });
}

DataController::~DataController() { m_cancel.cancel(); }

void DataController::open(const QString& folder, bool quiet) {
  m_background.run(
      this, [path = folder.toStdString()] { return data::Index::open(path); },
      [this, quiet, folder](Result<std::shared_ptr<const data::Index>> index) {
        if (index.ok()) return show(std::move(index).value());
        if (quiet) return;
        const bool recordings = QFileInfo(folder).isDir() && !data::Index::looksLikeIndex(folder.toStdString());
        recordings ? tellNoIndex(folder) : m_page->notice()->show(index.error());
      });
}

// While an import goes on only more recordings are worth a new look; quiet: there may be none yet.
void DataController::takeImported(const QString& folder, bool quiet) {
  m_background.run(
      this, [path = folder.toStdString()] { return data::Index::open(path); },
      [this, quiet](Result<std::shared_ptr<const data::Index>> index) {
        if (!index.ok()) return quiet ? void() : m_page->notice()->show(index.error());
        const auto& now = m_page->index();
        const bool same = now && sameFolder(QString::fromStdString(now->folder().string()),
                                            QString::fromStdString(index.value()->folder().string()));
        const bool more = !now || (same && index.value()->segmentCount() > now->segmentCount());
        if (more || !m_import.going()) show(std::move(index).value(), same);
      });
}

void DataController::showPredictions(const QString& index, const QString& query, const QString& file,
                                     const QString& name) {
  m_background.run(
      this, [path = index.toStdString()] { return data::Index::open(path); },
      [this, query, file, name](Result<std::shared_ptr<const data::Index>> opened) {
        if (!opened.ok()) return m_page->notice()->show(opened.error());
        m_page->closeSample();
        show(std::move(opened).value());
        m_predictions.open(file, name);
        m_openFirst = true;
        m_page->queryLine()->setText(query);
      });
}

void DataController::show(std::shared_ptr<const data::Index> index, bool grown) {
  m_cancel.cancel();
  const QString folder = QString::fromStdString(index->folder().string());
  const auto before = grown ? m_page->index() : nullptr;
  const auto handOver = [&] {
    m_queries.post([worker = m_queries.worker(), index, number = ++m_number] { worker->setIndex(index, number); });
  };
  // A page that grows asks about its images by their new numbers at once; one that leaves its data keeps a note of it.
  if (before) {
    handOver();
    m_page->growIndex(index);
  } else {
    m_page->setIndex(index);
    handOver();
  }
  if (std::exchange(m_folder, folder) != folder) m_page->queryLine()->setText({});  // it was about the other one
  m_words = queryWords(*index);
  m_page->queryLine()->setCompletions(m_words + m_tags);
  before ? m_history.grow(*before, *index) : m_history.forget();
  m_settings.setLastData(folder);
  m_export.setIndex(folder);
  if (!grown || !m_import.going()) m_quality.setIndex(index);  // a look at the quality takes a while
  m_predictions.setIndex(index);
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
  m_import.consider(sources);
}

}  // namespace roadtune::studio

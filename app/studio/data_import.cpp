// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/data_import.h"

#include "app/studio/folder_path.h"
#include "app/studio/import_target.h"
#include "core/base/exit_code.h"
#include "core/base/url.h"
#include "core/data/index/catalogue.h"
#include "core/data/index/waymo_license.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/number_text.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/side_drawer.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include <memory>
#include <utility>

namespace roadtune::studio {
namespace {

using widgets::ImportPanel;
using Found = ImportPanel::Found;
constexpr int kPeekMs = 1000, kNextPeekMs = 2000;  // for the first images, and for more
constexpr int kTypingMs = 600;                     // an address is asked about when it is not typed any more

QString textOf(const nlohmann::json& from, const char* key) {
  return QString::fromStdString(from.value(key, std::string()));
}

widgets::FoundFormat formatOf(const nlohmann::json& from) {
  widgets::FoundFormat one;
  one.format = textOf(from, "format");
  one.recordings = from.value("recordings", std::uint64_t(0));
  one.files = from.value("files", std::uint64_t(0));
  one.bytes = from.value("bytes", std::uint64_t(0));
  for (const auto& [name, count] : from.at("splits").items())
    one.splits.append({QString::fromStdString(name), count.get<std::uint64_t>()});
  return one;
}

ImportPanel::Found foundOf(const QByteArray& printed) {
  ImportPanel::Found found;
  const auto json = nlohmann::json::parse(printed.begin(), printed.end(), nullptr, false);
  if (!json.is_object()) return found;
  for (const auto& one : json.at("formats")) found.formats.append(formatOf(one));
  for (const auto& one : json.at("problems"))
    found.problems << textOf(one, "file") + QStringLiteral(": ") + textOf(one, "what");
  found.waymo = json.value("contains_waymo_data", false);
  found.licenceAccepted = json.value("waymo_license_accepted", false);
  return found;
}

// What lies in a bucket, by kind.
QList<widgets::FoundFormat> objectsOf(const QByteArray& printed) {
  QList<widgets::FoundFormat> kinds;
  const auto json = nlohmann::json::parse(printed.begin(), printed.end(), nullptr, false);
  if (!json.is_object() || !json.contains("objects")) return kinds;
  for (const auto& one : json["objects"]) {
    widgets::FoundFormat kind;
    kind.format = QStringLiteral("objects-") + textOf(one, "kind");
    kind.files = one.value("files", std::uint64_t(0));
    kind.bytes = one.value("bytes", std::uint64_t(0));
    kinds.append(kind);
  }
  return kinds;
}

bool isAddress(const QString& source) { return isUrl(source.toStdString()); }

// What an address says about itself; what lies there is asked in the background.
Found judged(const QString& address) {
  Found found;
  const std::string refusal = refusalOfUrl(address.toStdString());
  found.unseen = refusal.empty();
  if (!found.unseen) found.failure = DataImport::tr("The address %1.").arg(QString::fromStdString(refusal));
  return found;
}

}  // namespace

DataImport::DataImport(widgets::DataPage* page, JobBoard* jobs, QObject* parent)
    : QObject(parent), m_page(page), m_panel(page->importPanel()), m_jobs(jobs) {
  const auto licence = data::waymoLicenseSummary();
  m_panel->setLicenceText(QString::fromUtf8(licence.data(), static_cast<qsizetype>(licence.size())).simplified());
  connect(&m_peek, &QTimer::timeout, this, &DataImport::lookAtIndex);
  connect(m_panel, &ImportPanel::browseRequested, this, &DataImport::browse);
  connect(m_panel, &ImportPanel::targetRequested, this, &DataImport::browseTarget);
  connect(m_panel, &ImportPanel::sourceTyped, this, [this](const QString& path) {
    if (!path.isEmpty()) consider({path});
  });
  connect(m_panel, &ImportPanel::addressTyped, this, [this](const QString& address) {
    stopLooking();  // at what was there before
    const Found found = judged(address);
    m_panel->setAddress(address, found, importTarget({address}));
    m_address = found.unseen ? address : QString();
    m_typing.start();
  });
  m_typing.setSingleShot(true);
  m_typing.setInterval(kTypingMs);
  connect(&m_typing, &QTimer::timeout, this, &DataImport::listBucket);
  connect(m_panel, &ImportPanel::importRequested, this, &DataImport::start);
  connect(m_panel, &ImportPanel::targetChanged, this, &DataImport::tellTarget);
  connect(m_panel, &ImportPanel::cancelRequested, this, [this] {
    if (m_import) m_import->cancel();
  });
  connect(m_panel, &ImportPanel::closeRequested, m_page->drawer(), &widgets::SideDrawer::close);
}

void DataImport::choose() {
  if (!m_panel->working()) m_panel->choose({}, {});
  m_page->drawer()->show(m_panel);
  if (!m_panel->working()) browse();
}

void DataImport::browse() {
  auto* dialog = new QFileDialog(m_page->window(), tr("Import recordings"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
    m_page->window()->activateWindow();  // keys go on here, not into the dialog that closes
    consider({folder});
  });
  dialog->open();
}

// What an import into this folder comes to, where there is an index already.
void DataImport::tellTarget(const QString& folder) {
  if (!folder.startsWith(QLatin1Char('/'))) return;
  m_background.run(
      this, [folder] { return thereAlready(folder); },
      [this, folder](const ThereAlready& there) {
        const QString count = widgets::countText(there.images);
        const QString name = QFileInfo(QDir::cleanPath(folder)).fileName();
        if (there.index)
          m_panel->setTargetNote(folder, tr("Adds to %1, where %2 images are already.").arg(name, count));
      });
}

void DataImport::browseTarget() {
  auto* dialog = new QFileDialog(m_page->window(), tr("Where the index goes"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  connect(dialog, &QFileDialog::fileSelected, m_panel, &ImportPanel::setTarget);
  dialog->open();
}

void DataImport::consider(const QStringList& sources) {
  m_page->drawer()->show(m_panel);
  if (m_panel->working())
    return m_page->notice()->show(widgets::NoticeBar::Kind::Info,
                                  tr("An import is going on. Cancel it first, or wait for its end."));
  m_panel->choose(sources, importTarget(sources));
  stopLooking();
  if (isAddress(sources[0])) {
    const Found found = judged(sources[0]);
    m_address = found.unseen ? sources[0] : QString();
    m_panel->setFound(found);
    return listBucket();
  }
  m_look = m_jobs->run(tr("Looking"), QStringList{QStringLiteral("data"), QStringLiteral("inspect")}
                                          << sources << QStringLiteral("--json"));
  auto printed = std::make_shared<QByteArray>();
  connect(m_look, &ChildJob::printed, this, [printed](const QByteArray& line) { *printed += line; });
  connect(m_look, &ChildJob::finished, this,
          [this, printed, job = m_look.data()](int exitCode) { showFound(exitCode, *printed, job->message()); });
}

void DataImport::stopLooking() {
  m_typing.stop();
  if (!m_look) return;
  m_look->disconnect(this);
  m_look->cancel();
}

// Counts and sizes by kind, before anything is fetched. An import does not wait for it.
void DataImport::listBucket() {
  if (m_address.isEmpty()) return;
  m_look = m_jobs->run(tr("Looking into the bucket"),
                       {QStringLiteral("data"), QStringLiteral("inspect"), m_address, QStringLiteral("--json")});
  auto printed = std::make_shared<QByteArray>();
  connect(m_look, &ChildJob::printed, this, [printed](const QByteArray& line) { *printed += line; });
  connect(m_look, &ChildJob::finished, this, [this, printed, address = m_address, job = m_look.data()](int exitCode) {
    Found found = judged(address);
    found.formats = objectsOf(*printed);
    if (exitCode != kExitDone && exitCode != kExitInterrupted)
      found.failure = job->message().section(QLatin1Char('\n'), -1);
    m_panel->setListed(found);
  });
}

void DataImport::showFound(int exitCode, const QByteArray& printed, const QString& message) {
  ImportPanel::Found found = foundOf(printed);
  if (exitCode != kExitDone && found.formats.isEmpty() && found.problems.isEmpty() && !message.isEmpty())
    found.failure = message;
  m_panel->setFound(found);
}

void DataImport::start(const ImportPanel::Wish& wish) {
  stopLooking();
  m_wish = wish;
  m_page->notice()->clear();
  if (const auto& shown = m_page->index();
      shown && !sameFolder(wish.out, QString::fromStdString(shown->folder().string())))
    m_page->setIndex(nullptr);
  m_page->setImporting(tr("The first images show as soon as a recording is read."));
  m_panel->begin();
  QStringList arguments{QStringLiteral("data"), QStringLiteral("index")};
  arguments << wish.sources << QStringLiteral("--out") << wish.out << QStringLiteral("--progress")
            << QStringLiteral("json");
  if (wish.thumbnails) arguments << QStringLiteral("--thumbnails");
  if (!wish.split.isEmpty()) arguments << QStringLiteral("--split") << wish.split;
  if (wish.acceptLicence) arguments << QStringLiteral("--accept-waymo-license");
  m_import = m_jobs->run(tr("Import"), arguments);
  connect(m_import, &ChildJob::progressed, m_panel, [this](const JobProgress& now) {
    m_panel->progress()->setState({now.stage, now.unit, now.detail, now.done, now.total, now.rate, now.eta});
    if (std::exchange(m_stage, now.stage) != now.stage) lookAtIndex();  // what is read is whole from here on
  });
  connect(m_import, &ChildJob::remarked, m_panel, &ImportPanel::addProblem);
  connect(m_import, &ChildJob::finished, this,
          [this, job = m_import.data()](int exitCode) { end(exitCode, job->message()); });
  m_going = m_quiet = true;
  m_stage.clear();
  m_saved = {};
  m_peek.start(kPeekMs);
}

// Whoever looks at an image large, or writes about one, is not disturbed: it comes when that is over.
void DataImport::lookAtIndex() {
  if (!m_page->mayGrow()) return;
  const auto catalogue = data::IndexLayout{m_wish.out.toStdString()}.catalogue();
  const QDateTime saved = QFileInfo(catalogue).lastModified();
  const bool written = std::exchange(m_saved, saved) != saved;
  if (!m_going) m_peek.stop();
  if (m_peek.isActive()) m_peek.start(m_page->index() ? kNextPeekMs : kPeekMs);
  if (written || !m_going) emit indexWanted(m_wish.out, m_quiet);
}

void DataImport::end(int exitCode, const QString& message) {
  m_going = false;
  m_page->setImporting({});
  const bool licence = exitCode == kExitBadInput && message.contains(QLatin1String("--accept-waymo-license"));
  if (licence) m_panel->askForLicence();
  const bool cancelled = exitCode == kExitInterrupted;
  if (exitCode != kExitDone && !cancelled) {
    m_peek.stop();
    if (!licence) m_panel->end(false, tr("The import failed: %1").arg(message.section(QLatin1Char('\n'), -1)));
    return;
  }
  m_panel->end(true, cancelled ? tr("Cancelled. What was read so far is kept; the next import goes on from there.")
                               : tr("Imported to %1.").arg(m_wish.out));
  m_quiet = cancelled;
  lookAtIndex();
}

}  // namespace roadtune::studio

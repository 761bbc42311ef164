// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/left_out.h"

#include "app/studio/data_history.h"
#include "app/studio/main_window.h"
#include "app/studio/run_document.h"
#include "core/data/index/renumbered.h"
#include "core/data/index/user_data.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/number_text.h"
#include "widgets/models/query_text.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/runs/run_detail.h"
#include "widgets/panels/runs/run_header.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/runs/step_panel.h"

#include <algorithm>
#include <utility>

namespace roadtune::studio {
namespace {
constexpr QLatin1String kLeftOutTag("excluded"), kLeftOutTerm("not tag:excluded"), kLeftOutKey("train_query");

bool carriesTag(const std::filesystem::path& folder) {
  const auto index = data::Index::open(folder);
  if (!index.ok()) return false;
  const auto user = data::UserData::openWritten(*index.value());
  if (!user.ok() || !user.value()) return false;
  const auto tags = user.value()->tags();
  return tags.ok() && std::ranges::any_of(tags.value(), [](const auto& tag) {
           return QString::fromStdString(tag.first).compare(kLeftOutTag, Qt::CaseInsensitive) == 0 && tag.second > 0;
         });
}
}  // namespace

QString withoutLeftOut(const QString& query) { return widgets::withQueryTerm(query, kLeftOutTerm); }

bool holdsLeftOut(const config::RunConfig& config) {
  return std::ranges::any_of(config.sources("train_data"), [](const auto& one) { return carriesTag(one.path); });
}

LeftOut::LeftOut(MainWindow* window, RunDocument* document, const DataHistory* history, QObject* parent)
    : QObject(parent), m_window(window), m_document(document) {
  widgets::DataPage* page = window->dataPage();
  auto* step = window->runsPage()->detail()->step();
  connect(step, &widgets::StepPanel::tagRequested, page, &widgets::DataPage::tagRequested);
  connect(step, &widgets::StepPanel::noteWanted, this, [window, page](quint32 image) {
    window->setPage(Page::Data);
    page->showSample(image);
    page->writeNote();
  });
  connect(step, &widgets::StepPanel::leaveOutRequested, this, &LeftOut::leaveOut);
  connect(page, &widgets::DataPage::leaveOutRequested, this, &LeftOut::leaveOut);
  connect(history, &DataHistory::tagRecorded, this, &LeftOut::noteTagged);
  connect(history, &DataHistory::forgotten, this, &LeftOut::forget);
  connect(history, &DataHistory::grown, this, &LeftOut::grow);
  // Off again, by undo: what was said about it goes, too.
  connect(history, &DataHistory::tagWanted, this,
          [this](const std::vector<data::ImageId>&, const QString& tag, bool on) {
            if (!on && tag == kLeftOutTag && m_told && m_told->text() == m_words) m_told->clear();
          });
}

widgets::NoticeBar* LeftOut::notice() const {
  return m_window->page() == Page::Runs ? m_window->runsPage()->notice() : m_window->dataPage()->notice();
}

bool LeftOut::elsewhere() const {
  if (!m_document->valid()) return false;
  const auto data = m_document->config().sources("train_data");
  return std::any_of(data.begin(), data.end(), [](const config::DataSourceSpec& one) {
    return !QString::fromStdString(one.query).contains(kLeftOutTerm, Qt::CaseInsensitive);
  });
}

void LeftOut::leaveOut(const std::vector<data::ImageId>& images) {
  using Kind = widgets::NoticeBar::Kind;
  const QString before = QString::fromStdString(m_document->config().text("train_query"));
  const QString query = withoutLeftOut(before);
  if (query != before) {
    const Status set = m_document->set(kLeftOutKey, config::Value(query.toStdString()));
    if (!set.ok()) return notice()->show(set.error());
  }
  m_tagged.clear();
  m_awaited = true;
  m_unwanted = false;
  emit m_window->dataPage()->tagRequested(images, kLeftOutTag, true);
  const QString what = images.size() == 1
                           ? tr("The image has the tag %1 now").arg(kLeftOutTag)
                           : tr("%1 images have the tag %2 now").arg(widgets::countText(images.size()), kLeftOutTag);
  if (elsewhere())
    notice()->show(Kind::Warning,
                   tr("%1. Training data with a query of its own needs `%2` there, too.").arg(what, kLeftOutTerm));
  else
    notice()->show(Kind::Good,
                   (images.size() == 1 ? tr("%1: new runs and branches learn without it, as `%2` in their "
                                            "settings says. A run that is resumed learns as before.")
                                       : tr("%1: new runs and branches learn without them, as `%2` in their "
                                            "settings says. A run that is resumed learns as before."))
                       .arg(what, kLeftOutTerm));
  notice()->offer(tr("Undo"), [this, query, before] { takeBack(query, before); });
  const auto& index = m_window->dataPage()->index();
  if (index && m_window->runsPage()->detail()->step()->learntFrom(*index, images)) offerWayBack();
  m_told = notice();
  m_words = m_told->text();
}

// The step that learnt from them is on show: what came after it can be done anew without them.
void LeftOut::offerWayBack() {
  widgets::RunsPage* page = m_window->runsPage();
  const auto begin = page->header()->checkpointBefore(page->detail()->step()->shownStep() - 1);
  if (!begin) return;
  notice()->offer(tr("Resume from step %1").arg(widgets::countText(begin->first)),
                  [page, run = page->selectedRun(), place = begin->second] { emit page->branchRequested(run, place); });
}

// Images that had the tag before are not among them.
void LeftOut::noteTagged(const std::vector<data::ImageId>& images, const QString& tag, bool on) {
  if (!m_awaited || !on || tag != kLeftOutTag) return;
  m_awaited = false;
  m_tagged = images;
  if (std::exchange(m_unwanted, false)) untag();
}

void LeftOut::untag() {
  if (!m_tagged.empty()) emit m_window->dataPage()->tagRequested(std::exchange(m_tagged, {}), kLeftOutTag, false);
}

// Other data is open: the images that were left out are none of it, and what was offered about them is over.
void LeftOut::forget() {
  m_tagged.clear();
  m_awaited = m_unwanted = false;
  if (m_told && m_told->text() == m_words) m_told->clear();
}

// More of the same data; what is still being written is about the numbers of before.
void LeftOut::grow(const data::Index& from, const data::Index& to) {
  const auto now = data::renumbered(from, to, m_tagged);
  if (m_awaited || !now) return forget();
  m_tagged = *now;
}

void LeftOut::takeBack(const QString& query, const QString& before) {
  m_unwanted = m_awaited;
  untag();
  if (query == before || QString::fromStdString(m_document->config().text("train_query")) != query) return;
  const config::Value value = before.isEmpty() ? config::Value() : config::Value(before.toStdString());
  if (const Status set = m_document->set(kLeftOutKey, value); !set.ok()) notice()->show(set.error());
}

}  // namespace roadtune::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/query_worker.h"

#include "core/data/index/user_data.h"
#include "widgets/common/told_words.h"
#include "widgets/models/query_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sys/stat.h>
#include <unordered_set>

namespace roadtune::studio {
namespace {

using data::Measure;
constexpr int kIdleMs = 3000;  // then the columns of a large index need not stay in memory
constexpr int kBins = 28;
constexpr int kFineBins = 512;
constexpr double kLargestHeight = 2048, kMostBoxes = 512;

// Where 98 of 100 values lie below, as a round number that divides into whole bins.
double usefulEnd(data::QueryEngine& engine, Measure measure, double largest) {
  const auto everything = data::Query::parse("");
  if (!everything.ok()) return 0;
  const auto fine = engine.histogram(everything.value(), measure, kFineBins, 0, largest);
  if (!fine.ok() || fine.value().total == 0) return 0;
  std::uint64_t below = 0;
  std::size_t bin = 0;
  while (bin + 1 < fine.value().counts.size() && below + fine.value().counts[bin] < fine.value().total * 98 / 100)
    below += fine.value().counts[bin++];
  const double end = largest * double(bin + 1) / kFineBins;
  return std::max(double(kBins), std::ceil(end / kBins) * kBins);
}

// What tells a folder from another one that came to its place; zeros when there is none.
std::pair<std::uint64_t, std::uint64_t> placeOfFolder(const std::filesystem::path& folder) {
  struct stat there {};
  if (::stat(folder.c_str(), &there) != 0) return {};
  return {there.st_dev, there.st_ino};
}

// The query without a histogram's own stretch: its bars stay where they are while one drags.
Result<data::Query> without(const QString& query, widgets::RangeField field) {
  return data::Query::parse(widgets::setQueryRange(query, field, 1, 0).toStdString());
}

}  // namespace

QueryWorker::QueryWorker(QObject* parent) : QObject(parent), m_idle(new QTimer(this)) {
  m_idle->setSingleShot(true);
  m_idle->setInterval(kIdleMs);
  connect(m_idle, &QTimer::timeout, this, [this] {
    if (m_index) m_index->letGo();
  });
}

void QueryWorker::setIndex(std::shared_ptr<const data::Index> index, std::uint64_t number) {
  m_number = number;
  m_engine.reset();
  m_user.reset();
  m_index = index;
  if (!index) return;
  m_engine = std::make_unique<data::QueryEngine>(index);
  m_engine->setRuns(m_runs);
  m_heightEnd = usefulEnd(*m_engine, Measure::BoxHeight, kLargestHeight);
  m_countEnd = usefulEnd(*m_engine, Measure::BoxesPerImage, kMostBoxes);
  m_place = placeOfFolder(index->folder());
  auto user = data::UserData::openWritten(*index);
  if (!done(user.ok() ? Status() : Status(user.error()))) return;
  m_user = std::move(user).value();
  if (m_user) (void)m_engine->setUserData(*m_user);
  tellMarks();
}

void QueryWorker::setRuns(const std::map<std::string, std::filesystem::path>& runs) {
  m_runs = runs;
  if (m_engine) m_engine->setRuns(m_runs);
}

bool QueryWorker::done(const Status& status) {
  if (!status.ok()) emit failed(widgets::errorText(status.error()));
  return status.ok();
}

// An index that was deleted while it is open can still be looked at; what is written to it would be lost.
bool QueryWorker::mayWrite() {
  if (!m_index) return false;
  const auto now = placeOfFolder(m_index->folder());
  const bool same = now == m_place && now != std::pair<std::uint64_t, std::uint64_t>();
  if (!same) emit gone(QString::fromStdString(m_index->folder().string()));
  return same && openMarks();
}

// Their file is made for what is written first, not by looking.
bool QueryWorker::openMarks() {
  if (m_user && m_user->writable()) return true;
  auto user = data::UserData::open(*m_index);
  if (!done(user.ok() ? Status() : Status(user.error()))) return false;
  m_user.emplace(std::move(user).value());
  return true;
}

void QueryWorker::tellMarks() {
  UserMarks marks;
  if (!m_user) return emit marksChanged(marks);
  if (const auto tags = m_user->tags(); tags.ok()) {
    for (const auto& [name, count] : tags.value()) marks.tags << QString::fromStdString(name);
  }
  if (const auto views = m_user->views(); views.ok()) {
    for (const data::SavedView& view : views.value())
      marks.views.append({QString::fromStdString(view.name), QString::fromStdString(view.query)});
  }
  emit marksChanged(marks);
}

void QueryWorker::describe(data::ImageId image) {
  if (!m_index) return;
  if (!m_user) return emit described(m_number, image, {}, {});
  const auto tags = m_user->tagsOf(*m_index, image);
  const auto note = m_user->note(*m_index, image);
  QStringList names;
  if (tags.ok()) {
    for (const std::string& tag : tags.value()) names << QString::fromStdString(tag);
  }
  emit described(m_number, image, names, note.ok() ? QString::fromStdString(note.value()) : QString());
}

void QueryWorker::tag(const std::vector<data::ImageId>& images, const QString& tag, bool on) {
  if (images.empty()) return;
  std::vector<data::ImageId> have, others;
  if (m_user) have = m_user->tagged(*m_index, tag.toStdString()).valueOr({});
  std::ranges::copy_if(images, std::back_inserter(others),
                       [&](data::ImageId image) { return std::ranges::binary_search(have, image) != on; });
  if (writeTag(images, tag, on)) emit tagged(m_number, others, tag, on);
}

bool QueryWorker::writeTag(const std::vector<data::ImageId>& images, const QString& tag, bool on) {
  const std::string name = tag.toStdString();
  if (!mayWrite()) return describe(images.front()), false;  // shows what is kept
  if (!done(on ? m_user->addTag(*m_index, images, name) : m_user->removeTag(*m_index, images, name))) return false;
  (void)m_engine->setUserData(*m_user);
  tellMarks();
  describe(images.front());
  emit tagsChanged();
  return true;
}

void QueryWorker::retag(const QString& tag, const QStringList& images) {
  if (!mayWrite()) return;
  std::unordered_set<std::string> names;
  for (const QString& image : images) names.insert(image.toStdString());
  std::vector<data::ImageId> now;
  for (data::ImageId image = 0; image < m_index->imageCount(); ++image)
    if (names.contains(m_index->imageLabel(image))) now.push_back(image);
  const std::string name = tag.toStdString();
  const auto before = m_user->tagged(*m_index, name);
  if (before.ok() && before.value() == now) return;
  if (before.ok() && !before.value().empty() && !done(m_user->removeTag(*m_index, before.value(), name))) return;
  if (!now.empty() && !done(m_user->addTag(*m_index, now, name))) return;
  (void)m_engine->setUserData(*m_user);
  tellMarks();
  emit tagsChanged();
}

void QueryWorker::setNote(data::ImageId image, const QString& text) {
  const QString before = m_user ? QString::fromStdString(m_user->note(*m_index, image).valueOr("")) : QString();
  if (writeNote(image, text) && before != text) emit noted(m_number, image, before, text);
}

bool QueryWorker::writeNote(data::ImageId image, const QString& text) {
  if (!mayWrite()) return describe(image), false;
  if (!done(m_user->setNote(*m_index, image, text.toStdString()))) return false;
  (void)m_engine->setUserData(*m_user);
  describe(image);
  return true;
}

void QueryWorker::saveView(const QString& name, const QString& query) {
  if (mayWrite() && done(m_user->saveView({name.toStdString(), query.toStdString()}))) tellMarks();
}

void QueryWorker::removeView(const QString& name) {
  if (mayWrite() && done(m_user->removeView(name.toStdString()))) tellMarks();
}

void QueryWorker::measure(const data::Query& query, const data::CancelToken& cancel, QueryAnswer& answer) {
  const QString text = QString::fromStdString(query.text());
  if (const auto rest = without(text, widgets::RangeField::BoxHeight); rest.ok() && m_heightEnd > 0) {
    if (auto heights = m_engine->histogram(rest.value(), Measure::BoxHeight, kBins, 0, m_heightEnd, 448, cancel);
        heights.ok())
      answer.heights = std::move(heights).value();
  }
  if (const auto rest = without(text, widgets::RangeField::BoxCount); rest.ok() && m_countEnd > 0) {
    if (auto boxes = m_engine->histogram(rest.value(), Measure::BoxesPerImage, kBins, 0, m_countEnd, 448, cancel);
        boxes.ok())
      answer.boxes = std::move(boxes).value();
  }
}

// An example that finds nothing in this index is none; a single word is no example.
void QueryWorker::dropEmptyExample(data::QueryError& error) {
  if (error.suggestion.find('=') == std::string::npos) return;
  const auto example = data::Query::parse(error.suggestion);
  const auto found = example.ok() ? m_engine->run(example.value()) : Result<data::QueryResult>(example.error());
  if (!found.ok() || found.value().count == 0) error.suggestion.clear();
}

void QueryWorker::run(std::uint64_t ticket, const QString& query, const data::CancelToken& cancel) {
  if (!m_engine || cancel.cancelled()) return;
  m_idle->start();  // while it answers, nothing else happens here
  auto answer = std::make_shared<QueryAnswer>();
  answer->ticket = ticket;
  answer->query = query;
  const std::string text = query.toStdString();
  data::QueryError where;
  const auto parsed = data::Query::parse(text, where);
  if (!parsed.ok()) {
    dropEmptyExample(where);
    answer->error = where;
    emit answered(answer);
    return;
  }
  auto result = m_engine->run(parsed.value(), cancel);
  if (!result.ok()) {
    if (result.error().kind == ErrorKind::Cancelled) return;
    if (m_engine->check(parsed.value(), where).ok()) where = {0, text.size(), result.error().what, result.error().hint};
    answer->error = where;
    emit answered(answer);
    return;
  }
  answer->losses = m_engine->losses(parsed.value());
  answer->count = result.value().count;
  answer->images = std::make_shared<const std::vector<data::ImageId>>(std::move(result.value().images));
  if (auto facets = m_engine->facets(parsed.value(), cancel); facets.ok()) answer->facets = std::move(facets).value();
  measure(parsed.value(), cancel, *answer);
  if (!cancel.cancelled()) emit answered(answer);
}

}  // namespace roadtune::studio

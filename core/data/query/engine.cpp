// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/data/query/engine_parts.h"
#include "core/data/query/sort_images.h"

#include <algorithm>
#include <limits>

namespace roadtune::data {

QueryEngine::QueryEngine(std::shared_ptr<const Index> index) : m_parts(std::make_unique<Parts>(std::move(index))) {}
QueryEngine::~QueryEngine() = default;

Status QueryEngine::setUserData(const UserData& user) {
  const Index& index = m_parts->evaluator.index();
  ROADTUNE_TRY(const auto counts, user.tags());
  std::map<std::string, std::vector<ImageId>> tags;
  for (const auto& [tag, count] : counts) {
    ROADTUNE_TRY(tags[lower(tag)], user.tagged(index, tag));
  }
  ROADTUNE_TRY(auto notes, user.notes(index));
  m_parts->evaluator.setTags(std::move(tags));
  m_parts->evaluator.setNotes(std::move(notes));
  return {};
}

void QueryEngine::setRuns(std::map<std::string, std::filesystem::path> runs) {
  m_parts->evaluator.setRuns(std::move(runs));
}

std::shared_ptr<const ImageLosses> QueryEngine::losses(const Query& query) const {
  const std::vector<NamedRun> runs = runsOf(query.plan());
  return runs.empty() ? nullptr : m_parts->evaluator.losses(runs.front().name);
}

Status QueryEngine::check(const Query& query, QueryError& where) const {
  if (m_parts->evaluator.check(query.plan(), where)) return {};
  return badInput(where.text(query.text()));
}

Result<QueryResult> QueryEngine::run(const Query& query, const CancelToken& cancel) {
  QueryError where;
  ROADTUNE_CHECK(check(query, where));
  const QueryPlan& plan = query.plan();
  ROADTUNE_TRY(const Bitmap bits, m_parts->evaluator.evaluate(*plan.where, cancel));
  QueryResult result;
  result.count = bits.count();
  const std::size_t limit = plan.limit.value_or(std::numeric_limits<std::size_t>::max());
  if (plan.sort) {
    ROADTUNE_TRY(result.images, sortImages(bits, *plan.sort, limit, m_parts->evaluator, cancel));
    return result;
  }
  result.images = bits.places();
  if (result.images.size() > limit) result.images.resize(limit);
  return result;
}

Result<std::size_t> QueryEngine::count(const Query& query, const CancelToken& cancel) {
  QueryError where;
  ROADTUNE_CHECK(check(query, where));
  ROADTUNE_TRY(const Bitmap bits, m_parts->evaluator.evaluate(*query.plan().where, cancel));
  return bits.count();
}

std::vector<std::string> QueryEngine::complete(std::string_view typed) const {
  const std::string start = lower(typed);
  std::vector<std::string> words;
  for (const auto& field : imageFields()) words.emplace_back(field.name);
  for (const auto& field : boxFields()) words.emplace_back(field.name);
  for (const char* word :
       {"any(", "all(", "none(", "count(", "min(", "max(", "avg(", "loss(", "and", "or", "not", "sort by", "limit"})
    words.emplace_back(word);
  const Index& index = m_parts->evaluator.index();
  words.insert(words.end(), index.classNames().begin(), index.classNames().end());
  for (const Camera camera : kIndexedCameras) words.push_back(lower(cameraName(camera)));
  for (std::size_t i = 0; i < index.segmentCount(); ++i) {
    const SegmentInfo& info = index.segment(i).info();
    for (const std::string& word : {info.split, info.time, info.location, info.weather}) words.push_back(word);
  }
  for (const auto& [tag, images] : m_parts->evaluator.tags()) words.push_back("tag:" + tag);
  std::erase_if(words, [&](const std::string& word) { return word.empty() || !startsWith(lower(word), start); });
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace roadtune::data

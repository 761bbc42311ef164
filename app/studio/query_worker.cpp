// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/query_worker.h"

#include "core/data/index/user_data.h"

namespace roadtune::studio {

void QueryWorker::setIndex(std::shared_ptr<const data::Index> index) {
  m_engine.reset();
  if (!index) return;
  m_engine = std::make_unique<data::QueryEngine>(index);
  if (auto user = data::UserData::open(*index); user.ok()) (void)m_engine->setUserData(user.value());
}

void QueryWorker::run(std::uint64_t ticket, const QString& query, const data::CancelToken& cancel) {
  if (!m_engine || cancel.cancelled()) return;
  auto answer = std::make_shared<QueryAnswer>();
  answer->ticket = ticket;
  answer->query = query;
  const std::string text = query.toStdString();
  data::QueryError where;
  const auto parsed = data::Query::parse(text, where);
  if (!parsed.ok()) {
    answer->error = where;
    emit answered(answer);
    return;
  }
  auto result = m_engine->run(parsed.value(), cancel);
  if (!result.ok()) {
    if (result.error().kind == ErrorKind::Cancelled) return;
    answer->error = data::QueryError{0, text.size(), result.error().what, result.error().hint};
    emit answered(answer);
    return;
  }
  answer->count = result.value().count;
  answer->images = std::make_shared<const std::vector<data::ImageId>>(std::move(result.value().images));
  if (auto facets = m_engine->facets(parsed.value(), cancel); facets.ok()) answer->facets = std::move(facets).value();
  if (!cancel.cancelled()) emit answered(answer);
}

}  // namespace roadtune::studio

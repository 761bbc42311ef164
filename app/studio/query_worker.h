// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/query.h"

#include <QMetaType>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace roadtune::studio {

// The answer to one query; either an error at its place, or the images.
struct QueryAnswer {
  std::uint64_t ticket = 0;
  QString query;
  std::optional<data::QueryError> error;
  std::shared_ptr<const std::vector<data::ImageId>> images;
  std::size_t count = 0;
  std::vector<data::Facet> facets;
};
using QueryAnswerPtr = std::shared_ptr<const QueryAnswer>;

// Answers queries about one index, on a thread of its own.
class QueryWorker : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  void setIndex(std::shared_ptr<const data::Index> index);
  void run(std::uint64_t ticket, const QString& query, const data::CancelToken& cancel);

 signals:
  void answered(const roadtune::studio::QueryAnswerPtr& answer);

 private:
  std::unique_ptr<data::QueryEngine> m_engine;
};

}  // namespace roadtune::studio

Q_DECLARE_METATYPE(roadtune::studio::QueryAnswerPtr)

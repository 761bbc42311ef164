// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/image_losses.h"
#include "core/data/query/query.h"

#include <QMetaType>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>
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
  std::shared_ptr<const data::ImageLosses> losses;  // that the query is about; null: none
  data::Histogram heights, boxes;                   // of the boxes in pixels, of boxes per image
};
using QueryAnswerPtr = std::shared_ptr<const QueryAnswer>;

// What people wrote about an index as a whole.
struct UserMarks {
  QStringList tags;
  QList<QPair<QString, QString>> views;  // name and query
};

// Answers queries about one index and keeps its tags, notes and saved views, on a thread of its own.
class QueryWorker : public QObject {
  Q_OBJECT
 public:
  explicit QueryWorker(QObject* parent = nullptr);
  void setIndex(std::shared_ptr<const data::Index> index, std::uint64_t number);  // told with what is about its images
  void setRuns(const std::map<std::string, std::filesystem::path>& runs);         // by the names that loss(NAME) finds
  void run(std::uint64_t ticket, const QString& query, const data::CancelToken& cancel);
  void describe(data::ImageId image);
  void tag(const std::vector<data::ImageId>& images, const QString& tag, bool on);  // and tells which were otherwise
  bool writeTag(const std::vector<data::ImageId>& images, const QString& tag, bool on);
  void retag(const QString& tag,
             const QStringList& images);                   // from now on these carry it, by their names, and no others
  void setNote(data::ImageId image, const QString& text);  // and tells what it was
  bool writeNote(data::ImageId image, const QString& text);
  void saveView(const QString& name, const QString& query);
  void removeView(const QString& name);

 signals:
  void answered(const roadtune::studio::QueryAnswerPtr& answer);
  void described(quint64 index, quint32 image, const QStringList& tags, const QString& note);
  void marksChanged(const roadtune::studio::UserMarks& marks);  // for a new index, and after every change
  void tagsChanged();                                           // queries about them have new answers
  void tagged(quint64 index, const std::vector<roadtune::data::ImageId>& images, const QString& tag, bool on);
  void noted(quint64 index, quint32 image, const QString& before, const QString& after);
  void failed(const QString& message);
  void gone(const QString& folder);  // of the index: marks cannot be kept

 private:
  bool done(const Status& status);
  bool mayWrite();
  bool openMarks();
  void tellMarks();
  void dropEmptyExample(data::QueryError& error);
  void measure(const data::Query& query, const data::CancelToken& cancel, QueryAnswer& answer);
  std::shared_ptr<const data::Index> m_index;
  std::uint64_t m_number = 0;  // of that index
  std::unique_ptr<data::QueryEngine> m_engine;
  std::optional<data::UserData> m_user;             // none while nobody has added anything
  std::pair<std::uint64_t, std::uint64_t> m_place;  // device and number of the index's folder
  std::map<std::string, std::filesystem::path> m_runs;
  QTimer* m_idle;                          // nobody has asked for a while
  double m_heightEnd = 0, m_countEnd = 0;  // where the histograms end
};

}  // namespace roadtune::studio

Q_DECLARE_METATYPE(roadtune::studio::QueryAnswerPtr)
Q_DECLARE_METATYPE(roadtune::studio::UserMarks)

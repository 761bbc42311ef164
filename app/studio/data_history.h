// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <QObject>
#include <QUndoStack>

#include <memory>
#include <vector>

namespace roadtune::widgets {
class DataPage;
}

namespace roadtune::studio {

// What was done on the Data page, in its order, so that it can be taken back: queries, tags and notes. Tags and notes
// are recorded when they are written, with only those images that had it otherwise.
class DataHistory : public QObject {
  Q_OBJECT
 public:
  explicit DataHistory(widgets::DataPage* page, QObject* parent = nullptr);
  ~DataHistory() override;

  void recordTag(const std::vector<data::ImageId>& images, const QString& tag, bool on);
  void recordNote(data::ImageId image, const QString& before, const QString& after);
  void forget();                                              // images are others now
  void grow(const data::Index& from, const data::Index& to);  // the same images have other numbers now
  bool canUndo() const;
  bool canRedo() const;
  void undo();
  void redo();

 signals:
  void forgotten();
  void grown(const roadtune::data::Index& from, const roadtune::data::Index& to);
  void changed();  // there may be more or less to take back
  void tagRecorded(const std::vector<roadtune::data::ImageId>& images, const QString& tag, bool on);
  void tagWanted(const std::vector<roadtune::data::ImageId>& images, const QString& tag, bool on);
  void noteWanted(quint32 image, const QString& text);

 private:
  friend class QueryStep;
  void recordQuery(const QString& query);
  void showQuery(const QString& query);
  using Images = std::shared_ptr<std::vector<data::ImageId>>;
  Images keep(const std::vector<data::ImageId>& images);
  bool typing() const;  // a query that was not asked yet
  widgets::DataPage* m_page;
  QString m_query;  // that was asked last
  QUndoStack m_steps;
  std::vector<std::weak_ptr<std::vector<data::ImageId>>> m_images;  // that the steps are about
};

}  // namespace roadtune::studio

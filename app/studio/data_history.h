// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <QObject>
#include <QUndoStack>

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
  void forget();  // images are others now
  bool canUndo() const;
  bool canRedo() const;
  void undo();
  void redo();

 signals:
  void forgotten();
  void changed();  // there may be more or less to take back
  void tagRecorded(const std::vector<roadtune::data::ImageId>& images, const QString& tag, bool on);
  void tagWanted(const std::vector<roadtune::data::ImageId>& images, const QString& tag, bool on);
  void noteWanted(quint32 image, const QString& text);

 private:
  friend class QueryStep;
  void recordQuery(const QString& query);
  void showQuery(const QString& query);
  bool typing() const;  // a query that was not asked yet
  widgets::DataPage* m_page;
  QString m_query;  // that was asked last
  QUndoStack m_steps;
};

}  // namespace roadtune::studio

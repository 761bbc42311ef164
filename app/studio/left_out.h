// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"
#include "core/data/index/index.h"

#include <QObject>

#include <vector>

namespace roadtune::widgets {
class NoticeBar;
}

namespace roadtune::studio {

class DataHistory;
class MainWindow;
class RunDocument;

// The query of training data with the term that keeps out what was left out.
QString withoutLeftOut(const QString& query);
// Does any of the training data hold images that were left out? Reads files.
bool holdsLeftOut(const config::RunConfig& config);

// What can be done with images wherever they are shown: tags, notes, and leaving them out of training. For that they
// get a tag, and the configuration learns from no image that carries it. The step's pictures are those of the data on
// show.
class LeftOut : public QObject {
  Q_OBJECT
 public:
  LeftOut(MainWindow* window, RunDocument* document, const DataHistory* history, QObject* parent = nullptr);

 private:
  void leaveOut(const std::vector<data::ImageId>& images);
  void noteTagged(const std::vector<data::ImageId>& images, const QString& tag, bool on);
  void offerWayBack();
  void untag();
  void forget();
  void grow(const data::Index& from, const data::Index& to);
  void takeBack(const QString& query, const QString& before);
  bool elsewhere() const;  // training data has queries of its own that do not know the tag
  widgets::NoticeBar* notice() const;
  MainWindow* m_window;
  RunDocument* m_document;
  std::vector<data::ImageId> m_tagged;         // by the latest call, once it is written
  bool m_awaited = false, m_unwanted = false;  // it is not written yet; it is taken back already
  widgets::NoticeBar* m_told = nullptr;        // where it was said
  QString m_words;
};

}  // namespace roadtune::studio

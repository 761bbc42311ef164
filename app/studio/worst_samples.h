// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "core/data/index/index.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <string>

namespace roadtune::widgets {
class RunsPage;
}

namespace roadtune::studio {

// Reads what each sample cost the run on show, while somebody looks at its worst samples; again when it has gone on.
class WorstSamples : public QObject {
  Q_OBJECT
 public:
  explicit WorstSamples(widgets::RunsPage* page, QObject* parent = nullptr);
  void setIndex(std::shared_ptr<const data::Index> index);

 signals:
  void sampleChosen(const QString& run, quint32 image);
  void orderRequested(const QString& run);
  void unknownChosen(const QString& run, const QString& sample);  // a sample that is not in the data on show

 private:
  void start();
  void read();
  widgets::RunsPage* m_page;
  std::shared_ptr<const data::Index> m_index;
  std::shared_ptr<const data::Index> m_own;  // that has the samples on show; it stays open for the next look
  QString m_folder;                          // whose samples are shown or under way
  std::string m_stamp;                       // of its ledgers, as they were read
  std::uint64_t m_ticket = 0;
  bool m_reading = false;
  QTimer m_again;
  Background m_background{"worst samples"};
};

}  // namespace roadtune::studio

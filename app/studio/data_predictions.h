// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/catalogue_feed.h"
#include "core/data/index/index.h"

#include <QObject>

#include <atomic>
#include <cstdint>
#include <memory>

namespace roadtune::widgets {
class DataPage;
}

namespace roadtune::studio {

// Predictions for the sample view: finds those of the known runs, reads the chosen ones.
class DataPredictions : public QObject {
  Q_OBJECT
 public:
  explicit DataPredictions(widgets::DataPage* page, QObject* parent = nullptr);
  void setIndex(std::shared_ptr<const data::Index> index);
  void setRuns(const RunEntries& runs) { m_runs = runs; }
  void open(const QString& file, const QString& name);

 private:
  QString runOf(const QString& file) const;  // that wrote it; empty: none that is known
  void list();
  void browse();
  widgets::DataPage* m_page;
  std::shared_ptr<std::atomic<std::uint64_t>> m_latest = std::make_shared<std::atomic<std::uint64_t>>(0);
  Background m_background{"predictions"};
  std::shared_ptr<const data::Index> m_index;
  RunEntries m_runs;
};

}  // namespace roadtune::studio

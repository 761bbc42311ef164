// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/catalogue_feed.h"

#include <QObject>

#include <filesystem>
#include <map>
#include <string>

namespace roadtune::widgets {
class DataPage;
}

namespace roadtune::studio {

// Runs whose losses of single samples the images can be put in the order of: finds them, and tells their names to
// whoever answers queries.
class DataLosses : public QObject {
  Q_OBJECT
 public:
  explicit DataLosses(widgets::DataPage* page, QObject* parent = nullptr);
  void setRuns(const RunEntries& runs);

 signals:
  void named(const std::map<std::string, std::filesystem::path>& runs);

 private:
  void list();
  widgets::DataPage* m_page;
  Background m_background{"losses"};
  RunEntries m_runs;
  std::map<std::string, std::filesystem::path> m_named;
};

}  // namespace roadtune::studio

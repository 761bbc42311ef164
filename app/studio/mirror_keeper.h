// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/catalogue_feed.h"
#include "app/studio/host_questions.h"

#include <QObject>

#include <map>
#include <memory>

namespace roadtune::remote {
class RunMirrors;
}

namespace roadtune::studio {

// Keeps the folders of runs on other machines up to date for as long as those runs go on, however this studio learnt of
// them. A run that ends keeps its mirror for a few seconds more: last words are on their way.
class MirrorKeeper : public QObject {
  Q_OBJECT
 public:
  explicit MirrorKeeper(HostQuestions* questions, QObject* parent = nullptr);
  ~MirrorKeeper() override;

  void keep(const QString& run, bool asking);  // just started, or asked for by the user
  void look(const RunEntries& runs);           // what the catalogue found
  QString trouble(const QString& run) const;   // of the link; empty: all is well, or there is none

 signals:
  void opened(const QString& run);

 private:
  struct Kept {
    std::shared_ptr<remote::RunMirrors> mirrors;  // null while it is opened, or when the run is one of this machine
    bool elsewhere = true;
    double endedAt = 0;
  };
  HostQuestions* m_questions;
  std::map<QString, Kept> m_kept;
  Background m_background{"mirrors"};
};

}  // namespace roadtune::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/catalogue_feed.h"
#include "app/studio/host_questions.h"
#include "core/base/result.h"

#include <QObject>

#include <map>
#include <memory>

namespace roadtune::remote {
class RunMirrors;
}

namespace roadtune::studio {

// Keeps the folders of runs on other machines up to date for as long as those runs go on, however this studio learnt of
// them. A run that ends keeps its mirror for a few seconds more: last words are on their way. Where a start was cut,
// the machines are asked what came of it.
class MirrorKeeper : public QObject {
  Q_OBJECT
 public:
  explicit MirrorKeeper(HostQuestions* questions, QObject* parent = nullptr);
  ~MirrorKeeper() override;

  void keep(const QString& run, bool asking);       // just started, or asked for by the user
  void look(const RunEntries& runs);                // what the catalogue found
  QString trouble(const QString& run) const;        // of the link; empty: all is well, or there is none
  QStringList unreached(const QString& run) const;  // machines of the run whose link has trouble

 signals:
  void opened(const QString& run);
  // The start of the run had been cut, and its machines were asked what came of it: all have an agent, or why not.
  void startClosed(const QString& run, const roadtune::Status& whole);

 private:
  struct Kept {
    std::shared_ptr<remote::RunMirrors> mirrors;  // null while it is opened, or when the run is one of this machine
    bool elsewhere = true;
    bool startOpen = false;  // machines are named, their agents are not: it is being started, or that was cut
    double closeAt = 0;      // not before that; infinite while they are asked
    double endedAt = 0;
  };
  struct Opened;
  struct Closed;
  static Opened open(const QString& run, const remote::Prompts& prompts);
  static Closed close(const QString& run, const remote::Prompts& prompts);
  void letGo(std::shared_ptr<remote::RunMirrors> mirrors);
  void closeStart(const QString& run, bool asking);
  void takeClosed(const QString& run, const Closed& closed);
  HostQuestions* m_questions;
  std::map<QString, Kept> m_kept;
  Background m_background{"mirrors"};
  Background m_starts{"cut starts"};  // waits for machines that may not answer
};

}  // namespace roadtune::studio

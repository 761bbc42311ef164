// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/catalogue_feed.h"
#include "app/studio/host_questions.h"
#include "remote/launch/run_control.h"

#include <QObject>
#include <QSet>

namespace roadtune::studio {

// Looks, once a run that was told to stop is over, for what is left of it on each of its machines. UI thread.
class StopProof : public QObject {
  Q_OBJECT
 public:
  explicit StopProof(HostQuestions* questions, QObject* parent = nullptr);

  void expect(const QString& folder);  // it was told to stop
  void look(const RunEntries& runs);   // what is known of all runs now
  void proveNow(const QString& folder);

  // "✓ gpu1: no process is left": one line per machine, with what is left where something is.
  static QString linesOf(const std::vector<remote::NodeProof>& proofs);

 signals:
  void proved(const QString& folder, bool gone, const QString& lines);

 private:
  HostQuestions* m_questions;
  QSet<QString> m_expected;
  Background m_background{"stop proof"};
};

}  // namespace roadtune::studio

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "remote/launch/whereabouts.h"

#include <QObject>

#include <functional>

class QMenu;

namespace roadtune::widgets {
class RunsPage;
}

namespace roadtune::studio {

class HostQuestions;
class RunsController;

// Runs that were started from other machines, found on a machine that they run on and followed from here as well.
class RunsFromMachine : public QObject {
  Q_OBJECT
 public:
  // `machines` are those to choose from, asked for when the menu opens.
  RunsFromMachine(widgets::RunsPage* page, RunsController* runs, HostQuestions* questions,
                  std::function<QStringList()> machines, QObject* parent = nullptr);

  void look(const QString& machine);

 private:
  void fill();
  void choose(const QString& machine, const std::vector<remote::RunThere>& found);
  void adopt(const QString& machine, const remote::RunThere& run);
  widgets::RunsPage* m_page;
  RunsController* m_runs;
  HostQuestions* m_questions;
  std::function<QStringList()> m_machines;
  Background m_background{"runs elsewhere"};
};

}  // namespace roadtune::studio

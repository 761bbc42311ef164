// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/runs/run_frame.h"
#include "widgets/panels/runs/run_result.h"

#include <QWidget>

#include <optional>
#include <utility>

class QAction;
class QLabel;
class QProgressBar;
class QToolButton;

namespace roadtune::widgets {

class ElidedLabel;

// What a run calls its phases, in the window's language; one that is not known here keeps its name.
QString phaseWord(const std::string& phase);

// Name, state and phase, time left, what can be done with the run, and how far it is.
class RunHeader : public QWidget {
  Q_OBJECT
 public:
  explicit RunHeader(QWidget* parent = nullptr);
  void setFrame(const RunFrame& frame);
  void expect(const QString& name);  // of that run nothing is known yet, and nothing is done to it
  // The newest checkpoint here up to a step: its number and its place.
  std::optional<std::pair<qint64, QString>> checkpointBefore(qint64 step) const;
  void setUnreached(const QStringList& machines);  // those of the run that are not connected now
  void setResuming(bool resuming);
  void setNotice(const QString& text);  // what the bar over the plots says; it is not said twice
  QAction* saveAction() const { return m_save; }
  QAction* pauseAction() const { return m_pause; }
  QAction* evaluateAction() const { return m_evaluate; }
  QAction* stopAction() const { return m_stop; }
  QAction* stopNowAction() const { return m_stopNow; }

 signals:
  void saveRequested();
  void pauseRequested(bool pause);  // false: to go on
  void evaluateRequested();
  void stopRequested(bool now);
  void resumeRequested();
  void restartRequested();  // anew: there is no checkpoint
  void editRequested();
  void branchRequested(const QString& checkpoint);   // its place
  void weightsRequested(const QString& checkpoint);  // for a run that begins with them
  void openFolderRequested();
  void resultRequested(roadtune::widgets::RunResult kind);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QStringList phaseParts(const RunFrame& frame) const;
  static QString resumeTip(const RunFrame& frame);
  void makePause();
  void showPaused(bool paused);
  void refreshPhase();
  bool isReasonTold() const { return !m_reason.isEmpty() && m_told.contains(m_reason); }
  void refreshEnabled();
  void refreshCheckpoints(const RunFrame& frame);
  int m_state = 0;
  QStringList m_parts;       // of the line below the name
  QString m_reason, m_told;  // why the run is over, and what the bar says
  bool m_warn = false;       // its loss went the wrong way
  bool m_lost = false;       // broken, with nothing to go on from
  std::optional<double> m_asOf;
  QStringList m_unreached;
  bool m_foreign = false, m_resuming = false;
  bool m_shown = false, m_running = false;  // the run's frame has come; it goes on
  bool m_paused = false;                    // and holds at a step
  ElidedLabel* m_name;
  ElidedLabel* m_phase;
  QLabel* m_steps;
  QProgressBar* m_bar;
  QAction* m_save;
  QAction* m_evaluate;
  QAction* m_pause;
  QAction* m_stop;
  QAction* m_stopNow;
  QToolButton* m_saveButton;
  QToolButton* m_evaluateButton;
  QToolButton* m_pauseButton;
  QToolButton* m_stopButton;
  QToolButton* m_resume;
  QToolButton* m_again;
  QToolButton* m_edit;
  QToolButton* m_branch;
  QToolButton* m_results;
  QStringList m_checkpoints;  // in the branch menu
  QString m_folder;           // where they are
};

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/control.h"
#include "core/runs/run_catalogue.h"
#include "widgets/models/run_order.h"
#include "widgets/panels/runs/run_detail.h"
#include "widgets/panels/runs/run_frame.h"
#include "widgets/panels/runs/run_result.h"
#include "widgets/panels/runs/step_facts.h"

#include <QWidget>

class QLineEdit;
class QMenu;
class QModelIndex;
class QSlider;
class QSortFilterProxyModel;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace roadtune::widgets {

class AnatomyBand;
class EmptyState;
class LinePrompt;
class LiveEditPanel;
class NoticeBar;
class PlotBar;
class PlotGrid;
class QueuePanel;
class RunHeader;
class RunList;
class ResultPanel;
class RunListModel;
class VerdictLine;
struct LineQuestion;

// All runs at the left, below them those that wait for their turn, one of them at the right: header, plots, anatomy,
// tabs. Shows frames; asks through signals.
class RunsPage : public QWidget {
  Q_OBJECT
 public:
  explicit RunsPage(QWidget* parent = nullptr);
  void setRuns(const std::vector<runs::RunEntry>& runs);
  void selectRun(const QString& folder);  // also one that is not in the list yet
  QString selectedRun() const { return m_selected; }
  void setFrame(const RunFramePtr& frame);
  void setStep(const StepFacts& facts);
  void toggleBeside(const QString& folder);  // draw it along with the run on show
  const QStringList& beside() const { return m_beside; }
  PlotBar* plotBar() const { return m_plotBar; }
  PlotRequest request() const;

  RunListModel* model() const { return m_model; }
  RunHeader* header() const { return m_header; }
  PlotGrid* plots() const { return m_plots; }
  LiveEditPanel* liveEdit() const { return m_edit; }
  ResultPanel* result() const { return m_result; }
  QueuePanel* queue() const { return m_queue; }
  RunDetail* detail() const { return m_detail; }
  NoticeBar* notice() const { return m_notice; }
  QMenu* machinesMenu() const { return m_machines; }  // on which runs may be; filled by others
  QSplitter* outerSplitter() const { return m_outer; }
  QSplitter* innerSplitter() const { return m_inner; }
  LinePrompt* ask(const QString& folder, LineQuestion question);  // beside that run of the list
  void leaveRun(const QString& folder);  // where it is on show: for the next one of the list, or for none
  void setOrder(RunOrder order);
  void focusFilter();
  void focusMain();
  void setListShown(bool shown);
  void setDetailShown(bool shown);

 signals:
  void runSelected(const QString& folder);
  void requestChanged();
  void orderChosen(roadtune::widgets::RunOrder order);
  void saveRequested(const QString& folder);
  void evaluateRequested(const QString& folder);
  void pauseRequested(const QString& folder, bool pause);
  void stopRequested(const QString& folder, bool now);
  void openFolderRequested(const QString& folder);
  void trainRequested();  // from the empty state
  void demoRequested();
  void addFolderRequested();
  void resumeRequested(const QString& folder);
  void restartRequested(const QString& folder);  // anew, from the beginning
  void editRequested(const QString& folder, const roadtune::protocol::LiveEdit& edit);
  void branchRequested(const QString& folder, const QString& checkpoint);
  void weightsRequested(const QString& folder, const QString& checkpoint);
  void renameRequested(const QString& folder);
  void tagRequested(const QString& folder);  // a new one, to be named
  void resultRequested(roadtune::widgets::RunResult kind, const QString& folder);
  void deleteRequested(const QString& folder);
  void stepRequested(qint64 step);
  void placeRequested(double x);  // the step there, on the axis on show
  void imagesRequested(const QStringList& samples);

 private:
  QWidget* makeList();
  QWidget* makeNoMatch();
  QToolButton* makeOrder();
  QWidget* makeRun();
  QWidget* makePlotBar();
  void filter(const QString& text);
  void connectList();
  QModelIndex rowOf(const QString& folder) const;  // in the list as it is filtered
  void placeCursor();
  void showRow(int row);
  void showWhetherAny();
  void addGoingOn(QMenu& menu, const QModelIndex& run);
  void choosePlots(const RunFrame& frame);
  void updateEmptyState();
  void showContextMenu(const QPoint& at);
  void connectRun();
  void connectClicks();
  bool eventFilter(QObject* watched, QEvent* event) override;

  QString m_framed;      // the run that was shown last
  QString m_unreadable;  // why the one that is selected cannot be
  QString m_selected;
  QString m_cursor;          // the run under the list's cursor, mostly the one on show
  bool m_filtering = false;  // the list's rows change by themselves
  int m_logRank = 0;
  double m_clickedAt = 0;         // on the plots' axis
  bool m_clickTakenBack = false;  // what is still to come for it is not shown
  RunDetail::Look m_beforeClick;
  QStringList m_beside;
  RunListModel* m_model;
  QSortFilterProxyModel* m_proxy;
  RunList* m_list = nullptr;
  QLineEdit* m_filter = nullptr;
  QToolButton* m_order = nullptr;
  QueuePanel* m_queue = nullptr;
  QStackedWidget* m_rows = nullptr;  // the list, or that nothing in it matches
  QMenu* m_machines = nullptr;
  QSplitter* m_outer;
  QSplitter* m_inner = nullptr;
  QStackedWidget* m_stack;
  EmptyState* m_empty;
  RunHeader* m_header = nullptr;
  NoticeBar* m_notice = nullptr;
  LiveEditPanel* m_edit = nullptr;
  ResultPanel* m_result = nullptr;
  PlotGrid* m_plots = nullptr;
  QSlider* m_smoothing = nullptr;
  PlotBar* m_plotBar = nullptr;
  AnatomyBand* m_anatomy = nullptr;
  VerdictLine* m_verdict = nullptr;
  RunDetail* m_detail = nullptr;
};

}  // namespace roadtune::widgets

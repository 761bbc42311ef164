// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/config_file.h"
#include "app/studio/draft_store.h"
#include "app/studio/run_document.h"
#include "app/studio/settings.h"
#include "app/studio/strip_progress.h"
#include "app/studio/train_length.h"
#include "core/runs/run_catalogue.h"
#include "remote/launch/launch.h"

#include <QObject>
#include <QTimer>

#include <atomic>
#include <memory>

namespace roadtune::widgets {
class StatusStrip;
class TrainPage;
}  // namespace roadtune::widgets

namespace roadtune::studio {

class FleetController;
class HostQuestions;

// How a run begins that has the settings of another.
enum class Beginning { Again, GoingOn, WithItsWeights };

// Edits a configuration with the Train page and starts runs from it.
class TrainController : public QObject {
  Q_OBJECT
 public:
  struct Parts {  // what it works with; all outlive it
    widgets::TrainPage* page;
    widgets::StatusStrip* strip;
    FleetController* fleet;
    HostQuestions* questions;
  };
  TrainController(const Parts& parts, Settings& settings, QObject* parent = nullptr);
  ~TrainController() override;

  void openFile(const QString& file);  // with the edits that were not saved the last time
  void openLast(const QString& file);  // the same, or the new run where it cannot be opened
  bool mayClose();                     // false: something would be lost, which is told now
  void keepDraft();                    // of what is edited and not saved; soon after each edit it happens by itself
  // To a new configuration that nobody edited yet.
  void proposeData(const QString& folder);
  void proposeRuns(const QString& runs);  // its run goes below it
  void refreshEstimate() { askEstimate(); }
  void usePreset(const QString& name);
  void importFile(const QString& file);  // of another trainer
  // A new run with the settings of one that was: once more, going on from a checkpoint of it, or from step 0 with the
  // weights of one.
  void branch(const QString& run, const QString& checkpoint, Beginning beginning);
  void save();
  void startRun();
  void dryRun();                                  // prove that it will work
  void queueRun();                                // to start when its turn comes
  void queueVariants(const QStringList& varied);  // one for every combination of "key=value,value"
  bool canUndo() const { return m_typing.isActive() || m_document.history().canUndo(); }
  bool canRedo() const { return !m_typing.isActive() && m_document.history().canRedo(); }
  void undo();
  void redo();
  void setRuns(const std::vector<runs::RunEntry>& runs);  // to compare with, and to learn from how long it takes
  RunDocument& document() { return m_document; }
  bool canStart() const;

 signals:
  void runStarted(const QString& folder);
  void runsQueued(int count);
  void importWanted(const QStringList& sources);  // on the Data page, before a run can learn from them
  void blockedShown();                            // what keeps a run from starting is on show
  void undoableChanged();
  void branched();  // the branch is on show, or why there is none

 private:
  void connectPage();
  void refresh();
  void askEstimate();
  void refreshBlocked();
  std::vector<config::Problem> allProblems() const;
  bool hasWayOut(const config::Problem& problem) const;
  bool isToChoose(const config::Problem& problem) const;
  std::vector<config::Problem> shownProblems(std::vector<config::Problem> all) const;
  std::vector<config::Problem> inTheWay() const;
  bool askToChoose();
  void connectWhere();
  void refreshPlaces();
  void refreshFitness();
  void refreshComparison();
  void refreshPace();
  void chooseHosts(const QStringList& hosts);
  void askMissing();
  QStringList hosts() const;
  void report(const Status& status);
  void chooseFile();
  void chooseImport();
  void connectFile();
  void propose(const char* name, const config::Value& value);
  void startAnew();
  bool canOpen(const QString& file) const;
  void show(const config::Document& document, const QString& name, bool calm = false);
  void restore(const Draft& draft, const QString& file);
  void tell(const QString& text);
  void showBranch(const QString& run, const QString& checkpoint, Beginning beginning, const config::Document& document,
                  bool leftOut);
  bool isEdited(const QString& file) const;
  void discardEdits();
  bool takeTheirs();
  void store();
  void meetChange();
  QString path() const;  // of the configuration, absolute
  void keepPlaces(config::Document& next) const;
  void keepPlacesNotIn(config::Document& next) const;
  void saveUnderNewName();
  void offerFolder(const QString& freeFolder);
  void useFreeFolder();
  void takeFreeFolder();
  bool prepareStart();
  void showObstacle();
  void tellOfStart(const Error& error);
  StripProgress* showProgress(const QString& title);
  void takeTyped();
  void takeFields();
  void dropOldPaths();

  widgets::TrainPage* m_page;
  widgets::StatusStrip* m_strip;
  FleetController* m_fleet;
  HostQuestions* m_questions;
  Settings& m_settings;
  RunDocument m_document;
  DraftStore m_drafts;
  bool m_draftIsOurs = false;  // what is kept of this document was kept or taken up here
  bool m_toldOfLoss = false;   // edits could not be kept, and nothing was edited since
  ConfigFile m_file;
  QTimer m_drafting;                                                          // an edit is kept when this ends
  std::unique_ptr<StripProgress> m_progress;                                  // of a launch; outlives its thread
  std::shared_ptr<SampleCounts> m_counts = std::make_shared<SampleCounts>();  // the estimate thread's own
  Background m_background{"estimate"};
  Background m_launch{"launch"};
  Background m_compare{"compare inputs"};
  Background m_branching{"branch"};
  QTimer m_typing;  // typed YAML is read when the typing pauses
  QString m_typed;
  std::string m_made;              // of what was never saved: the text as it was made, a branch of a run
  QString m_leftPath, m_leftName;  // of what was on show before, where its edits are not saved
  std::vector<runs::RunEntry> m_runs;
  std::uint64_t m_ticket = 0, m_missingTicket = 0;
  std::vector<std::string> m_missingAsked;  // paths and machines of the answer that is shown or under way
  std::vector<config::Problem> m_pathProblems;
  config::RunConfig m_pathsOf;  // the settings they were found in, of that file
  QString m_pathsFile;
  QString m_blocked, m_wayOut;
  bool m_calm = false;       // new: what it lacks is still to choose, and no mistake
  QString m_freeFolder;      // next to the one of the run, where that is taken
  bool m_takesFree = false;  // only that its folder holds a run stands in the way
  bool m_starting = false;
  std::shared_ptr<std::atomic<bool>> m_leaves = std::make_shared<std::atomic<bool>>(false);  // nobody waits any more
  std::shared_ptr<std::atomic<bool>> m_endDryRun = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace roadtune::studio

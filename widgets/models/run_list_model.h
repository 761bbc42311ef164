// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/run_catalogue.h"
#include "widgets/models/run_marks.h"
#include "widgets/models/run_order.h"

#include <QAbstractListModel>

#include <vector>

namespace roadtune::widgets {

// The runs under the known roots, pinned ones first. Rows keep their identity (the folder) when the list is read anew.
class RunListModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role {
    PathRole = Qt::UserRole + 1,
    StateRole,    // int of runs::RunState
    PausedRole,   // goes on, and holds at a step
    DetailRole,   // "running · 1,240 / 1,940 · loss 0.713"
    DetailsRole,  // the same and shorter ones, for where there is little room
    AgeRole,      // "2 h ago": when it started
    PinnedRole,
    SearchRole,     // everything a filter should find
    ColourRole,     // chosen for the run; invalid: none
    TagsRole,       // QStringList
    ForeignRole,    // written by another program
    BesideRole,     // colour in which the run is drawn beside the one on show; invalid: it is not
    ResumableRole,  // there is a checkpoint to go on from, or there may be
    WarnRole,       // its loss stands clearly above where it began
  };

  explicit RunListModel(QObject* parent = nullptr);
  void setRuns(const std::vector<runs::RunEntry>& runs);
  void setOrder(RunOrder order);  // of those that are not pinned, and of those that are
  RunOrder order() const { return m_order; }
  void setAllMarks(const RunMarksByFolder& marks);
  const RunMarksByFolder& allMarks() const { return m_marks; }
  RunMarks marks(const QString& path) const { return m_marks.value(path); }
  void setMarks(const QString& path, const RunMarks& marks);
  void togglePinned(const QString& path);
  QStringList knownTags() const;
  const std::vector<runs::RunEntry>& runs() const { return m_runs; }
  int rowOf(const QString& path) const;
  void setBeside(const QString& shown, const QStringList& paths);  // in the order of their colours
  // Series colours of the run on show and of those beside it: what was chosen, else the first one that is free.
  QList<int> besideColours() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 signals:
  void marksChanged(const QString& path, const roadtune::widgets::RunMarks& before);

 private:
  QStringList details(const runs::RunEntry& run) const;
  std::vector<runs::RunEntry> sorted(std::vector<runs::RunEntry> runs) const;
  std::vector<runs::RunEntry> m_runs;
  RunMarksByFolder m_marks;
  RunOrder m_order = RunOrder::Newest;
  QStringList m_beside;  // the run on show first; empty when it is alone
};

// "finished", "no sign of life": states in words for people.
QString stateWord(runs::RunState state, bool paused = false);
QString pathText(const std::filesystem::path& path);

// "as of 14:03", with the date when that is not today's: of a run elsewhere that nobody follows.
QString asOfWords(double wallSeconds);

}  // namespace roadtune::widgets

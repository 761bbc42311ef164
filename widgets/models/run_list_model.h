// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/run_catalogue.h"

#include <QAbstractListModel>
#include <QSet>

#include <vector>

namespace roadtune::widgets {

// The runs under the known roots, pinned ones first. Rows keep their identity (the folder) when the list is read anew.
class RunListModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role {
    PathRole = Qt::UserRole + 1,
    StateRole,   // int of runs::RunState
    DetailRole,  // "training · step 1,240 of 1,940 · loss 0.71"
    PinnedRole,
    SearchRole,  // everything a filter should find
    BesideRole,  // colour in which the run is drawn beside the one on show; invalid: it is not
  };

  explicit RunListModel(QObject* parent = nullptr);
  void setRuns(const std::vector<runs::RunEntry>& runs);
  void setPinned(const QSet<QString>& paths);
  const QSet<QString>& pinned() const { return m_pinned; }
  void togglePinned(const QString& path);
  const std::vector<runs::RunEntry>& runs() const { return m_runs; }
  int rowOf(const QString& path) const;
  void setBeside(const QString& shown, const QStringList& paths);  // in the order of their colours

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 signals:
  void pinnedChanged();

 private:
  std::vector<runs::RunEntry> sorted(std::vector<runs::RunEntry> runs) const;
  std::vector<runs::RunEntry> m_runs;
  QSet<QString> m_pinned;
  QStringList m_beside;  // the run on show first; empty when it is alone
};

// "finished", "no sign of life": states in words for people.
QString stateWord(runs::RunState state);
QString pathText(const std::filesystem::path& path);

}  // namespace roadtune::widgets

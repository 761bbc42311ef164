// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/queue_order.h"

#include <QAbstractListModel>
#include <QString>

#include <memory>
#include <vector>

namespace roadtune::widgets {

// A run that waits for its turn, has it, or had it.
struct QueueEntry {
  std::int64_t id = 0;
  policy::JobState state = policy::JobState::Waiting;
  QString name, folder;  // of the run
  QString where;         // its machines in words
  QString message;       // why it waits, or what went wrong
  bool asks = false;     // its machines want to be told something
  bool operator==(const QueueEntry&) const = default;
};

struct QueueView {
  std::vector<QueueEntry> entries;  // in the order in which they are to start
  bool worked = false;              // somebody starts them
  QString trouble;                  // why the queue cannot be read
  bool operator==(const QueueView&) const = default;
};
using QueueViewPtr = std::shared_ptr<const QueueView>;

// What runs stands first, then what waits in its order, then what has ended, newest first. A waiting row can be moved
// among its like; the model only asks for it, the queue decides.
class QueueModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { IdRole = Qt::UserRole + 1, StateRole, PlaceRole, DetailRole, FolderRole, AsksRole };
  using QAbstractListModel::QAbstractListModel;

  void setEntries(std::vector<QueueEntry> entries);
  const std::vector<QueueEntry>& entries() const { return m_entries; }
  int rowOf(std::int64_t id) const;  // -1: not there
  int waiting() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool moveRows(const QModelIndex& from, int row, int count, const QModelIndex& to, int before) override;

 signals:
  void moveRequested(qint64 id, int place);  // among the waiting, from 1

 private:
  int firstWaiting() const;
  std::vector<QueueEntry> m_entries;
};

}  // namespace roadtune::widgets

Q_DECLARE_METATYPE(roadtune::widgets::QueueViewPtr)

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/queue_model.h"

#include <algorithm>

namespace roadtune::widgets {
namespace {

using policy::JobState;

int groupOf(const QueueEntry& entry) {
  return entry.state == JobState::Running ? 0 : entry.state == JobState::Waiting ? 1 : 2;
}

}  // namespace

void QueueModel::setEntries(std::vector<QueueEntry> entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const QueueEntry& a, const QueueEntry& b) {
    if (groupOf(a) != groupOf(b)) return groupOf(a) < groupOf(b);
    return groupOf(a) == 2 && a.id > b.id;
  });
  if (entries == m_entries) return;
  beginResetModel();
  m_entries = std::move(entries);
  endResetModel();
}

int QueueModel::rowOf(std::int64_t id) const {
  const auto found =
      std::find_if(m_entries.begin(), m_entries.end(), [id](const QueueEntry& entry) { return entry.id == id; });
  return found == m_entries.end() ? -1 : static_cast<int>(found - m_entries.begin());
}

int QueueModel::waiting() const {
  return static_cast<int>(std::count_if(m_entries.begin(), m_entries.end(),
                                        [](const QueueEntry& entry) { return entry.state == JobState::Waiting; }));
}

int QueueModel::firstWaiting() const {
  return static_cast<int>(std::count_if(m_entries.begin(), m_entries.end(),
                                        [](const QueueEntry& entry) { return entry.state == JobState::Running; }));
}

int QueueModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const QueueEntry& entry = m_entries[static_cast<std::size_t>(index.row())];
  const auto state = [&entry] {
    switch (entry.state) {
      case JobState::Waiting: return tr("waits");
      case JobState::Running: return tr("running");
      case JobState::Finished: return tr("finished");
      case JobState::Stopped: return tr("stopped");
      case JobState::Failed: return tr("failed");
    }
    return QString();
  };
  switch (role) {
    case Qt::DisplayRole: return entry.name;
    case Qt::ToolTipRole:
      return entry.message.isEmpty() ? entry.folder : entry.folder + QLatin1Char('\n') + entry.message;
    case Qt::AccessibleDescriptionRole:
    case DetailRole:
      if (entry.asks) return tr("waits for your answer") + QStringLiteral(" · ") + entry.where;
      return (entry.message.isEmpty() ? state() : entry.message) + QStringLiteral(" · ") + entry.where;
    case IdRole: return qint64(entry.id);
    case StateRole: return static_cast<int>(entry.state);
    case PlaceRole: return entry.state == JobState::Waiting ? index.row() - firstWaiting() + 1 : 0;
    case FolderRole: return entry.folder;
    case AsksRole: return entry.asks;
    default: return {};
  }
}

bool QueueModel::moveRows(const QModelIndex& from, int row, int count, const QModelIndex& to, int before) {
  const int first = firstWaiting(), last = first + waiting();
  if (from.isValid() || to.isValid() || count != 1 || row < first || row >= last) return false;
  before = std::clamp(before, first, last);
  if (before == row || before == row + 1 || !beginMoveRows({}, row, row, {}, before)) return false;
  const auto at = m_entries.begin();
  if (before > row)
    std::rotate(at + row, at + row + 1, at + before);
  else
    std::rotate(at + before, at + row, at + row + 1);
  endMoveRows();
  const int now = before > row ? before - 1 : before;
  emit moveRequested(m_entries[static_cast<std::size_t>(now)].id, now - first + 1);
  emit dataChanged(index(first), index(last - 1));  // their places
  return true;
}

}  // namespace roadtune::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/fleet/changed_marks.h"

#include "widgets/common/theme.h"
#include "widgets/common/told_words.h"
#include "widgets/panels/fleet/preflight_model.h"

namespace roadtune::widgets {

void ChangedMarks::setRecord(const PreflightRecords& records, std::size_t at) {
  const PreflightMatrix& matrix = records[at].matrix;
  m_changes = changesAt(records, at);
  m_machines.clear();
  for (const PreflightColumn& machine : matrix.machines) m_machines << machine.host;
  static_cast<PreflightModel*>(sourceModel())->setMatrix(std::make_shared<const PreflightMatrix>(matrix));
}

const PreflightCheck* ChangedMarks::before(const QModelIndex& index) const {
  if (!index.isValid() || index.column() < 1 || index.column() > m_machines.size()) return nullptr;
  const QString title = sourceModel()->index(index.row(), 0).data().toString();
  for (const auto& [place, check] : m_changes) {
    const bool together = place.first.isEmpty() && index.column() == 1;
    if ((together || place.first == m_machines[index.column() - 1]) && checkTitle(place.second) == title) return &check;
  }
  return nullptr;
}

QVariant ChangedMarks::data(const QModelIndex& index, int role) const {
  const QVariant now = QIdentityProxyModel::data(index, role);
  if (role != Qt::DisplayRole && role != Qt::FontRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole)
    return now;
  const PreflightCheck* was = before(index);
  if (!was) return now;
  if (role == Qt::FontRole) return strongFont();
  if (role == Qt::DisplayRole) return tr("%1  (was: %2)").arg(now.toString(), checkWords(was->found));
  return tr("%1\nThe time before: %2").arg(now.toString(), checkWords(was->found));
}

}  // namespace roadtune::widgets
